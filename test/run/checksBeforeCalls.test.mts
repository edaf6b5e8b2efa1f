import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { createEmptyFileError } from '../../nodes/VoiceSpeech/errors/audioFileError.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createAudio, stubCredential, StubAudio } from '../support/stubItem.mts';
import { waitForever } from '../support/waiting.mts';
import {
	continueOnFailure,
	rejectRead,
	listKinds,
	respondWith,
	run,
	StubService,
} from './stubService.mts';

/** Audio of a file without bytes. */
class EmptyAudio extends StubAudio {
	override async check(): Promise<void> {
		await super.check();
		throw createEmptyFileError('a.wav');
	}
}

it.each([
	{ problem: 'the request of an item cannot be prepared', bad: { readCredential: rejectRead } },
	{ problem: 'the file of an item is empty', bad: { audio: new EmptyAudio() } },
])(
	'sends nothing if $problem, and checks no later item, if the node stops on failure',
	async ({ bad }) => {
		const service = new StubService();
		let laterChecks = 0;
		const later = {
			async readCredential() {
				laterChecks++;
				return stubCredential;
			},
		};
		const items = service.createItems({}, bad, later, bad);
		const outcome = await run(items, { concurrency: 4 });
		expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1 } });
		expect(service.requests).toEqual([]);
		expect(laterChecks).toBe(0);
	},
);

it('sends nothing if the first bytes of a later file cannot be read and the node stops on failure', async () => {
	const service = new StubService();
	const audio = createAudio(async () => await Promise.reject(new Error('gone')));
	const outcome = await run(service.createItems({}, { audio }));
	expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1 } });
	expect(service.requests).toEqual([]);
});

it('closes a file after it has read its first bytes for the check', async () => {
	const service = new StubService();
	const audio = new StubAudio();
	await run(service.createItems({ audio }, { readCredential: rejectRead }));
	expect(service.requests).toEqual([]);
	expect(audio.openings).toBe(1);
	expect(audio.closings).toBe(1);
});

it('closes the file that a check reads when the run is canceled', async () => {
	const service = new StubService();
	const opened: AbortSignal[] = [];
	const audio = createAudio(async (signal) => {
		opened.push(signal);
		return await waitForever();
	});
	const cancel = new AbortController();
	const running = run(service.createItems({ audio }, {}), { cancelSignal: cancel.signal });
	await waitUntil(() => opened.length > 0);
	cancel.abort();
	await running;
	expect(opened.map(({ aborted }) => aborted)).toEqual([true]);
});

it('fails an item with the error of a check that throws unexpectedly', async () => {
	class BrokenState extends RunState {
		override findPaid(): never {
			throw new Error('unexpected');
		}
	}
	const outcome = await run(new StubService().createItems({}), {}, new BrokenState());
	if (outcome.kind !== 'failed') throw new Error('The run did not fail');
	expect((await outcome.failure.errorPromise).message).toBe('unexpected');
});

it('opens the file of a single item once, because its check could save no other call', async () => {
	const service = new StubService();
	const audio = new StubAudio();
	await run(service.createItems({ audio }));
	expect(audio.openings).toBe(1);
	expect(service.requests).toEqual([0]);
});

it('fetches audio from a URL only after the calls of earlier items', async () => {
	const service = new StubService();
	let fetches = 0;
	const parameters = {
		inputType: 'audio',
		audioSource: 'url',
		audioUrl: 'https://example.com/a.wav',
	};
	const fromUrl = {
		parameters,
		createAudioFetcher: () => async () => {
			fetches++;
			return await Promise.reject(new Error('no server'));
		},
	};
	await run(service.createItems({ responses: [respondWith(422)] }, fromUrl));
	expect(service.requests).toEqual([0]);
	expect(fetches).toBe(0);
});

it('does not check files before the first call if the node continues on failure', async () => {
	const service = new StubService();
	const audio = new EmptyAudio();
	const outcome = await run(service.createItems({}, { audio }), continueOnFailure);
	expect(listKinds(outcome)).toEqual(['succeeded', 'succeeded']);
	expect(audio.checks).toBe(0);
});
