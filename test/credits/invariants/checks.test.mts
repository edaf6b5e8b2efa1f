// Each record has one fault, which its rule must find. Otherwise, the interleavings would prove nothing about the rule.
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { RunOutput } from '../../support/engine.mts';
import { findViolations } from './checks.mts';
import { RunRecord, type Action, type Call } from './record.mts';
import { createStatus, success, type Scenario } from './scenario.mts';

const keys = ['eak_test_Zq7xW3vK9mB2', 'eak_test_Hn4cR8tY1pL6'] as const;

const usualScenario: Scenario = {
	items: ([0, 1] as const).map((key) => ({
		input: 'text',
		credential: 'sandbox',
		key,
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
};

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

const createItem = (item: 0 | 1, json: IDataObject = { item }): INodeExecutionData => ({
	json,
	pairedItem: { item },
});

/** What differs from a run whose two items succeed, one after the other. */
interface Fault {
	scenario?: Partial<Scenario>;
	/** The call of the first item, that of the second one, and another one of the first. */
	calls?: Array<Partial<Call>>;
	items?: INodeExecutionData[];
	/** What n8n outputs. */
	output?: object;
	record?: Partial<RunRecord>;
	tryError?: Error;
}

function createRecord(fault: Fault = {}): RunRecord {
	const { items = [createItem(0), createItem(1)], calls = [{}, {}], tryError } = fault;
	const record = new RunRecord(
		{ ...usualScenario, ...fault.scenario },
		keys.map((key) => ({ kind: 'sandbox', key })),
	);
	record.step = 3;
	record.calls.push(...calls.map((changes, at) => createCall(at === 1 ? 1 : 0, changes)));
	record.tries.push({ end: 3, items, error: tryError });
	record.output = { items, errorItems: [], run: {}, ...fault.output } as unknown as RunOutput;
	return Object.assign(record, fault.record);
}

it('a run without a fault violates no rule', () => {
	expect(findViolations(createRecord())).toEqual([]);
});

/** The action that caused the response to the first item. */
const firstAction: Action = { try: 0, step: 1, isAlone: false };

const firstFailure = { ...firstAction, item: 0, refusedKey: undefined };

const stop = { onError: 'stopWorkflow' } as const;

const error = new Error('broken');

it.each<[violation: string, fault: Fault]>([
	['Rule 1: .* item 0 was known to fail', { scenario: { ...stop, allowedEnvironment: 'live' } }],
	['Rule 1: the call of item 0 .* of something else', { calls: [{ key: keys[1] }, {}] }],
	['Rule 1: .* a sandbox key, which', { scenario: { allowedEnvironment: 'live' } }],
	['Rule 2: .* item 1 .* 2 calls were in progress', { calls: [{}, { inProgress: 2 }] }],
	[
		'Rule 3: the call of item 1 .* after item 0 failed',
		{ scenario: stop, record: { failures: [firstFailure] } },
	],
	[
		'Rule 3: the call of item 1 .* after item 0 failed',
		{ record: { failures: [{ ...firstFailure, refusedKey: keys[1] }] } },
	],
	['Rule 3: .* item 1 .* after its try had ended', { calls: [{}, { isLate: true }] }],
	[
		'Rule 4: the call of item 1 .* in the back-off',
		{ record: { backOffs: [{ ...firstAction, until: 100 }] } },
	],
	[
		'Rule 5: the call of item 0 .* after the one in action 1 was paid',
		{ calls: [{}, {}, { step: 3 }] },
	],
	[
		'Rule 5: item 1 came out without its response',
		{
			calls: [{}, { response: { kind: 'unusable' } }],
			items: [createItem(0), createItem(1, { error: { debit: 'debited' } })],
		},
	],
	[
		'Rule 5: the call of item 0 in try 1 .*, and no item had failed in try 0',
		{ scenario: { changesRequests: true }, calls: [{}, {}, { try: 1, step: 4 }] },
	],
	['Rule 6: .* item 1 .* after the cancellation', { record: { canceled: firstAction } }],
	['Rule 8: the run hangs', { record: { output: undefined } }],
	['Rule 8: items came out for 0, 1 in all', { items: [createItem(0)] }],
	['Rule 8: the run threw: broken', { output: { error } }],
	['Rule 8: the run failed without a reason', { scenario: stop, output: { error } }],
	['Rule 8: item 1 failed without', { items: [createItem(0), createItem(1, { error: {} })] }],
	['Rule 8: item 0 came out as ', { items: [createItem(0, { item: 1 }), createItem(1)] }],
	['Masking: n8n saves the key ', { output: { run: { status: keys[0] } } }],
	['Masking: an error contains the key ', { tryError: new Error(`Wrong key ${keys[0]}`) }],
])('the rules find %s', (violation, fault) => {
	const found = expect.stringMatching(`^${violation}`) as string;
	expect(findViolations(createRecord(fault))).toContainEqual(found);
});

it.each<[violation: string, status: number, error: IDataObject]>([
	['says notSent, and 1 calls of it arrived', 400, { debit: 'notSent' }],
	['says that it was refused', 500, { debit: 'refused', message: 'It was debited' }],
	['says that it may have been debited, and all its calls', 400, { debit: 'possible' }],
	['says that it was debited, and no complete response', 500, { debit: 'debited' }],
	['says "2 other items', 400, { description: '2 other items of this run were debited.' }],
	['says "No other item', 400, { description: 'No other item of this run was sent.' }],
	['.*, and 1 calls of it arrived', 400, { description: 'Nothing was debited' }],
	['.*, and its call may have been debited', 500, { description: 'The service failed' }],
	['.*, which must name the sandbox wallet', 402, { message: 'The live wallet is empty' }],
])('the rules find an untrue error: item 1 %s', (violation, status, said) => {
	const record = createRecord({
		calls: [{}, { response: createStatus(status) }],
		items: [createItem(0), createItem(1, { error: said })],
		record: { failures: [{ ...firstFailure, step: 2, item: 1 }] },
	});
	const found = expect.stringMatching(`^Rule 7: item 1 ${violation}`) as string;
	expect(findViolations(record)).toContainEqual(found);
});
