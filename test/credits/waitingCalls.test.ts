import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	CallLog,
	onErrorSettings,
	createNumberedItems,
	type OnErrorChoice,
	type ItemResponder,
} from '../support/calls';
import { useNode, type RunSetup } from '../support/node';
import { speechToTextParameters } from '../support/nodeParameters';
import { listErrors, expectNothingDebited } from '../support/outcome';
import { createWav } from '../support/media/recordings';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
} from '../support/servers/scriptedServer';
import { createDeferred, settleAll } from '../support/waiting';

// test/run/retriedCalls.test.ts tests waits without n8n, and test/credits/invariants.test.ts any order of events.

const node = useNode();
const source = ScriptedServer.use();

const sendAudio = respondWithBytes(createWav(), 'audio/wav');

/**
 * Runs four items with audio from URLs. The audio of the first comes at once. That of the others comes shortly after the
 * response to the first item's call.
 */
async function run(
	respond: ItemResponder,
	onError: OnErrorChoice,
	onStart: RunSetup['onStart'] = () => {},
) {
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
	const { calls } = CallLog.attach(
		node.service,
		(item, earlier) => {
			if (item === 0) response.resolve();
			return respond(item, earlier);
		},
		// Each item's number is its language.
		({ parts }) => Number(parts.find(({ name }) => name === 'language')?.body),
	);
	const audioUrl = `=${source.baseUrl}/{{ $json.number }}`;
	const language = '={{ $json.number }}';
	const output = await node.run(
		{ ...speechToTextParameters, audioSource: 'url', audioUrl, language },
		{ items: createNumberedItems(4), node: onErrorSettings[onError], onStart },
	);
	return { ...output, calls };
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

	it('is not sent while the other call waits to be sent again', async () => {
		const busy = respondWithJson({}, 429, { 'Retry-After': '60' });
		const { calls, status } = await run(
			() => busy,
			'Continue',
			async (cancelRun) => {
				await waitUntil(() => source.requestCount === 4 && source.inProgress === 0);
				await settleAll();
				cancelRun();
			},
		);
		expect(status).toBe('canceled');
		expect(calls).toEqual([0]);
	});
});
