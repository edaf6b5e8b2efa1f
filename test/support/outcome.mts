import type { RunOutput } from './engine.mts';

export function readErrorText({ error }: Pick<RunOutput, 'error'>): string {
	return error === undefined ? '' : `${error.message} ${error.description ?? ''}`;
}

/**
 * The error of each input item, by its index, if On Error is Continue. Message and description are in one text.
 *
 * @throws {Error} if an item came out twice or without its index, or if the run failed
 */
export function listErrors({ items, errorItems, error }: RunOutput): Array<string | undefined> {
	if (error !== undefined) throw error;
	const errors: Array<string | undefined> = [];
	for (const { json, pairedItem } of [...items, ...errorItems]) {
		const index = (pairedItem as { item: number } | undefined)?.item;
		if (index === undefined) throw new Error('an item came out without its index');
		if (index in errors) throw new Error(`item ${index} came out twice`);
		errors[index] = formatError(json.error);
	}
	return errors;
}

function formatError(error: unknown): string | undefined {
	if (error === undefined) return undefined;
	if (typeof error === 'string') return error;
	const { message, description } = error as Record<string, unknown>;
	return [message, description].map((part) => (typeof part === 'string' ? part : '')).join(' ');
}

/** What an error's description says if nothing was sent for its item. */
export const unsent = 'This item was not sent, so it was not debited.';

export const nothingDebited = /was not debited/i;

export const maybeDebited = /may have been debited/i;

export const wasDebited = /was debited|has been debited|was paid/i;

/** A sentence of an error that stops the run, about items that did not fail. */
const aboutOtherItems = /\d+ other items? of this run [^.]*debited[^.]*\./g;

/** What a text says of its own item. */
function removeOtherItems(text: string | undefined): string | undefined {
	return text?.replace(aboutOtherItems, '');
}

/** Expects that a text says nothing was debited, and nothing else about debits except those of other items. */
export function expectNothingDebited(text: string | undefined): void {
	const ownText = removeOtherItems(text);
	expect(ownText).toMatch(nothingDebited);
	expect(ownText).not.toMatch(maybeDebited);
	expect(ownText).not.toMatch(wasDebited);
}

/** Expects that a text says the call was debited, and nothing else about debits except those of other items. */
export function expectDebited(text: string | undefined): void {
	const ownText = removeOtherItems(text);
	expect(ownText).toMatch(wasDebited);
	expect(ownText).not.toMatch(nothingDebited);
	expect(ownText).not.toMatch(maybeDebited);
}

/** Expects that a text says the call may have been debited, and nothing else about debits except those of other items. */
export function expectMaybeDebited(text: string | undefined): void {
	const ownText = removeOtherItems(text);
	expect(ownText).toMatch(maybeDebited);
	expect(ownText).not.toMatch(nothingDebited);
	expect(ownText).not.toMatch(wasDebited);
}
