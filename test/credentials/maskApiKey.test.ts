import fc from 'fast-check';

import { createKeyMasker } from '../../credentials/maskApiKey';
import { liveKey, secretKey } from '../support/secret';

const secret = secretKey.slice(9);

const maskKey = createKeyMasker(secretKey, 'sandbox');

function percentEncode(text: string): string {
	return [...text].map((one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).join('');
}

it.each([
	{ text: secretKey, expected: 'eak_test_***' },
	{ text: `${secretKey}${secretKey}`, expected: 'eak_test_***eak_test_***' },
	{ text: `${secretKey}x`, expected: 'eak_test_***x' },
	{ text: `no key ${secret}`, expected: 'no key eak_test_***' },
	// In part, after its prefix.
	{ text: `eak_test_${secret.slice(0, 1)}...`, expected: 'eak_test_***...' },
	// In another case, percent-encoded, and escaped.
	{ text: secretKey.toUpperCase(), expected: 'eak_test_***' },
	{ text: `no key ${secret.toLowerCase()}`, expected: 'no key eak_test_***' },
	{ text: secretKey.replaceAll('_', '%5F'), expected: 'eak_test_***' },
	{ text: percentEncode(secretKey), expected: 'eak_test_***' },
	{ text: percentEncode(secretKey).toLowerCase(), expected: 'eak_test_***' },
	{ text: String.raw`eak_test_a\\"b/c`, expected: 'eak_test_***', key: 'eak_test_a"b/c' },
	{ text: 'eak_test_a%22b%2Fc', expected: 'eak_test_***', key: 'eak_test_a"b/c' },
	// A character that an encoder escapes.
	{ text: String.raw`eak_test_a\u002Bb`, expected: 'eak_test_***', key: 'eak_test_a+b' },
	{ text: String.raw`eak_test_a\\u002bb`, expected: 'eak_test_***', key: 'eak_test_a+b' },
	{ text: 'eak_test_a&#x2B;b&#43;c', expected: 'eak_test_***', key: 'eak_test_a+b+c' },
	{ text: 'eak_test_a&amp;b&lt;c', expected: 'eak_test_***', key: 'eak_test_a&b<c' },
	{ text: 'eak_test_a%252Bb%25252Bc', expected: 'eak_test_***', key: 'eak_test_a+b+c' },
	{ text: String.raw`eak_test_\u0075x`, expected: 'eak_test_***', key: 'eak_test_ux' },
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
	secret.slice(0, -1),
	secret.slice(1),
])('does not mask a public prefix or a part of the secret: %j', (text) => {
	expect(maskKey(text)).toBe(text);
});

it('masks a text with a million backslashes, and the key after them', () => {
	// Quadratic time would take hours, so the limit of a test decides.
	const backslashes = '\\'.repeat(1_000_000);
	expect(maskKey(`${backslashes} ${secretKey}`)).toBe(`${backslashes} eak_test_***`);
	const quoted = `e${backslashes}ak_test_`;
	expect(maskKey(quoted)).toBe(quoted);
});

it.each([2, 8, 40])('keeps JSON valid that has the key after %i backslashes', (count) => {
	const json = `{"text":"${'\\'.repeat(count)}${secretKey}"}`;
	expect(JSON.parse(maskKey(json))).toEqual({ text: 'eak_test_***' });
});

it('masks the key anywhere in a text', () => {
	const text = fc.string({
		unit: fc.constantFrom('a', 'eak_test_', secret.slice(0, 5), 'Z', ' '),
	});
	fc.assert(
		fc.property(text, text, (before, after) => {
			const masked = maskKey(`${before} ${secretKey} ${after}`);
			expect(masked).toContain(' eak_test_*** ');
			expect(masked).not.toContain(secret);
			expect(maskKey(masked)).toBe(masked);
		}),
		// Always the same texts, so that a failure is that of the change.
		{ numRuns: 1_000, seed: 1 },
	);
});
