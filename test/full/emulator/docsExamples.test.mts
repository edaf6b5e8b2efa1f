import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { root } from '../../../dev/lib/root.cjs';
import { useEmulator } from '../../support/emulatorClient.mts';
import { Engine } from '../../support/engine.mts';
import { createWav } from '../../support/media/recordings.mts';
import {
	ScriptedServer,
	computeSha256,
	type RecordedRequest,
} from '../../support/servers/scriptedServer.mts';
import { listBlocks, markdownFiles } from '../../support/markdown.mts';
import { cloneParameters, speechToTextParameters } from '../../support/nodeParameters.mts';

/** The words of the recording in the examples. */
const spoken = 'Please call me back tomorrow. I love this service!';

let engine: Engine;
let voiceId: string;
let callWav: Buffer;

// The same speech on every machine.
const client = useEmulator({ ttsEngine: 'tones' });

/** A proxy in front of the emulator that records the requests. */
const recorder = ScriptedServer.use(({ method, url, headers, body }, response) => {
	const address = `${client.emulator.baseUrl}${url}`;
	const onward = http.request(address, { method, headers }, (upstream) => {
		response.writeHead(upstream.statusCode ?? 500, upstream.headers);
		upstream.pipe(response);
	});
	onward.once('error', () => response.destroy());
	onward.end(body);
});

async function run(parameters: INodeParameters, items: INodeExecutionData[], onError?: string) {
	const { key: apiKey } = client;
	const credential = { apiKey, environment: 'sandbox', baseUrl: recorder.baseUrl };
	const node = onError === undefined ? {} : ({ onError } as object);
	return await engine.run({ parameters, items, credential, node });
}

beforeAll(async () => {
	engine = await Engine.start();
	voiceId = await client.cloneVoice(createWav(10));
	({ body: callWav } = await client.call('text-to-speech', { text: spoken, voice_id: voiceId }));
});

async function createItem(json: IDataObject, bytes = callWav, fileName = 'call.wav') {
	const data = { bytes, fileName, mimeType: 'audio/x' };
	return await engine.createItemWithFiles(json, { data });
}

const createItemOfExample = async (fileName: string) =>
	await createItem({}, readFileSync(path.join(root, 'examples', fileName)), fileName);

/** The blocks of a page's example. */
const listExampleBlocks = (page: string) =>
	listBlocks(page)
		.filter(({ heading }) => heading.startsWith('Example'))
		.map(({ text }) => text) as [string, string, string, string];

const parseShown = <T,>(text: string) => JSON.parse(text.replaceAll('vc_<id>', voiceId)) as T;

/** A shown value as a matcher, in which `…` and identifiers stand for text that differs. */
function toMatcher(value: unknown): unknown {
	if (typeof value === 'string' && /…|^vc_<id>$/.test(value)) {
		const parts = value.split(/…|<id>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		return expect.stringMatching(new RegExp(`^${parts.join('[^]+')}$`)) as unknown;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value).map(([name, inner]) => [name, toMatcher(inner)]);
	return expect.objectContaining(Object.fromEntries(entries) as object) as unknown;
}

/** A request as the pages show it: with two headers, and placeholders. */
function showRequest({ method, url, headers, body, parts }: RecordedRequest): string {
	const type = headers['content-type']!;
	const multipart = parts.map(({ head, body: part, fileName }) => {
		const content = fileName === undefined ? part.toString() : `<bytes of ${fileName}>`;
		return `--<boundary>\n${head.replaceAll('\r\n', '\n')}\n\n${content}\n`;
	});
	return [
		`${method} ${url} HTTP/1.1`,
		`X-API-Key: ${String(headers['x-api-key']).replace(client.key, '<API_KEY>')}`,
		`Content-Type: ${type.replace(/boundary=.+$/, 'boundary=<boundary>')}`,
		'',
		parts.length > 0 ? `${multipart.join('')}--<boundary>--` : body.toString(),
		'',
	].join('\n');
}

/** Its operations make no request. */
const localPage = 'docs/operations/recording.md';

const operationPages = markdownFiles.filter(
	(file) =>
		file.startsWith('docs/operations/') && !file.endsWith('/README.md') && file !== localPage,
);

it(`the example of ${localPage} has the described result, without a request`, async () => {
	const [settings, itemIn, itemOut] = listExampleBlocks(localPage);
	const { json } = parseShown<INodeExecutionData>(itemIn);
	const item = await createItem(json);
	const { items } = await run(parseShown(settings), [item]);
	expect(items).toEqual([toMatcher(JSON.parse(itemOut))]);
	expect(recorder.requests).toEqual([]);
});

it.each(operationPages)('the example of %s has the described result', async (page) => {
	const [settings, itemIn, request, itemOut] = listExampleBlocks(page);
	const { json, binary } = parseShown<INodeExecutionData>(itemIn);
	const item = binary ? await createItem(json) : { json };
	const { items, error } = await run(parseShown(settings), [item]);
	expect(error).toBeUndefined();
	const described = JSON.parse(itemOut) as INodeExecutionData;
	expect(items).toEqual([toMatcher(described)]);
	expect(Object.keys(items[0]!.json).sort()).toEqual(Object.keys(described.json).sort());
	expect(recorder.requests.map(showRequest)).toEqual([request.replaceAll('vc_<id>', voiceId)]);
	const files = recorder.requests[0]!.parts.filter(({ fileName }) => fileName !== undefined);
	for (const sent of files) expect(sent.sha256).toBe(computeSha256(callWav));
});

it.each([
	{ fileName: 'sample.wav', text: spoken },
	// The emulator understands no speech, so it says what it received.
	{ fileName: 'sample.ogg', text: expect.stringMatching(/^Make-believe transcript: /) as string },
])('examples/$fileName can be transcribed', async ({ fileName, text }) => {
	const { items } = await run(speechToTextParameters, [await createItemOfExample(fileName)]);
	expect(items).toMatchObject([{ json: { text } }]);
});

it('examples/voice-sample.mp3 is a good sample for Clone', async () => {
	const item = await createItemOfExample('voice-sample.mp3');
	const { items } = await run(cloneParameters, [item]);
	expect(items).toMatchObject([{ json: { voice_id: expect.any(String) as string } }]);
	expect(items[0]!.json).not.toHaveProperty('sampleWarnings');
});

it.each([
	{ label: 'Continue', onError: 'continueRegularOutput', position: 1 },
	{ label: 'Continue (using error output)', onError: 'continueErrorOutput', position: 0 },
] as const)(
	'the example of docs/credits.md has the described result with On Error: $label',
	async ({ onError, position }) => {
		const [settings, itemsIn, failed] = listExampleBlocks('docs/credits.md');
		const output = await run(parseShown(settings), parseShown(itemsIn), onError);
		const failures = onError === 'continueErrorOutput' ? output.errorItems : output.items;
		expect(failures[position]).toEqual(toMatcher(JSON.parse(failed)));
		expect(output.items).toHaveLength(position === 1 ? 3 : 2);
	},
);
