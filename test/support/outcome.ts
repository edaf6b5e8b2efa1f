import type { RunOutput } from './engine';

/** The output for one input item. */
export interface Outcome {
	json: RunOutput['items'][number]['json'];
	/** Message and description of its error in one text; undefined for a success. */
	error: string | undefined;
}

export function errorText({ error }: Pick<RunOutput, 'error'>): string {
	return error === undefined ? '' : `${error.message} ${error.description ?? ''}`;
}

/**
 * The output for each input item, by its index, with continue on failure.
 *
 * @throws Error if an item came out twice, or if the run failed
 */
export function outcomesOf(output: RunOutput): Outcome[] {
	if (output.error !== undefined) throw output.error;
	const outcomes: Outcome[] = [];
	for (const { json, pairedItem } of [...output.items, ...output.errorItems]) {
		const index = (pairedItem as { item: number } | undefined)?.item ?? NaN;
		if (outcomes[index] !== undefined) throw new Error(`item ${index} came out twice`);
		outcomes[index] = { json, error: textOf(json.error) };
	}
	return outcomes;
}

function textOf(error: unknown): string | undefined {
	if (error === undefined) return undefined;
	if (typeof error === 'string') return error;
	const { message, description } = error as Record<string, unknown>;
	return [message, description].map((part) => (typeof part === 'string' ? part : '')).join(' ');
}

export const nothingDebited = /nothing was debited/i;

export const maybeDebited = /may have been debited/i;

export const wasDebited = /was debited|has been debited|was paid/i;

/** Says that nothing was debited, and nothing else about debits. */
export function expectNothingDebited(text: string | undefined): void {
	expect(text).toMatch(nothingDebited);
	expect(text).not.toMatch(maybeDebited);
}

/** Says that the call may have been debited, and nothing else about debits. */
export function expectMaybeDebited(text: string | undefined): void {
	expect(text).toMatch(maybeDebited);
	expect(text).not.toMatch(nothingDebited);
}
