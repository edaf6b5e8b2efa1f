// Each record has one fault, which its rule must find. Otherwise, the interleavings would prove nothing about the rule.
import type { INodeExecutionData, IRun } from 'n8n-workflow';

import { findViolations } from './checks.mts';
import { RunRecord, type Action, type Call } from './record.mts';
import { createStatus, success, type Scenario } from './scenario.mts';

const keys = ['eak_test_Zq7xW3vK9mB2', 'eak_test_Hn4cR8tY1pL6'] as const;

const createScenario = (): Scenario => ({
	items: [0, 1].map((key) => ({
		input: 'text',
		credential: 'sandbox',
		key: key as 0 | 1,
		allowed: 'any',
		openings: [],
		responses: [],
		hasSlowBodies: false,
	})),
	concurrency: 1,
	rateLimitRetries: 0,
	onError: 'continueRegularOutput',
	maxTries: 1,
	changesRequests: false,
	batchSize: 0,
	allowedEnvironment: 'sandbox',
	isCanceled: false,
});

const createCall = (item: 0 | 1, changes: Partial<Call> = {}): Call => ({
	item,
	key: keys[item],
	try: 0,
	step: item + 1,
	time: item,
	isLate: false,
	inProgress: 1,
	isComplete: true,
	response: success,
	...changes,
});

const createOutput = (item: number): INodeExecutionData => ({
	json: { item },
	pairedItem: { item },
});

/** A run whose two items succeed, one after the other. */
function createRecord() {
	const record = new RunRecord(
		createScenario(),
		keys.map((key) => ({ kind: 'sandbox', key })),
	);
	const calls = [createCall(0), createCall(1)] as const;
	const items = [createOutput(0), createOutput(1)];
	record.step = 3;
	record.calls.push(...calls);
	record.tries.push({ end: 3, items, error: undefined });
	const output = { items, errorItems: [], error: undefined, status: 'success', run: {} as IRun };
	record.output = output as NonNullable<RunRecord['output']>;
	return { record, scenario: record.scenario, output: record.output, calls, items };
}

type Faulty = ReturnType<typeof createRecord>;

/** The action that caused the response to the first item. */
const firstAction: Action = { try: 0, step: 1, isAlone: false };

const failFirst = (refusedKey?: string) => ({ ...firstAction, item: 0, refusedKey });

/** Lets the second item fail, with an error that says this. */
function failSecond({ record, calls, items }: Faulty, status: number, error: object) {
	calls[1].response = createStatus(status);
	record.failures.push({ ...firstAction, step: 2, item: 1, refusedKey: undefined });
	items[1]!.json = { error } as INodeExecutionData['json'];
}

it('a run without a fault violates no rule', () => {
	expect(findViolations(createRecord().record)).toEqual([]);
});

/** Makes a record in which the second item fails with this error. */
const failWith = (status: number, error: object) => (faulty: Faulty) =>
	failSecond(faulty, status, error);

