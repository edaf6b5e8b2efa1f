import fc from 'fast-check';

import { maskApiKey } from '../../credentials/maskApiKey';
import { liveKey, secretKey } from '../support/secret';

const secret = secretKey.slice(9);

describe('the key in a text is masked', () => {
	it.each([
		[secretKey, 'eak_test_***'],
		[`${secretKey}${secretKey}`, 'eak_test_***eak_test_***'],
		[`${secretKey}x`, 'eak_test_***x'],
		[`no key ${secret}`, 'no key eak_test_***'],
		// In part: behind its prefix any of it, else so much as says something.
		[`eak_test_${secret.slice(0, 1)}...`, 'eak_test_***...'],
		[secret.slice(0, 8), 'eak_test_***'],
		[secret.slice(1, 9), 'eak_test_***'],
		[secret.slice(2, 10), 'eak_test_***'],
		[secret.slice(3, 11), 'eak_test_***'],
		[secret.slice(4), 'eak_test_***'],
		[`${secret.slice(0, 9)} ${secret.slice(2)}`, 'eak_test_*** eak_test_***'],
		[`${secret.slice(4)} ${secretKey}`, 'eak_test_*** eak_test_***'],
		[`a ${liveKey}`, 'a eak_live_***', liveKey],
		// A short secret, behind its prefix alone.
		['wire eak_test_wire', 'wire eak_test_***', 'eak_test_wire'],
		// A secret that repeats itself, in one piece.
		['an abcdefghij', 'an eak_test_***', 'eak_test_abcdefghij-abcdefgh'],
		['an abcdefghijkl', 'an eak_test_***', 'eak_test_abcdefgh-efghijkl'],
	])('%s', (text, expected, key = secretKey) => {
		expect(maskApiKey(text, key)).toBe(expected);
	});

	it.each([
		'keys start with eak_test_ or eak_live_',
		'eak_test_?',
		secret.slice(0, 7),
		secret.slice(5),
		secret.toLowerCase(),
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
				expect(masked).not.toContain(secret.slice(0, 8));
				expect(maskApiKey(masked, secretKey)).toBe(masked);
			}),
		);
	});
});
