import { stringify } from 'flatted';
import type { INodeExecutionData } from 'n8n-workflow';
import { inspect } from 'node:util';

import type { Action, Call, RunRecord } from './record.mts';
import { hasStatus, isPaid, isRefusal, isSuccess } from './scenario.mts';
import { createUnusableBody } from './simulation.mts';

/* The numbers of rules are those of docs/credits.md. */

/** Whether a call arrived because of this action, or of a later one. */
const hasStartedAfter = (call: Call, { step, isAlone }: Action) =>
	call.step > step || (call.step === step && isAlone);

const describeCall = (call: Call) =>
	`the call of item ${call.item} in try ${call.try} after action ${call.step}`;

/** No call starts after the run failed (rule 3), during a back-off (rule 4), or after the run was canceled (rule 6). */
function* checkStarts({ backOffs, canceled, calls, failures, stopsOnFailure }: RunRecord) {
	for (const call of calls) {
		const isAfter = (one: Action) => one.try === call.try && hasStartedAfter(call, one);
		for (const one of failures) {
			const isStopped = stopsOnFailure || one.refusedKey === call.key;
			if (isStopped && isAfter(one)) {
				yield `Rule 3: ${describeCall(call)} started after item ${one.item} failed in action ${one.step}`;
			}
		}
		for (const one of backOffs) {
			if (isAfter(one) && call.time < one.until - 1) {
				yield `Rule 4: ${describeCall(call)} started in the back-off since action ${one.step}`;
			}
		}
		if (canceled && hasStartedAfter(call, canceled)) {
			yield `Rule 6: ${describeCall(call)} started after the cancellation in action ${canceled.step}`;
		}
		if (call.isLate) yield `Rule 3: ${describeCall(call)} started after its try had ended`;
	}
}

/** Rule 1: if On Error is Stop Workflow, nothing is sent if an item is known to fail beforehand. */
function* checkKnownFailures(record: RunRecord) {
	const bad = record.scenario.items.findIndex((_, item) => record.isKnownToFail(item));
	if (bad < 0 || !record.stopsOnFailure) return;
	for (const call of record.calls) {
		yield `Rule 1: ${describeCall(call)} started, and item ${bad} was known to fail`;
	}
}

/** Rule 2: never more than `concurrency` calls in progress. */
function* checkConcurrency({ calls, scenario }: RunRecord) {
	for (const call of calls) {
		if (call.inProgress > scenario.concurrency) {
			yield `Rule 2: with ${describeCall(call)}, ${call.inProgress} calls were in progress`;
		}
	}
}

const findPairedItem = ({ pairedItem }: INodeExecutionData) =>
	typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : undefined;

/** A field `error` of the service's response is not an object here. */
function findError({ error, json }: INodeExecutionData): object | undefined {
	if (error !== undefined) return error;
	return typeof json.error === 'object' && json.error !== null ? json.error : undefined;
}

/** Rule 8: every input item yields one output item, paired with it, or the run throws. A cancellation changes nothing. */
function* checkItems({ output, outputItems, scenario, stopsOnFailure }: RunRecord) {
	if (output === undefined) yield 'Rule 8: the run hangs';
	if (output === undefined) return;
	if (output.error !== undefined) {
		if (!stopsOnFailure) yield `Rule 8: the run threw: ${output.error.message}`;
		return;
	}
	const paired = outputItems.flatMap((item) => findPairedItem(item) ?? []).sort((a, b) => a - b);
	const expected = [...scenario.items.keys()];
	if (String(paired) !== String(expected) || outputItems.length !== scenario.items.length) {
		yield `Rule 8: items came out for ${String(paired)}, ${outputItems.length} in all`;
	}
}

/** Rule 8: a run throws, and an item fails, only for a reason. A node that sends nothing violates no other rule. */
function* checkReasons(record: RunRecord) {
	const { output, outputItems, scenario, canceled, stopsOnFailure } = record;
	if (output === undefined || canceled) return;
	if (stopsOnFailure) {
		const hasReason = scenario.items.some((_, item) => record.hasReason(item));
		if (output.error && !hasReason) {
			yield `Rule 8: the run failed without a reason: ${output.error.message}`;
		}
		return;
	}
	for (const out of outputItems) {
		const item = findPairedItem(out);
		if (item !== undefined && findError(out) !== undefined && !record.hasReason(item)) {
			yield `Rule 8: item ${item} failed without a reason: ${JSON.stringify(out)}`;
		}
	}
}

