import fc from 'fast-check';

import { maskApiKey } from '../../credentials/maskApiKey';
import { liveKey, piecesIn, secretKey } from '../support/secret';

const secret = secretKey.slice(9);

describe('the key in a text is masked', () => {
	it.each([
		[secretKey, 'eak_test_***'],
		[`a ${secretKey} b`, 'a eak_test_*** b'],
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
		[`${secret.slice(4)} ${secret.slice(0, 8)}`, 'eak_test_*** eak_test_***'],
		[`${secret.slice(4)} ${secretKey}`, 'eak_test_*** eak_test_***'],
	])('%s', (text, expected) => {
		expect(maskApiKey(text, secretKey)).toBe(expected);
	});

	it.each([
		'',
		'keys start with eak_test_ or eak_live_',
		'eak_test_?',
		liveKey.slice(0, 9),
		secret.slice(0, 7),
		secret.slice(5),
		secret.toLowerCase(),
	])('what says no more than is public stays: %j', (text) => {
		expect(maskApiKey(text, secretKey)).toBe(text);
	});

	it('with the prefix of its environment', () => {
		expect(maskApiKey(`a ${liveKey}`, liveKey)).toBe('a eak_live_***');
	});

	it.each(['', 'x', 'sk_something', 'eak_test', ' '])(
		'a key that is none masks nothing: %j',
		(key) => {
			const text = `a ${key} b eak_test_x`;
			expect(maskApiKey(text, key)).toBe(text);
		},
	);

	it('of a short secret, behind its prefix alone', () => {
		expect(maskApiKey('wire eak_test_wire', 'eak_test_wire')).toBe('wire eak_test_***');
		expect(maskApiKey('eak_test_ and eak_test_x', 'eak_test_')).toBe('eak_test_ and eak_test_x');
	});

	it('of a secret that repeats itself, in one piece', () => {
		expect(maskApiKey('an abcdefghij', 'eak_test_abcdefghij-abcdefgh')).toBe('an eak_test_***');
		expect(maskApiKey('an abcdefghijkl', 'eak_test_abcdefgh-efghijkl')).toBe('an eak_test_***');
	});

	it('wherever it stands, and nothing else is touched', () => {
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
		fc.assert(
			fc.property(fc.string(), (other) => {
				if (piecesIn(other).length > 0) return;
				expect(maskApiKey(other, secretKey)).toBe(other);
			}),
		);
	});
});
