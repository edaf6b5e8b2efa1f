/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { stringify } from 'flatted';
import { inspect } from 'node:util';

/** A key no four characters of which stand anywhere by chance. */
export const secretKey = ['eak', 'test', 'Zq7xW3vK9mB2'].join('_');

/** The same for the other wallet. */
export const liveKey = secretKey.replace('test', 'live');

const secret = secretKey.slice('eak_test_'.length);

const pieces = Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4));

/** Pieces of the key's secret part in a text. */
export function piecesIn(text: string): string[] {
	return pieces.filter((piece) => text.includes(piece));
}

/**
 * Looks for the key in everything that is to be had of a value: what n8n saves of it, and what a person would see who
 * prints it, hidden properties, causes and stacks included.
 */
export function expectNoKey(value: unknown): void {
	const printed = inspect(value, {
		depth: Infinity,
		showHidden: true,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
		breakLength: Infinity,
	});
	expect(piecesIn(printed)).toEqual([]);
	expect(piecesIn(stringify(value))).toEqual([]);
}
