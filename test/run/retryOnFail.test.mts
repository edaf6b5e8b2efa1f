import type { Item } from '../../nodes/VoiceSpeech/call/item.ts';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createStubItem, stubCredential, otherStubKey, StubAudio } from '../support/stubItem.mts';
import {
	rejectRead,
	failureSettings,
	listKinds,
	readMessages,
	respondWith,
	run,
	StubService,
	type ItemSetup,
} from './stubService.mts';

/** Runs the first try of a node run, and returns a function for each later try. */
async function runFirstTry(stopsOnFailure: boolean, ...setups: ItemSetup[]) {
	const service = new StubService();
	const state = new RunState();
	const items = service.createItems(...setups);
	await run(items, { stopsOnFailure }, state);
	const runAgain = async () => await run(items, { stopsOnFailure }, state);
	return { service, items, runAgain };
}

describe.each(failureSettings)('a later try if the node $onFailure on failure', (row) => {
	const { stopsOnFailure } = row;

	it('does not send an item again that succeeded', async () => {
		const responses = [respondWith(500), respondWith(200)];
		const { service, runAgain } = await runFirstTry(stopsOnFailure, {}, { responses });
		expect(listKinds(await runAgain())).toEqual(['kept', 'succeeded']);
		expect(service.requests).toEqual([0, 1, 1]);
		expect(listKinds(await runAgain())).toEqual(['kept', 'kept']);
		expect(service.requests).toEqual([0, 1, 1]);
	});

	/** An item that fails in the first try. If none did, a later try would read nothing. */
	const failsOnce: ItemSetup = { responses: [respondWith(500), respondWith(200)] };

	it('keeps the result of an item whose request cannot be prepared any more', async () => {
		const { service, items, runAgain } = await runFirstTry(stopsOnFailure, {}, failsOnce);
		(items[0] as Item).readCredential = rejectRead;
		expect(listKinds(await runAgain())).toEqual(['kept', 'succeeded']);
		expect(service.requests).toEqual([0, 1, 1]);
	});

	it('does not look for the file of an item that succeeded', async () => {
		const audio = new StubAudio();
		const { runAgain } = await runFirstTry(stopsOnFailure, { audio }, failsOnce);
		const { checks, openings } = audio;
		expect(listKinds(await runAgain())).toEqual(['kept', 'succeeded']);
		expect(audio).toMatchObject({ checks, openings });
	});

	it('reads nothing if no item failed, and keeps all results', async () => {
		const { service, items, runAgain } = await runFirstTry(stopsOnFailure, {}, {});
		for (const item of items) Object.assign(item, { readCredential: rejectRead });
		expect(listKinds(await runAgain())).toEqual(['kept', 'kept']);
		expect(service.requests).toEqual([0, 1]);
	});

	it('fails an item with the same error whose response arrived completely, but cannot be used', async () => {
		const responses = [respondWith(206), respondWith(200)];
		const { service, items, runAgain } = await runFirstTry(stopsOnFailure, { responses });
		const first = await runAgain();
		expect(await readMessages(first)).toEqual([
			'The service returned only a part of the response (206)',
		]);
		(items[0] as Item).readCredential = rejectRead;
		expect(await readMessages(await runAgain())).toEqual(await readMessages(first));
		expect(service.requests).toEqual([0]);
	});

	it.each([
		{
			what: 'key',
			change: { readCredential: async () => ({ ...stubCredential, apiKey: otherStubKey }) },
		},
		{
			what: 'address',
			change: { readCredential: async () => ({ ...stubCredential, baseUrl: 'https://b.example' }) },
		},
		{ what: 'text', change: { read: createStubItem(analyzeSentiment, { text: 'New' }).read } },
	])('sends an item again whose $what has changed', async ({ change }) => {
		const { service, items, runAgain } = await runFirstTry(stopsOnFailure, {}, failsOnce);
		Object.assign(items[0] as Item, change);
		expect(listKinds(await runAgain())).toEqual(['succeeded', 'succeeded']);
		expect(service.requests).toEqual([0, 1, 0, 1]);
	});

	it('sends items with a key that was refused before', async () => {
		const responses = [respondWith(402), respondWith(200)];
		const { service, runAgain } = await runFirstTry(stopsOnFailure, { responses }, {});
		expect(listKinds(await runAgain())).toEqual(['succeeded', 'succeeded']);
		expect(service.requests).toEqual([0, 0, 1]);
	});
});
