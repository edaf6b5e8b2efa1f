/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { stringify } from 'flatted';
import type { INodeExecutionData } from 'n8n-workflow';
import { inspect } from 'node:util';

import type { Action, Call, RunRecord } from './record';
import { isRefusal } from './scenario';

/** Lists what violates an invariant. */
type Check = (record: RunRecord) => string[];

/** Whether a call arrived because of this action, or of a later one. */
function startedAfter(call: Call, action: Action): boolean {
	return call.step > action.step || (call.step === action.step && action.isAlone);
}

function show(call: Call): string {
	return `the call of item ${call.item} in try ${call.try} after action ${call.step}`;
}

/** I1: no call starts after the run failed, was cancelled, or while a back-off is in effect. */
const checkStarts: Check = ({ backOffs, cancelled, calls, failures, stopsOnFailure }) => {
	const ends = failures.filter((failure) => stopsOnFailure || failure.endsRun);
	return calls.flatMap((call) => {
		const failure = ends.find((one) => one.try === call.try && startedAfter(call, one));
		const wait = backOffs.find(
			(one) => one.try === call.try && startedAfter(call, one) && call.time < one.until - 1,
		);
		const began = [
			...(failure ? [`after item ${failure.item} failed in action ${failure.step}`] : []),
			...(wait ? [`in the back-off since action ${wait.step}`] : []),
			...(cancelled && startedAfter(call, cancelled)
				? [`after the cancellation in action ${cancelled.step}`]
				: []),
			...(call.isLate ? ['after its try had ended'] : []),
		];
		return began.map((when) => `I1: ${show(call)} started ${when}`);
	});
};

/** I1: without continue on failure, nothing is sent if an item is known to fail beforehand. */
const checkGroups: Check = (record) => {
	const { batchSize, items } = record.scenario;
	if (!record.stopsOnFailure) return [];
	return record.tries.flatMap(({ step }, number) => {
		const bad = items.findIndex((_, item) => record.isBad(item, step) && !record.isEdited(item));
		if (bad < 0) return [];
		// With n8n's Batching, items are checked when their batch starts.
		const first = batchSize > 0 ? Math.floor(bad / batchSize) * batchSize : 0;
		return record.calls
			.filter((call) => call.try === number && call.item >= first)
			.map((call) => `I1: ${show(call)} started, and item ${bad} was known to fail`);
	});
};

/** I2: never more than `concurrency` calls in progress. */
const checkConcurrency: Check = ({ calls, scenario }) =>
	calls
		.filter((call) => call.inProgress > scenario.concurrency)
		.map((call) => `I2: with ${show(call)}, ${call.inProgress} calls were in progress`);

/** I4: the key on the wire is the item's own, and the node allows its environment for the item. */
const checkKeys: Check = (record) =>
	record.calls.flatMap((call) => {
		const versions = record.credentials[call.item] ?? [];
		const sent = versions.findIndex(({ key }) => key === call.key);
		const credential = versions[sent];
		if (credential === undefined || credential.step > call.step) {
			return [`I4: ${show(call)} has the key ${call.key} of something else`];
		}
		const begun = record.tries[call.try]?.step ?? 0;
		const replaced = versions[sent + 1];
		return [
			...(record.allows(call.item, credential)
				? []
				: [`I4: ${show(call)} has a ${credential.kind} key, which the node does not allow`]),
			...(replaced && replaced.step <= begun
				? [`I4: ${show(call)} has a key that was replaced before the try`]
				: []),
		];
	});

/** I5: an item whose call succeeded is never sent again. With another key it is another request. */
const checkPaidOnce: Check = ({ calls }) =>
	calls.flatMap((paid, index) =>
		calls
			.slice(index + 1)
			.filter((call) => paid.reply === '200' && call.item === paid.item && call.key === paid.key)
			.map((call) => `I5: ${show(call)} came after the one in action ${paid.step} succeeded`),
	);

/** What the error of an item, or of a run, says. */
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

const errorOf = (item: INodeExecutionData): unknown => item.error ?? item.json.error;

function statementsOf(record: RunRecord): Statement[] {
	return record.tries.flatMap(({ error, items }, number) => {
		const failed = items.flatMap((item, index) =>
			errorOf(item) === undefined ? [] : [{ item: pairOf(item) ?? index, error: errorOf(item) }],
		);
		const index = error?.context?.itemIndex;
		if (index !== undefined) failed.push({ item: index, error });
		return failed.map((one) => ({ try: number, item: one.item, text: textOf(one.error) }));
	});
}

/** I6: statements about debits are true. */
const checkDebits: Check = (record) =>
	statementsOf(record).flatMap(({ item, text, ...statement }) => {
		const calls = record.callsOf(item, statement.try);
		const where = `item ${item} in try ${statement.try} says "${text}"`;
		const saysNothing = /nothing was (sent|debited)|was not sent(?! again)/i.test(text);
		const saysMaybe = /(may have been|was) debited/i.test(text) && !saysNothing;
		const maybe = calls.some(({ reply }) => reply === undefined || !isRefusal(reply));
		return [
			...(saysNothing && calls.length > 0
				? [`I6: ${where}, and ${calls.length} calls of it arrived`]
				: []),
			...(maybe && !saysMaybe ? [`I6: ${where}, and its call may have been debited`] : []),
		];
	});

