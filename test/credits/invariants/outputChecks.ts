/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { stringify } from 'flatted';
import type { INodeExecutionData } from 'n8n-workflow';
import { inspect } from 'node:util';

import type { Call, History } from './history';
import { isRefusal } from './reply';

/** What a failed item, or a failed run, says. */
interface Statement {
	try: number;
	item: number;
	text: string;
}

function pairOf({ pairedItem }: INodeExecutionData): number | undefined {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : undefined;
}

function textOf(error: unknown): string {
	const { message, description } = error as { message?: unknown; description?: unknown };
	return `${String(message)} ${String(description ?? '')}`;
}

function errorOf(item: INodeExecutionData): unknown {
	return item.error ?? item.json.error;
}

/** What was said in each try. */
export function statementsOf(history: History): Statement[] {
	return history.tries.flatMap((one, number) => {
		const { error, items } = one;
		const failed = items.flatMap((item, index) =>
			errorOf(item) === undefined
				? []
				: [{ try: number, item: pairOf(item) ?? index, text: textOf(errorOf(item)) }],
		);
		const index = error?.context?.itemIndex;
		return index === undefined
			? failed
			: [...failed, { try: number, item: index, text: textOf(error) }];
	});
}

/** Whether a call may have cost something although it did not succeed. */
function mayBeDebited({ reply }: Call): boolean {
	return reply === undefined || !isRefusal(reply);
}

/** I6: statements about debits are true. */
export function checkDebits(history: History): string[] {
	return statementsOf(history).flatMap(({ item, text, ...statement }) => {
		const calls = history.callsOf(item, statement.try);
		const where = `item ${item} in try ${statement.try} says "${text}"`;
		const saysNothing = /nothing was (sent|debited)|was not sent(?! again)/i.test(text);
		const saysMaybe = /(may have been|was) debited/i.test(text) && !saysNothing;
		return [
			...(saysNothing && calls.length > 0
				? [`I6: ${where}, and ${calls.length} calls of it arrived`]
				: []),
			...(calls.some(mayBeDebited) && !saysMaybe
				? [`I6: ${where}, and its call may have been debited`]
				: []),
		];
	});
}

/** I4: a wallet that the message of a 402 names is the wallet of the key that was sent. */
export function checkWallets(history: History): string[] {
	return statementsOf(history).flatMap(({ item, text, ...statement }) => {
		const cause = Number(/because item (\d+)/.exec(text)?.[1] ?? item);
		const call = history.callsOf(cause, statement.try).at(-1);
		if (call?.reply !== '402') return [];
		const own = call.key.startsWith('eak_test_') ? 'sandbox' : 'live';
		const named = [...text.matchAll(/\b(sandbox|live|production) wallet/gi)].map(
			([, name]) => name,
		);
		return named.length > 0 && named.every((name) => name === own)
			? []
			: [`I4: item ${item} says "${text}", and the key sent was ${call.key}`];
	});
}

/** I4: the key appears in no output and in no error. */
export function checkSecrets(history: History): string[] {
	const saved = stringify(history.output?.run);
	const errors = history.tries.map(({ error, items }) =>
		inspect([error, items.map(({ error: own }) => own)], { depth: 8 }),
	);
	return history.credentials.flat().flatMap(({ key }) => {
		const secret = key.slice('eak_live_'.length);
		return [
			...(saved.includes(secret) ? [`I4: n8n saves the key ${key}`] : []),
			...(errors.some((text) => text.includes(secret)) ? [`I4: an error holds ${key}`] : []),
		];
	});
}

/** I3: every input item yields one output item, paired with it, or the run throws. */
export function checkItems(history: History): string[] {
	const { output, scene, cancelled } = history;
	if (output === undefined) return ['I3: the run hangs'];
	const out = [...output.items, ...output.errorItems];
	if (cancelled) return [];
	if (output.error !== undefined) {
		return history.stopsOnFailure ? [] : [`I3: the run threw: ${output.error.message}`];
	}
	// n8n does not pair the items that it adds for expressions that throw, in the error output.
	const throwing = scene.items.flatMap(({ input }, item) => (input === 'throws' ? [item] : []));
	const unpaired = out.filter((item) => pairOf(item) === undefined);
	const isUnpaired = scene.onError === 'continueErrorOutput' && unpaired.length > 0;
	const expected = scene.items.flatMap((_, item) =>
		isUnpaired && throwing.includes(item) ? [] : [item],
	);
	const pairs = out.flatMap((item) => pairOf(item) ?? []).sort((a, b) => a - b);
	return [
		...(JSON.stringify(pairs) === JSON.stringify(expected)
			? []
			: [`I3: the items came out for ${JSON.stringify(pairs)}`]),
		...(unpaired.length === (isUnpaired ? throwing.length : 0)
			? []
			: [`I3: ${unpaired.length} items came out without a pair`]),
	];
}
