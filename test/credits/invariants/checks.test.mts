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

it.each<{ violation: RegExp; make(faulty: Faulty): void }>([
	{
		violation: /^Rule 1: the call of item 0 .* item 1 was known to fail$/,
		make({ scenario }) {
			scenario.onError = 'stopWorkflow';
			scenario.items[1]!.input = 'empty';
		},
	},
	{
		violation: /^Rule 1: the call of item 0 .* of something else$/,
		make({ calls }) {
			calls[0].key = keys[1];
		},
	},
	{
		violation: /^Rule 1: .* a sandbox key, which the node does not allow$/,
		make({ scenario }) {
			scenario.allowedEnvironment = 'live';
		},
	},
	{
		violation: /^Rule 2: with the call of item 1 .* 2 calls were in progress$/,
		make({ calls }) {
			calls[1].inProgress = 2;
		},
	},
	{
		violation: /^Rule 3: the call of item 1 .* after item 0 failed/,
		make({ record, scenario }) {
			scenario.onError = 'stopWorkflow';
			record.failures.push(failFirst());
		},
	},
	{
		violation: /^Rule 3: the call of item 1 .* after item 0 failed/,
		make({ record }) {
			record.failures.push(failFirst(keys[1]));
		},
	},
	{
		violation: /^Rule 3: the call of item 1 .* after its try had ended$/,
		make({ calls }) {
			calls[1].isLate = true;
		},
	},
	{
		violation: /^Rule 4: the call of item 1 .* in the back-off/,
		make({ record }) {
			record.backOffs.push({ ...firstAction, until: 100 });
		},
	},
	{
		violation: /^Rule 5: the call of item 0 .* after the one in action 1 was paid$/,
		make({ record }) {
			record.calls.push(createCall(0, { step: 3 }));
		},
	},
	{
		violation: /^Rule 5: item 1 came out without its response/,
		make(faulty) {
			failSecond(faulty, 400, { debit: 'debited' });
			faulty.calls[1].response = { kind: 'unusable' };
		},
	},
	{
		violation: /^Rule 5: the call of item 0 in try 1 .*, and no item had failed in try 0$/,
		make({ record, scenario, items }) {
			scenario.changesRequests = true;
			record.tries.push({ end: 4, items, error: undefined });
			record.calls.push(createCall(0, { try: 1, step: 4 }));
		},
	},
	{
		violation: /^Rule 6: the call of item 1 .* after the cancellation/,
		make({ record }) {
			record.canceled = firstAction;
		},
	},
	{
		violation: /^Rule 7: item 1 says notSent, and 1 calls of it arrived$/,
		make: (faulty) => failSecond(faulty, 400, { debit: 'notSent' }),
	},
	{
		violation: /^Rule 7: item 1 says that it was refused/,
		make: (faulty) => failSecond(faulty, 500, { debit: 'refused', message: 'It was debited' }),
	},
	{
		violation:
			/^Rule 7: item 1 says that it may have been debited, and all its calls were refused$/,
		make: (faulty) => failSecond(faulty, 400, { debit: 'possible' }),
	},
	{
		violation: /^Rule 7: item 1 says that it was debited, and no complete response to it arrived$/,
		make: (faulty) => failSecond(faulty, 500, { debit: 'debited' }),
	},
	{
		violation: /^Rule 7: item 1 says "2 other items of this run were debited/,
		make: (faulty) =>
			failSecond(faulty, 400, { description: 'Wait. 2 other items of this run were debited.' }),
	},
	{
		violation: /^Rule 7: item 1 says "No other item of this run was sent/,
		make: (faulty) =>
			failSecond(faulty, 400, { description: 'No other item of this run was sent.' }),
	},
	{
		violation: /^Rule 7: item 1 .*, and 1 calls of it arrived$/,
		make: (faulty) => failSecond(faulty, 400, { description: 'Nothing was debited' }),
	},
	{
		violation: /^Rule 7: item 1 .*, and its call may have been debited$/,
		make: (faulty) => failSecond(faulty, 500, { description: 'The service failed' }),
	},
	{
		violation: /^Rule 7: item 1 .*, which must name the sandbox wallet and no other, /,
		make: (faulty) => failSecond(faulty, 402, { message: 'The live wallet is empty' }),
	},
	{
		violation: /^Rule 8: the run hangs$/,
		make({ record }) {
			record.output = undefined;
		},
	},
	{
		violation: /^Rule 8: items came out for 0, 1 in all$/,
		make({ items }) {
			items.pop();
		},
	},
	{
		violation: /^Rule 8: the run threw: broken$/,
		make({ output }) {
			output.error = new Error('broken') as typeof output.error;
		},
	},
	{
		violation: /^Rule 8: the run failed without a reason: broken$/,
		make({ scenario, output }) {
			scenario.onError = 'stopWorkflow';
			output.error = new Error('broken') as typeof output.error;
		},
	},
	{
		violation: /^Rule 8: item 1 failed without a reason/,
		make({ items }) {
			items[1]!.json = { error: { message: 'broken' } };
		},
	},
	{
		violation: /^Rule 8: item 0 came out as /,
		make({ items }) {
			items[0]!.json = { item: 1 };
		},
	},
	{
		violation: /^Masking: n8n saves the key /,
		make({ output }) {
			output.run = { status: keys[0] } as unknown as IRun;
		},
	},
	{
		violation: /^Masking: an error contains the key /,
		make({ record }) {
			record.tries[0]!.error = new Error(`Wrong key ${keys[0]}`);
		},
	},
])('the rules find $violation', ({ violation, make }) => {
	const faulty = createRecord();
	make(faulty);
	expect(findViolations(faulty.record)).toContainEqual(expect.stringMatching(violation));
});