it.each<[violation: RegExp, make: (faulty: Faulty) => unknown]>([
	[
		/^Rule 1: the call of item 0 .* item 1 was known to fail$/,
		({ scenario }) => {
			scenario.onError = 'stopWorkflow';
			scenario.items[1]!.input = 'empty';
		},
	],
	[
		/^Rule 1: the call of item 0 .* of something else$/,
		({ calls }) => Object.assign(calls[0], { key: keys[1] }),
	],
	[
		/^Rule 1: .* a sandbox key, which the node does not allow$/,
		({ scenario }) => Object.assign(scenario, { allowedEnvironment: 'live' }),
	],
	[
		/^Rule 2: with the call of item 1 .* 2 calls were in progress$/,
		({ calls }) => Object.assign(calls[1], { inProgress: 2 }),
	],
	[
		/^Rule 3: the call of item 1 .* after item 0 failed/,
		({ record, scenario }) => {
			scenario.onError = 'stopWorkflow';
			record.failures.push(failFirst());
		},
	],
	[
		/^Rule 3: the call of item 1 .* after item 0 failed/,
		({ record }) => record.failures.push(failFirst(keys[1])),
	],
	[
		/^Rule 3: the call of item 1 .* after its try had ended$/,
		({ calls }) => Object.assign(calls[1], { isLate: true }),
	],
	[
		/^Rule 4: the call of item 1 .* in the back-off/,
		({ record }) => record.backOffs.push({ ...firstAction, until: 100 }),
	],
	[
		/^Rule 5: the call of item 0 .* after the one in action 1 was paid$/,
		({ record }) => record.calls.push(createCall(0, { step: 3 })),
	],
	[
		/^Rule 5: item 1 came out without its response/,
		(faulty) => {
			failSecond(faulty, 400, { debit: 'debited' });
			faulty.calls[1].response = { kind: 'unusable' };
		},
	],
	[
		/^Rule 5: the call of item 0 in try 1 .*, and no item had failed in try 0$/,
		({ record, scenario, items }) => {
			scenario.changesRequests = true;
			record.tries.push({ end: 4, items, error: undefined });
			record.calls.push(createCall(0, { try: 1, step: 4 }));
		},
	],
	[
		/^Rule 6: the call of item 1 .* after the cancellation/,
		({ record }) => Object.assign(record, { canceled: firstAction }),
	],
	[/^Rule 7: item 1 says notSent, and 1 calls of it arrived$/, failWith(400, { debit: 'notSent' })],
	[
		/^Rule 7: item 1 says that it was refused/,
		failWith(500, { debit: 'refused', message: 'It was debited' }),
	],
	[
		/^Rule 7: item 1 says that it may have been debited, and all its calls were refused$/,
		failWith(400, { debit: 'possible' }),
	],
	[
		/^Rule 7: item 1 says that it was debited, and no complete response to it arrived$/,
		failWith(500, { debit: 'debited' }),
	],
	[
		/^Rule 7: item 1 says "2 other items of this run were debited/,
		failWith(400, { description: 'Wait. 2 other items of this run were debited.' }),
	],
	[
		/^Rule 7: item 1 says "No other item of this run was sent/,
		failWith(400, { description: 'No other item of this run was sent.' }),
	],
	[
		/^Rule 7: item 1 .*, and 1 calls of it arrived$/,
		failWith(400, { description: 'Nothing was debited' }),
	],
	[
		/^Rule 7: item 1 .*, and its call may have been debited$/,
		failWith(500, { description: 'The service failed' }),
	],
	[
		/^Rule 7: item 1 .*, which must name the sandbox wallet and no other, /,
		failWith(402, { message: 'The live wallet is empty' }),
	],
	[/^Rule 8: the run hangs$/, ({ record }) => Object.assign(record, { output: undefined })],
	[/^Rule 8: items came out for 0, 1 in all$/, ({ items }) => items.pop()],
	[
		/^Rule 8: the run threw: broken$/,
		({ output }) => Object.assign(output, { error: new Error('broken') }),
	],
	[
		/^Rule 8: the run failed without a reason: broken$/,
		({ scenario, output }) => {
			scenario.onError = 'stopWorkflow';
			Object.assign(output, { error: new Error('broken') });
		},
	],
	[
		/^Rule 8: item 1 failed without a reason/,
		({ items }) => Object.assign(items[1]!, { json: { error: { message: 'broken' } } }),
	],
	[/^Rule 8: item 0 came out as /, ({ items }) => Object.assign(items[0]!, { json: { item: 1 } })],
	[
		/^Masking: n8n saves the key /,
		({ output }) => Object.assign(output, { run: { status: keys[0] } }),
	],
	[
		/^Masking: an error contains the key /,
		({ record }) => Object.assign(record.tries[0]!, { error: new Error(`Wrong key ${keys[0]}`) }),
	],
])('the rules find %s', (violation, make) => {
	const faulty = createRecord();
	make(faulty);
	expect(findViolations(faulty.record)).toContainEqual(expect.stringMatching(violation));
});
