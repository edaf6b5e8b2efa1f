import fc from 'fast-check';

import { maskApiKey } from '../../credentials/maskApiKey';
import { liveKey, secretKey } from '../support/secret';

const secret = secretKey.slice(9);

function percentEncoded(text: string): string {
	return [...text].map((one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).join('');
}

describe('the key in a text is masked', () => {
	it.each([
		[secretKey, 'eak_test_***'],
		[`${secretKey}${secretKey}`, 'eak_test_***eak_test_***'],
		[`${secretKey}x`, 'eak_test_***x'],
		[`no key ${secret}`, 'no key eak_test_***'],
		// In part, behind its prefix.
		[`eak_test_${secret.slice(0, 1)}...`, 'eak_test_***...'],
		// In another case, percent-encoded, and escaped.
		[secretKey.toUpperCase(), 'eak_test_***'],
		[`no key ${secret.toLowerCase()}`, 'no key eak_test_***'],
		[secretKey.replaceAll('_', '%5F'), 'eak_test_***'],
		[percentEncoded(secretKey), 'eak_test_***'],
		[percentEncoded(secretKey).toLowerCase(), 'eak_test_***'],
		[String.raw`eak_test_a\\"b/c`, 'eak_test_***', 'eak_test_a"b/c'],
		['eak_test_a%22b%2Fc', 'eak_test_***', 'eak_test_a"b/c'],
		[`a ${liveKey}`, 'a eak_live_***', liveKey],
		// A short secret, behind its prefix alone.
		['wire eak_test_wire', 'wire eak_test_***', 'eak_test_wire'],
	])('%s', (text, expected, key = secretKey) => {
		expect(maskApiKey(text, key)).toBe(expected);
	});

	it.each([
		'keys start with eak_test_ or eak_live_',
		'eak_test_?',
		secret.slice(0, -1),
		secret.slice(1),
	])('what says no more than is public stays: %j', (text) => {
		for (const key of [secretKey, '', 'x', 'eak_test', 'eak_test_']) {
			expect(maskApiKey(text, key)).toBe(text);
		}
	});

	it('wherever it is', () => {
		const text = fc.string({
			unit: fc.constantFrom('a', 'eak_test_', secret.slice(0, 5), 'Z', ' '),
		});
		fc.assert(
			fc.property(text, text, (before, after) => {
				const masked = maskApiKey(`${before} ${secretKey} ${after}`, secretKey);
				expect(masked).toContain(' eak_test_*** ');
				expect(masked).not.toContain(secret);
				expect(maskApiKey(masked, secretKey)).toBe(masked);
			}),
		);
	});
});
