import type { IBinaryData, INodeParameters } from 'n8n-workflow';

import { onErrorSettings } from '../support/calls.mts';
import { n8n } from '../support/n8n.mts';
import { nodeKey, recording, useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { expectDebited, expectMaybeDebited, readErrorText } from '../support/outcome.mts';
import { rawSamples, createWav } from '../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	computeSha256,
	type Responder,
} from '../support/servers/scriptedServer.mts';

// test/response tests what is JSON, audio or text.

const node = useNode();

const masked = 'eak_test_***';

it.each<{ what: string; respond: Responder; parameters: INodeParameters; expected: object }>([
	{
		what: 'an object, unchanged',
		respond: respondWithJson({ text: 'a', nested: { list: [1, 'b', null, true] }, empty: {} }),
		parameters: speechToTextParameters,
		expected: { text: 'a', nested: { list: [1, 'b', null, true] }, empty: {} },
	},
	{
		what: 'an array under data, without a key',
		respond: respondWithJson([{ [nodeKey]: `your ${nodeKey}!` }, 2]),
		parameters: speechToTextParameters,
		expected: { data: [{ [masked]: `your ${masked}!` }, 2] },
	},
	{
		what: 'text under data, without a key',
		respond: respondWithBytes(`for\n ${nodeKey}.\n`, 'text/plain'),
		parameters: undocumentedParameters,
		expected: { data: `for\n ${masked}.\n` },
	},
	{
		what: 'nothing, with status 204',
		respond: respondWithBytes('', undefined, 204),
		parameters: undocumentedParameters,
		expected: {},
	},
])('outputs $what, and keeps only the input file', async ({ respond, parameters, expected }) => {
	node.service.respond = respond;
	const { items } = await node.runOnce({ ...parameters, options: { keepInputFiles: true } });
	expect(items.map((item) => item.json)).toEqual([expected]);
	expect(computeSha256(await node.engine.readFile(items[0]?.binary?.data))).toBe(
		computeSha256(recording),
	);
});

it.each([
	{
		what: 'WAV',
		parameters: textToSpeechParameters,
		body: createWav(),
		contentType: 'application/json',
		json: { fileName: 'speech.wav', mimeType: 'audio/wav', voiceId: 'vc_1', characters: 5 },
		hints: [],
	},
	{
		what: 'samples that are declared as WAV',
		parameters: textToSpeechParameters,
		body: rawSamples,
		contentType: 'audio/wav',
		json: {
			fileName: 'speech.wav',
			mimeType: 'audio/wav',
			voiceId: 'vc_1',
			characters: 5,
			formatWarning:
				'The format of this audio was not recognized: ask your provider how it is encoded.',
		},
		hints: [
			'Items whose audio has a format that was not recognized: 1 of 1. Ask your provider how it is encoded',
		],
	},
	{
		what: 'samples without a type',
		parameters: undocumentedParameters,
		body: rawSamples,
		contentType: undefined,
		json: { fileName: 'audio.bin', mimeType: 'application/octet-stream' },
		hints: [],
	},
])('stores every byte of $what', async ({ parameters, body, contentType, json, hints }) => {
	node.service.respond = respondWithBytes(body, contentType);
	const { items, run } = await node.runOnce(parameters);
	expect(items.map((item) => item.json)).toEqual([{ ...json, bytes: body.length }]);
	const { fileName, mimeType } = json;
	expect(items[0]?.binary?.data).toMatchObject({ fileName, mimeType });
	expect(computeSha256(await node.engine.readFile(items[0]?.binary?.data))).toBe(
		computeSha256(body),
	);
	const [task] = run.data.resultData.runData['Voice and Speech'] ?? [];
	expect((task?.hints ?? []).map(({ message }) => message)).toEqual(hints);
});

const page = `<html>${nodeKey}${'語'.repeat(100_000)}`;

const unusable = [
	{
		name: 'JSON instead of audio',
		parameters: textToSpeechParameters,
		body: '{"audio":"UklGRg=="}',
		contentType: 'application/json',
		found: 'JSON instead of audio',
		quote: `The response starts with '{"audio":"UklGRg=="}'.`,
		facts: { debit: 'debited', responseText: '{"audio":"UklGRg=="}' },
	},
	{
		name: 'audio instead of JSON',
		parameters: speechToTextParameters,
		body: createWav(),
		contentType: 'audio/wav',
		found: 'WAV instead of JSON',
		quote: "The Content-Type of the response is 'audio/wav'.",
		facts: { debit: 'debited' },
	},
	{
		// A web page comes from something in between, so it does not prove that the call was debited.
		name: 'a long page that repeats the key',
		parameters: textToSpeechParameters,
		body: page,
		contentType: 'audio/wav',
		found: 'HTML instead of audio',
		quote: `The response starts with '${masked}${'語'.repeat(200 - masked.length)}…'.`,
		facts: { debit: 'possible', responseText: page.replace(nodeKey, masked) },
	},
];

describe.each(unusable)('$name', ({ parameters, body, contentType, found, quote, facts }) => {
	it.each(Object.entries(onErrorSettings))("is kept with On Error '%s'", async (_, settings) => {
		node.service.respond = respondWithBytes(body, contentType);
		const { items, errorItems, error, run } = await node.run(parameters, { node: settings });
		expect(node.service.requestCount).toBe(1);
		expect(JSON.stringify(run)).not.toContain(nodeKey);
		const [item] = [...items, ...errorItems];
		if (item === undefined) {
			expect(error).toMatchObject({
				message: `The service returned ${found}`,
				description: expect.stringMatching(
					/^Check the credential's 'Base URL', then ask your provider\./,
				) as string,
				context: facts,
			});
			// The quote comes last, so that it cannot hide what is known of the debit.
			expect(error?.description).toContain(quote);
			expect(error?.description).toMatch(/ debited(: .+ again)?\. The (response|Content-Type) /);
			const expectDebit = facts.debit === 'debited' ? expectDebited : expectMaybeDebited;
			expectDebit(readErrorText({ error }));
			return;
		}
		const text = {
			message: expect.any(String) as string,
			description: expect.any(String) as string,
		};
		expect(item.json.error).toEqual({ ...text, ...facts });
		const { data, response, ...others } = item.binary ?? {};
		expect(others).toEqual({});
		expect((await node.engine.readFile(data)).equals(recording)).toBe(true);
		if (typeof body === 'string') {
			expect(response).toBeUndefined();
			return;
		}
		expect(response?.fileName).toBe('response.wav');
		expect((await node.engine.readFile(response)).equals(body)).toBe(true);
	});
});

if (n8n.hasCombinedBinaryMode === true) {
	it('an unusable file is a field of the error for the error output with files in json', async () => {
		node.service.respond = respondWithBytes(createWav(), 'audio/wav');
		const { items, errorItems } = await node.run(speechToTextParameters, {
			node: onErrorSettings['Continue (using error output)'],
			settings: { binaryMode: 'combined' },
		});
		expect(items).toEqual([]);
		const [item] = errorItems;
		const { responseFile } = item?.json.error as { responseFile: IBinaryData };
		expect((await node.engine.readFile(responseFile)).equals(createWav())).toBe(true);
	});
}
