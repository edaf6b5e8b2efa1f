import {
	CallLog,
	respondAfter,
	onErrorSettings,
	createNumberedItems,
	listPairedItems,
	createRange,
	sortNumbers,
	type OnErrorChoice,
	type ItemResponder,
} from '../support/calls';
import { speechToTextParameters, useNode } from '../support/node';
import { listErrors, expectNothingDebited } from '../support/outcome';
import { createWav } from '../support/media/recordings';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
} from '../support/servers/scriptedServer';
import { createDeferred, settleAll, timerTolerance } from '../support/waiting';

// test/run/retriedCalls.test.ts tests the same without n8n, and test/credits/invariants.test.ts in any order of events.

const node = useNode();
const source = ScriptedServer.use();

const sendAudio = respondWithBytes(createWav(), 'audio/wav');

/**
 * Runs four items with audio from URLs. The audio of the first comes at once. That of the others comes shortly after
 * this number of responses to the first item's calls.
 */
async function run(respond: ItemResponder, onError: OnErrorChoice, after = 1) {
	const response = createDeferred();
	source.respond = async (...call) => {
		const isFirst = call[0].url.endsWith('/0');
		if (!isFirst) {
			await response.promise;
			// Node and service share one event loop, so the node has taken the response after these turns.
			await settleAll();
		}
		sendAudio(...call);
	};
	const { calls, times } = CallLog.attach(
		node.service,
		(item, earlier) => {
			if (item === 0 && earlier === after - 1) response.resolve();
			return respond(item, earlier);
		},
		// Each item's number is its language.
		({ parts }) => Number(parts.find(({ name }) => name === 'language')?.body),
	);
	const audioUrl = `=${source.baseUrl}/{{ $json.number }}`;
	const language = '={{ $json.number }}';
	const output = await node.run(
		{ ...speechToTextParameters, audioSource: 'url', audioUrl, language },
		{ items: createNumberedItems(4), node: onErrorSettings[onError] },
	);
	return { ...output, calls, times };
}

const failFirst = (status: number) => (item: number) => (item === 0 ? status : 200);

describe('audio that opens after another item failed', () => {
	it('is not sent if the node stops on failure', async () => {
		const { calls, items, error } = await run(failFirst(400), 'Stop Workflow');
		await settleAll();
		expect(calls).toEqual([0]);
		expect(node.service.requestCount).toBe(1);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(items).toEqual([]);
	});

	it('is not sent with a refused key if the node continues on failure', async () => {
		const output = await run(failFirst(401), 'Continue');
		await settleAll();
		expect(output.calls).toEqual([0]);
		expect(node.service.requestCount).toBe(1);
		const [, ...others] = listErrors(output);
		expect(others).toHaveLength(3);
		others.forEach(expectNothingDebited);
	});
});

/** In seconds. */
const wait = 0.3;

it.each<{ waits: number; onError: OnErrorChoice }>([
	{ waits: 1, onError: 'Continue' },
	{ waits: 2, onError: 'Stop Workflow' },
])(
	"sends audio that opens during back-off $waits of another call after it with On Error '$onError'",
	async ({ waits, onError }) => {
		const busy = respondWithJson({}, 429, { 'Retry-After': String(wait) });
		const respond: ItemResponder = (item, earlier) => (item === 0 && earlier < waits ? busy : 200);
		const output = await run(respond, onError, waits);
		const { calls, times } = output;
		expect(listErrors(output)).toEqual([undefined, undefined, undefined, undefined]);
		expect(sortNumbers(calls)).toEqual([...new Array<number>(waits).fill(0), 0, 1, 2, 3]);
		const tooEarly = calls.filter(
			(item, index) =>
				item !== 0 && (times[index] ?? 0) < (times[0] ?? 0) + waits * wait * 1000 - timerTolerance,
		);
		expect(tooEarly).toEqual([]);
	},
);

it('starts no other call while one waits to be sent again', async () => {
	const busy = respondWithJson({ message: 'Slow down.' }, 429, { 'Retry-After': '0.4' });
	const { items, calls, times } = await node.runItems(6, {
		respond: (item, earlier) =>
			item === 1 && earlier === 0 ? busy : respondAfter(50, respondWithJson({})),
		concurrency: 2,
	});
	expect(listPairedItems(items)).toEqual(createRange(6));
	expect(calls).toHaveLength(7);
	const [first = NaN, , ...later] = times;
	for (const time of later) expect(time - first).toBeGreaterThanOrEqual(400 - timerTolerance);
	expect(node.service.maxInProgress).toBe(2);
});
