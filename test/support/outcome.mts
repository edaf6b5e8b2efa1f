import type { RunOutput } from './engine.mts';

export function readErrorText({ error }: Pick<RunOutput, 'error'>): string {
	return error === undefined ? '' : `${error.message} ${error.description ?? ''}`;
}

/**
 * The text of the error of each input item, by its index, if On Error is Continue; empty for a success.
 *
 * @throws {Error} if an item came out twice or without its index, or if the run failed
 */
export function listErrors({ items, errorItems, error }: RunOutput): string[] {
	if (error !== undefined) throw error;
	const errors: string[] = [];
	for (const { json, pairedItem } of [...items, ...errorItems]) {
		const index = (pairedItem as { item: number } | undefined)?.item;
		if (index === undefined) throw new Error('an item came out without its index');
		if (index in errors) throw new Error(`item ${index} came out twice`);
		errors[index] = readErrorText(json as Pick<RunOutput, 'error'>);
	}
	return errors;
}

/** What an error's description says if nothing was sent for its item. */
export const unsent = 'This item was not sent, so it was not debited.';

export const nothingDebited = /was not debited/i;

export const maybeDebited = /may have been debited/i;

const wasDebited = /was debited|has been debited|was paid/i;

const statements = [nothingDebited, maybeDebited, wasDebited];

/** A sentence of an error that stops the run, about items that did not fail. */
const aboutOtherItems = /\d+ other items? of this run [^.]*debited[^.]*\./g;

/** Expects that a text makes this statement about its item, and no other one. */
function expectStatement(text: string | undefined, expected: RegExp): void {
	const ownText = text?.replace(aboutOtherItems, '');
	for (const statement of statements) {
		if (statement === expected) expect(ownText).toMatch(statement);
		else expect(ownText).not.toMatch(statement);
	}
}

export const expectNothingDebited = (text: string | undefined) =>
	expectStatement(text, nothingDebited);

export const expectDebited = (text: string | undefined) => expectStatement(text, wasDebited);

export const expectMaybeDebited = (text: string | undefined) => expectStatement(text, maybeDebited);
