import { respondWithJson } from '../../support/servers/scriptedServer.mts';
import { createVoiceNode } from '../../support/flow.mts';
import { sentimentParameters } from '../../support/nodeParameters.mts';
import type { Instance } from '../instance.mts';
import { createCheck } from '../report.mts';

const createTexts = (...all: string[]) => ({ items: all.map((text) => ({ text, kept: true })) });

/** What becomes of items that fail, under each of n8n's settings for it. */
export function testFailures(version: string, instance: () => Instance): void {
	const check = createCheck(version);
	/** Responds to each text with itself, and refuses the text `bad` at most `times` times. */
	const refuseBad = (status: number, times = Infinity) => {
		const { service } = instance();
		let left = times;
		service.reset((request, response, index) => {
			const { text } = JSON.parse(request.body.toString()) as { text: string };
			if (text !== 'bad' || left <= 0) {
				respondWithJson({ heard: text })(request, response, index);
				return;
			}
			left--;
			const refuse = respondWithJson({ error: { message: 'not this one' } }, status);
			refuse(request, response, index);
		});
	};
	/** Runs the node with these texts. */
	const call = async (all: string[], settings?: Parameters<typeof createVoiceNode>[1]) =>
		await instance().run({
			from: createTexts(...all),
			nodes: [createVoiceNode(sentimentParameters, settings)],
		});
	const failed = { message: expect.stringContaining('not this one') as string };
	const first = { json: { heard: 'a' }, pairedItem: { item: 0 } };
	const last = { json: { heard: 'c' }, pairedItem: { item: 2 } };

	check('A failure stops the workflow with a message', async () => {
		refuseBad(422);
		const sentence = /\(422\): not this one If the service names a field, correct it\./;
		const { status, error } = await call(['a', 'bad']);
		expect({ status, error }).toEqual({ status: 'error', error: expect.stringMatching(sentence) });
	});

	check('On Error: Continue keeps the item, with the error next to its fields', async () => {
		refuseBad(422);
		const { items, error } = await call(['a', 'bad', 'c'], { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		const description = expect.stringContaining(
			'If the service names a field, correct it.',
		) as string;
		const json = { text: 'bad', kept: true, error: { ...failed, description } };
		expect(items('Voice')).toMatchObject([first, { json, pairedItem: { item: 1 } }, last]);
	});

	check('On Error: the error output takes what failed, and nothing else', async () => {
		refuseBad(422);
		const { items, error } = await call(['a', 'bad', 'c'], { onError: 'continueErrorOutput' });
		expect(error).toBeUndefined();
		expect(items('Voice', 0)).toMatchObject([first, last]);
		const json = { text: 'bad', kept: true, error: failed };
		expect(items('Voice', 1)).toMatchObject([{ json }]);
	});

	check('Retry On Fail does not send again what has succeeded', async () => {
		refuseBad(500, 1);
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const { items, error } = await call(['a', 'bad', 'c'], retry);
		expect(error).toBeUndefined();
		const sent = instance().service.requests.map(
			({ body }) => (JSON.parse(body.toString()) as { text: string }).text,
		);
		expect(sent.sort()).toEqual(['a', 'bad', 'bad', 'c']);
		expect(items('Voice').map((item) => item.json.heard as string)).toEqual(['a', 'bad', 'c']);
	});
}