/** Rule 8: an item that comes out as a success is the service's response to its own call. */
function* checkResults(record: RunRecord) {
	for (const item of record.output?.items ?? []) {
		const index = findPairedItem(item) ?? -1;
		const hasSuccess = record.listCalls(index).some(({ response }) => isSuccess(response));
		if (findError(item) === undefined && !(hasSuccess && item.json.item === index)) {
			yield `Rule 8: item ${index} came out as ${JSON.stringify(item.json)}`;
		}
	}
}

/** Rule 1: the key on the wire is the item's own, and the node allows its environment for the item. */
function* checkKeys(record: RunRecord) {
	for (const call of record.calls) {
		const credential = record.credentials[call.item];
		if (credential?.key !== call.key) {
			yield `Rule 1: ${describeCall(call)} has the key ${call.key} of something else`;
		} else if (!record.allows(call.item, credential.kind)) {
			yield `Rule 1: ${describeCall(call)} has a ${credential.kind} key, which the node does not allow`;
		}
	}
}

/** The key appears in no output and in no error (docs/security.md). */
function* checkSecrets(record: RunRecord) {
	const saved = stringify(record.output?.run);
	const errors = record.tries.map(({ error, items }) =>
		inspect([error, items.map(({ error: own }) => own)], { depth: 8 }),
	);
	for (const { key } of record.credentials) {
		const secret = key.slice('eak_live_'.length);
		if (saved.includes(secret)) yield `Masking: n8n saves the key ${key}`;
		if (errors.some((text) => text.includes(secret))) {
			yield `Masking: an error contains the key ${key}`;
		}
	}
}

/** Rule 5: an item whose complete response arrived is not sent again, unless a later try changes its request. */
function* checkPaidOnce({ calls, scenario }: RunRecord) {
	for (const [index, paid] of calls.entries()) {
		for (const call of calls.slice(index + 1)) {
			const isSameRequest = call.try === paid.try || !scenario.changesRequests;
			if (isPaid(paid.response) && call.item === paid.item && isSameRequest) {
				yield `Rule 5: ${describeCall(call)} came after the one in action ${paid.step} was paid`;
			}
		}
	}
}

/** Rule 5: after a try in which no item failed, nothing is sent any more. */
function* checkTriesAfterSuccess({ calls, scenario, tries }: RunRecord) {
	const first = tries.findIndex(
		({ items, error }) =>
			error === undefined &&
			items.length === scenario.items.length &&
			items.every((item) => findError(item) === undefined),
	);
	if (first < 0) return;
	for (const call of calls.filter((one) => one.try > first)) {
		yield `Rule 5: ${describeCall(call)} started, and no item had failed in try ${first}`;
	}
}

/** The last complete response of an item that the node could not use is in its output item, as a file. */
function* checkUnusable(record: RunRecord) {
	if (record.stopsOnFailure) return;
	for (const output of record.outputItems) {
		const item = findPairedItem(output) ?? -1;
		const last = record.listCalls(item).at(-1);
		if (last?.response?.kind !== 'unusable' || record.canceled || record.broken.has(item)) continue;
		const body = createUnusableBody(item).toString('base64');
		if (output.binary?.response?.data !== body) {
			yield `Rule 5: item ${item} came out without its response: ${JSON.stringify(output)}`;
		}
	}
}

/** An error of the node, or of an output item. */
interface Statement {
	message?: unknown;
	description?: unknown;
	debit?: unknown;
	context?: { debit?: unknown };
}

interface ReadStatement {
	try: number;
	item: number;
	text: string;
	/** What it says about the other items of the run; empty if it says nothing. */
	others: string;
	fact: unknown;
}

/** What the error of an item, or of a run, says. */
function listStatements(record: RunRecord): ReadStatement[] {
	return record.tries.flatMap(({ error, items }, number) => {
		const failed = items.map(
			(item, index) => [findPairedItem(item) ?? index, findError(item)] as const,
		);
		return [...failed, [error?.context?.itemIndex, error] as const].flatMap(([item, one]) => {
			if (item === undefined || one === undefined) return [];
			const { message, description, debit, context } = one as Statement;
			const whole = String(description ?? '');
			const start = whole.search(/(?:\d+|No) other items? of this run /);
			const own = start < 0 ? whole : whole.slice(0, start);
			const others = start < 0 ? '' : whole.slice(start);
			const fact = debit ?? context?.debit;
			return [{ try: number, item, text: `${String(message)} ${own}`, others, fact }];
		});
	});
}

