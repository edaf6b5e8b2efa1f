import type { INodeExecutionData } from 'n8n-workflow';

import type { Action, Call, RunRecord } from './record.mts';
import { describeResponse, isPaid, isRefusal, isUsable } from './scenario.mts';

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

const findError = ({ error, json }: INodeExecutionData) =>
	error ?? (json.error as object | undefined);

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
		const hasSuccess = record.listCalls(index).some(({ response }) => isUsable(response));
		if (findError(item) === undefined && !(hasSuccess && item.json.item === index)) {
			yield `Rule 8: item ${index} came out as ${JSON.stringify(item.json)}`;
		}
	}
}

/** Rule 1: the key on the wire is the item's own. */
function* checkKeys({ calls, keys }: RunRecord) {
	for (const call of calls) {
		if (call.key !== keys[call.item]) {
			yield `Rule 1: ${describeCall(call)} has the key ${call.key} of something else`;
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

interface Statement {
	try: number;
	item: number;
	description: string;
	debit: unknown;
}

/** What the error of an item, or of a run, says. */
function listStatements({ tries }: RunRecord): Statement[] {
	return tries.flatMap(({ error, items }, number) => {
		const failed = items.map((item) => [findPairedItem(item), findError(item)] as const);
		return [...failed, [error?.context?.itemIndex, error] as const].flatMap(([item, one]) => {
			if (item === undefined || one === undefined) return [];
			const { description, debit, context } = one as Partial<Statement & { context: Statement }>;
			const said = { description: String(description ?? ''), debit: debit ?? context?.debit };
			return [{ try: number, item, ...said }];
		});
	});
}

/** Whether the node read a refusal. It may not have read one after a cancellation. */
const isReadRefusal = ({ canceled }: RunRecord, { response }: Call): boolean =>
	isRefusal(response) && canceled === undefined;

/** Rule 7: an error counts no item as debited, or possibly debited, whose calls cannot have been. */
function* checkCountsOfOthers(record: RunRecord) {
	for (const { item, description, try: inTry } of listStatements(record)) {
		const calls = record.calls.filter((call) => call.try <= inTry && call.item !== item);
		const countItems = (counted: Call[]) => new Set(counted.map((call) => call.item)).size;
		const succeeded = countItems(calls.filter(({ response }) => isPaid(response)));
		const unrefused = countItems(calls.filter((call) => !isReadRefusal(record, call)));
		const readCount = (pattern: RegExp) => Number(pattern.exec(description)?.[1] ?? 0);
		const debited = readCount(/(\d+) other items? of this run (?:was|were) /);
		const possible = readCount(/(\d+) other items? of this run may /);
		const deniesCalls = description.includes('No other item of this run');
		const hasTooMany = debited > succeeded || debited + possible > unrefused;
		if (hasTooMany || (deniesCalls && calls.length > 0)) {
			yield `Rule 7: item ${item} says "${description}", and of the others ${succeeded} succeeded, ${unrefused} were not refused`;
		}
	}
}

/** Rule 7: the debit status of an error is true. test/n8n/nodeError.test.mts has the sentence of each. */
function* checkDebits(record: RunRecord) {
	for (const { item, debit, try: inTry } of listStatements(record)) {
		const calls = record.listCalls(item).filter((call) => call.try <= inTry);
		const isTrue: Record<string, boolean> = {
			notSent: calls.length === 0,
			refused: calls.length > 0 && calls.every(({ response }) => isRefusal(response)),
			possible: calls.some((call) => !isReadRefusal(record, call)),
			debited: calls.some(({ response }) => isPaid(response)),
		};
		if (isTrue[String(debit)] !== true) {
			const responses = calls.map(({ response }) => response && describeResponse(response));
			yield `Rule 7: item ${item} says ${String(debit)}, and its calls got: ${responses.join()}`;
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
	checkPaidOnce,
	checkDebits,
	checkCountsOfOthers,
];

export const findViolations = (record: RunRecord): string[] =>
	checks.flatMap((check) => [...check(record)]);
