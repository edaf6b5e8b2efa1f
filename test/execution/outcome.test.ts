import { sleep } from 'n8n-workflow';

import type { Item } from '../../nodes/VoiceSpeech/execution/item';
import type { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { processItem } from '../../nodes/VoiceSpeech/execution/processItem';
import { ResultCache } from '../../nodes/VoiceSpeech/execution/resultCache';
import { itemWith, newTry, response } from './call';

const parameters: Record<string, unknown> = {
	allowedEnvironment: 'any',
	inputType: 'text',
	text: 'Hello',
};

const credential = { apiKey: 'eak_test_a', environment: 'sandbox', baseUrl: 'https://a.example' };

/** Items that log in `sent` when their call starts, for which the service responds with these statuses. */
function itemsWith(...statuses: number[]) {
	const sent: number[] = [];
	const items = statuses.map((status, index) =>
		itemWith({
			index,
			read: (name, fallback) => parameters[name] ?? fallback,
			readCredential: async () => credential,
			send: async () => {
				sent.push(index);
				return response(status);
			},
		}),
	);
	return { items, sent };
}

/** What becomes of the items, which n8n hands over together. */
async function outcomesOf(items: Item[], runTry: NodeRunTry): Promise<string[]> {
	const outcomes = items.map(async (item) => await processItem(item, runTry));
	runTry.closeGroup();
	return (await Promise.all(outcomes)).map(({ kind }) => kind);
}

const unprepared = async () => await Promise.reject(new Error('expression'));

it.each([
	['the last item is checked last', [5, 4, 3, 2, 1, 6]],
	['the first item is checked last', [6, 1, 2, 3, 4, 5]],
])('starts the calls in the order of the items where %s', async (_when, checkedAfter) => {
	const { items, sent } = itemsWith(...checkedAfter.map(() => 200));
	for (const item of items) {
		item.readCredential = async () => {
			await sleep((checkedAfter[item.index] ?? 0) * 10);
			return credential;
		};
	}
	expect(await outcomesOf(items, newTry())).toEqual(checkedAfter.map(() => 'succeeded'));
	expect(sent).toEqual(checkedAfter.map((_, index) => index));
});

it.each([
	['sends nothing', true, ['notSent', 'failed', 'notSent'], []],
	[
		'sends the others, if it continues on failure,',
		false,
		['succeeded', 'failed', 'succeeded'],
		[0, 2],
	],
])('%s where the check of an item fails', async (_what, stopsOnFailure, outcomes, expected) => {
	const { items, sent } = itemsWith(200, 200, 200);
	items[1]!.readCredential = unprepared;
	const runTry = newTry({ stopsOnFailure });
	expect(await outcomesOf(items, runTry)).toEqual(outcomes);
	expect(sent).toEqual(expected);
	expect(runTry.failure?.item).toBe(stopsOnFailure ? items[1] : undefined);
});

it.each([
	['nothing after a failure', true, 422, ['failed', 'notSent'], [0]],
	['the others after a failure, if it continues,', false, 422, ['failed', 'succeeded'], [0, 1]],
	['nothing after an empty wallet', false, 402, ['failed', 'notSent'], [0]],
])('sends %s of one call', async (_what, stopsOnFailure, status, outcomes, expected) => {
	const { items, sent } = itemsWith(status, 200);
	expect(await outcomesOf(items, newTry({ stopsOnFailure }))).toEqual(outcomes);
	expect(sent).toEqual(expected);
});

describe.each([true, false])('a later try of a run that stops on failure: %s', (stopsOnFailure) => {
	async function afterFirstTry() {
		const { items, sent } = itemsWith(200);
		const results = new ResultCache();
		expect(await outcomesOf(items, newTry({ stopsOnFailure, results }))).toEqual(['succeeded']);
		return { items, sent, next: newTry({ stopsOnFailure, results }) };
	}

	it('does not send an item again that succeeded', async () => {
		const { items, sent, next } = await afterFirstTry();
		expect(await outcomesOf(items, next)).toEqual(['succeeded']);
		expect(sent).toEqual([0]);
	});

	it('does not lose its result where its request cannot be prepared any more', async () => {
		const { items, next } = await afterFirstTry();
		items[0]!.readCredential = unprepared;
		expect(await outcomesOf(items, next)).toEqual(['succeeded']);
		expect(next.ended.aborted).toBe(false);
	});

	it('sends it again where its request has changed', async () => {
		const { items, sent, next } = await afterFirstTry();
		items[0]!.readCredential = async () => ({ ...credential, apiKey: 'eak_test_b' });
		expect(await outcomesOf(items, next)).toEqual(['succeeded']);
		expect(sent).toEqual([0, 0]);
	});
});