/** Whether the node read a refusal. It may not have read one after a cancellation, or while the audio ended early. */
function isReadRefusal(record: RunRecord, { item, response }: Call): boolean {
	return isRefusal(response) && record.canceled === undefined && !record.broken.has(item);
}

/** Rule 7: an error counts no item as debited, or possibly debited, whose calls cannot have been. */
function* checkCountsOfOthers(record: RunRecord) {
	for (const { item, others, try: inTry } of listStatements(record)) {
		const calls = record.calls.filter((call) => call.try <= inTry && call.item !== item);
		const countItems = (counted: Call[]) => new Set(counted.map((call) => call.item)).size;
		const succeeded = countItems(calls.filter(({ response }) => isPaid(response)));
		const unrefused = countItems(calls.filter((call) => !isReadRefusal(record, call)));
		const debited = Number(/(\d+) other items? of this run (?:was|were) /.exec(others)?.[1] ?? 0);
		const possible = Number(/(\d+) other items? of this run may /.exec(others)?.[1] ?? 0);
		const deniesCalls = others.startsWith('No other item');
		if (
			debited > succeeded ||
			debited + possible > unrefused ||
			(deniesCalls && calls.length > 0)
		) {
			yield `Rule 7: item ${item} says "${others}", and of the others ${succeeded} succeeded, ${unrefused} were not refused`;
		}
	}
}

/** Rule 7: statements about debits are true, and the message of a 402 names the wallet of the key that was sent. */
function* checkStatements(record: RunRecord) {
	for (const { item, text, fact, try: inTry } of listStatements(record)) {
		const all = record.listCalls(item).filter((call) => call.try <= inTry);
		if ((fact === 'notSent') !== (all.length === 0)) {
			yield `Rule 7: item ${item} says ${String(fact)}, and ${all.length} calls of it arrived`;
		}
		if (fact === 'refused' && all.some(({ response }) => !isRefusal(response))) {
			yield `Rule 7: item ${item} says that it was refused, and a call may have been debited`;
		}
		if (fact === 'possible' && all.every((call) => isReadRefusal(record, call))) {
			yield `Rule 7: item ${item} says that it may have been debited, and all its calls were refused`;
		}
		if (fact === 'debited' && !all.some(({ response }) => isPaid(response))) {
			yield `Rule 7: item ${item} says that it was debited, and no complete response to it arrived`;
		}
		const calls = record.listCalls(item, inTry);
		const where = `item ${item} in try ${inTry} says "${text}"`;
		const deniesDebit = /nothing was (sent|debited)|was not sent(?! again)/i.test(text);
		const warnsOfDebit = /(may have been|was) debited/i.test(text) && !deniesDebit;
		const mayBeDebited = calls.some(({ response }) => !isRefusal(response));
		if (deniesDebit && calls.length > 0) {
			yield `Rule 7: ${where}, and ${calls.length} calls of it arrived`;
		}
		if (mayBeDebited && !warnsOfDebit) {
			yield `Rule 7: ${where}, and its call may have been debited`;
		}

		const cause = Number(/because item (\d+)/.exec(text)?.[1] ?? item);
		const call = record.listCalls(cause, inTry).at(-1);
		if (call === undefined || !hasStatus(call.response, 402)) continue;
		const own = call.key.startsWith('eak_test_') ? 'sandbox' : 'live';
		const named = [...text.matchAll(/\b(sandbox|live|production) wallet/gi)];
		if (named.length === 0 || named.some(([, name]) => name !== own)) {
			yield `Rule 7: ${where}, which must name the ${own} wallet and no other, because the key sent was ${call.key}`;
		}
	}
}

const checks = [
	checkStarts,
	checkKnownFailures,
	checkConcurrency,
	checkItems,
	checkReasons,
	checkResults,
	checkKeys,
	checkSecrets,
	checkPaidOnce,
	checkTriesAfterSuccess,
	checkUnusable,
	checkStatements,
	checkCountsOfOthers,
];

export const findViolations = (record: RunRecord): string[] =>
	checks.flatMap((check) => [...check(record)]);
