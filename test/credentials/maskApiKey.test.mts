import { createKeyMasker } from '../../credentials/checkedCredential.ts';
import { liveKey, secretKey } from '../support/secret.mts';

const secret = secretKey.slice(9);

const maskKey = createKeyMasker(secretKey, 'sandbox');

it.each([
	{ text: secretKey, expected: 'eak_test_***' },
	{ text: `${secretKey}${secretKey}`, expected: 'eak_test_***eak_test_***' },
	{ text: `${secretKey}x`, expected: 'eak_test_***x' },
	{ text: `no key ${secret}`, expected: 'no key eak_test_***' },
	{ text: secretKey.toUpperCase(), expected: 'eak_test_***' },
	{ text: `no key ${secret.toLowerCase()}`, expected: 'no key eak_test_***' },
	// Percent-encoded, in either case.
	{ text: 'eak_test_a%22b%2Fc%25', expected: 'eak_test_***', key: 'eak_test_a"b/c%' },
	{ text: 'eak_test_a%22b%2fc%25', expected: 'eak_test_***', key: 'eak_test_a"b/c%' },
	// Escaped in JSON.
	{ text: String.raw`eak_test_a\\\"b/c`, expected: 'eak_test_***', key: 'eak_test_a\\"b/c' },
	{ text: String.raw`eak_test_a\/b+c\/`, expected: 'eak_test_***', key: 'eak_test_a/b+c/' },
	// The escaped form begins with the key.
	{ text: 'eak_test_ab\\\\', expected: 'eak_test_***', key: 'eak_test_ab\\' },
	{ text: `a ${liveKey}`, expected: 'a eak_live_***', key: liveKey },
	// A short secret, after its prefix alone.
	{ text: 'wire eak_test_wire', expected: 'wire eak_test_***', key: 'eak_test_wire' },
])('masks the key in $text', ({ text, expected, key = secretKey }) => {
	const environment = key.startsWith('eak_live_') ? 'live' : 'sandbox';
	expect(createKeyMasker(key, environment)(text)).toBe(expected);
});

it.each([
	'keys start with eak_test_ or eak_live_',
	'eak_test_?',
	`eak_test_${secret.slice(0, 1)}...`,
	secret.slice(0, -1),
	secret.slice(1),
])('does not mask a public prefix or a part of the secret: %j', (text) => {
	expect(maskKey(text)).toBe(text);
});