/** I4: a wallet that the message of a 402 names is the wallet of the key that was sent. */
const checkWallets: Check = (record) =>
	statementsOf(record).flatMap(({ item, text, ...statement }) => {
		const cause = Number(/because item (\d+)/.exec(text)?.[1] ?? item);
		const call = record.callsOf(cause, statement.try).at(-1);
		if (call?.reply !== '402') return [];
		const own = call.key.startsWith('eak_test_') ? 'sandbox' : 'live';
		const named = [...text.matchAll(/\b(sandbox|live|production) wallet/gi)];
		return named.length > 0 && named.every(([, name]) => name === own)
			? []
			: [`I4: item ${item} says "${text}", and the key sent was ${call.key}`];
	});

/** I4: the key appears in no output and in no error. */
const checkSecrets: Check = (record) => {
	const saved = stringify(record.output?.run);
	const errors = record.tries.map(({ error, items }) =>
		inspect([error, items.map(({ error: own }) => own)], { depth: 8 }),
	);
	return record.credentials.flat().flatMap(({ key }) => {
		const secret = key.slice('eak_live_'.length);
		return [
			...(saved.includes(secret) ? [`I4: n8n saves the key ${key}`] : []),
			...(errors.some((text) => text.includes(secret)) ? [`I4: an error holds ${key}`] : []),
		];
	});
};

/** I3: every input item yields one output item, paired with it, or the run throws. */
const checkItems: Check = ({ output, outputItems, scenario, cancelled, stopsOnFailure }) => {
	if (output === undefined) return ['I3: the run hangs'];
	if (cancelled) return [];
	if (output.error !== undefined) {
		return stopsOnFailure ? [] : [`I3: the run threw: ${output.error.message}`];
	}
	// n8n does not pair the items that it adds for expressions that throw, in the error output.
	const unpaired = outputItems.filter((item) => pairOf(item) === undefined).length;
	const omits = scenario.onError === 'continueErrorOutput' && unpaired > 0;
	const expected = [...scenario.items.entries()].flatMap(([item, { input }]) =>
		omits && input === 'throws' ? [] : [item],
	);
	const pairs = outputItems.flatMap((item) => pairOf(item) ?? []).sort((a, b) => a - b);
	return [
		...(JSON.stringify(pairs) === JSON.stringify(expected)
			? []
			: [`I3: the items came out for ${JSON.stringify(pairs)}`]),
		...(unpaired === (omits ? scenario.items.length - expected.length : 0)
			? []
			: [`I3: ${unpaired} items came out without a pair`]),
	];
};

/** Whether anything happened in the last try that may keep this item from its result. */
function hasReason(record: RunRecord, item: number): boolean {
	const last = record.tries.at(-1)?.step ?? 0;
	return (
		record.isBad(item, last) ||
		record.isEdited(item) ||
		record.broken.has(item) ||
		record.cancelled !== undefined ||
		record.failures.some((one) => one.try === record.try && (one.item === item || one.endsRun))
	);
}

/** I3: a run throws, and an item fails, only for a reason. A node that sends nothing violates no other rule. */
const checkReasons: Check = (record) => {
	const { output, outputItems, scenario, cancelled, stopsOnFailure } = record;
	if (output === undefined || cancelled) return [];
	const items = [...scenario.items.keys()];
	if (stopsOnFailure) {
		return output.error === undefined || items.some((item) => hasReason(record, item))
			? []
			: [`I3: the run failed without a reason: ${output.error.message}`];
	}
	return outputItems.flatMap((out) => {
		const item = pairOf(out);
		return item === undefined || errorOf(out) === undefined || hasReason(record, item)
			? []
			: [`I3: item ${item} failed without a reason: ${JSON.stringify(out)}`];
	});
};

/** I3: an item that comes out as a success is the service's response to its own call. */
const checkResults: Check = (record) =>
	(record.output?.items ?? []).flatMap((item) => {
		const index = pairOf(item) ?? -1;
		const isPaid = record.callsOf(index).some(({ reply }) => reply === '200');
		return errorOf(item) !== undefined || (isPaid && item.json.item === index)
			? []
			: [`I3: item ${index} came out as ${JSON.stringify(item.json)}`];
	});

const checks = [
	...[checkStarts, checkGroups, checkConcurrency, checkItems, checkReasons, checkResults],
	...[checkKeys, checkWallets, checkSecrets, checkPaidOnce, checkDebits],
];

/** Every violation of an invariant in this run. */
export function violationsIn(record: RunRecord): string[] {
	return checks.flatMap((check) => check(record));
}
