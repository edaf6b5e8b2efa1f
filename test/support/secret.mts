import { stringify } from 'flatted';
import { inspect } from 'node:util';

/** A key whose parts of four characters appear nowhere by chance. */
export const secretKey = ['eak', 'test', 'Zq7xW3vK9mB2'].join('_');

/** The same key for the other wallet. */
export const liveKey = secretKey.replace('test', 'live');

const secret = secretKey.slice('eak_test_'.length);

/** Parts of four characters of a key's secret that a text contains. */
export function findKeyPieces(text: string, ofSecret = secret): string[] {
	const pieces = Array.from({ length: ofSecret.length - 3 }, (_, at) => ofSecret.slice(at, at + 4));
	return pieces.filter((piece) => text.includes(piece));
}

/**
 * Searches for the key in a value as n8n saves it, and as it is printed, including hidden properties, causes and stacks.
 */
export function expectNoKey(value: unknown): void {
	const printed = inspect(value, {
		depth: Infinity,
		showHidden: true,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
		breakLength: Infinity,
	});
	expect(findKeyPieces(printed)).toEqual([]);
	expect(findKeyPieces(stringify(value))).toEqual([]);
}
