/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';

import { ENDPOINTS } from '../package/endpoints';
import { packageJson, read, ROOT, trackedFiles } from '../package/repository';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { Engine } from '../support/engine';
import { ScriptedServer, sha256, type Answer } from '../support/scriptedServer';
import { wav } from '../support/recordings';
import { expectCall } from '../support/wire';
import { exampleOf, shownItem, shownRequest, type Example } from './example';

/** With EXAMPLES=write the pages get what was sent and what came out. */
const writes = process.env.EXAMPLES === 'write';

const FOLDER = 'docs/operations';

const pageOf = (operation: string) =>
	`${FOLDER}/${operation.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}.md`;

/** What the emulator says in the recording of the examples. */
const spoken = 'Please call me back tomorrow. I love this service!';

let engine: Engine;
let emulator: RunningEmulator;
/** Stands in front of the emulator, and writes down what arrives. */
let recorder: ScriptedServer;
let apiKey: string;
let voiceId: string;
let callWav: Buffer;

/** Passes a request on as it came. */
const passOn: Answer = ({ method, url, headers, body }, response) => {
	const onward = http.request(`${emulator.baseUrl}${url}`, { method, headers }, (answer) => {
		response.writeHead(answer.statusCode ?? 500, answer.headers);
		answer.pipe(response);
	});
	onward.end(body);
};

async function run(parameters: Example['parameters'], item: INodeExecutionData) {
	const credential = { apiKey, environment: 'sandbox', baseUrl: recorder.baseUrl };
	const { items, error } = await engine.run({ parameters, items: [item], credential });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0]!;
}

const file = (bytes: Buffer) => ({ bytes, fileName: 'call.wav', mimeType: 'audio/wav' });

beforeAll(async () => {
	engine = await Engine.start();
	emulator = await startEmulator();
	recorder = await ScriptedServer.start(passOn);
	apiKey = await emulator.createKey('sandbox');
	// The same speech on every machine.
	await emulator.api('PUT', '/settings', { ttsEngine: 'tones' });
	const sample = await engine.item({}, { data: file(wav(10)) });
	const cloned = await run({ resource: 'voice', operation: 'clone', voiceName: 'Anna' }, sample);
	voiceId = String(cloned.json.voice_id);
	const speech = { resource: 'speech', operation: 'textToSpeech', voiceId, text: spoken };
	callWav = await engine.read((await run(speech, { json: {} })).binary?.data);
});

afterAll(async () => {
	await recorder.stop();
	await emulator.stop();
});

beforeEach(() => recorder.reset(passOn));

/** Puts the placeholders that the page explains in place of what differs from run to run. */
function withPlaceholders(text: string): string {
	return text
		.replaceAll(apiKey, '<API_KEY>')
		.replaceAll(sha256(callWav), '<sha256>')
		.replace(/\bvc_[0-9a-f]{12}\b/g, 'vc_<id>')
		.replace(/\btr_[0-9a-f-]{36}\b/g, 'tr_<id>')
		.replace(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, '<time>');
}

/** The item of an example, its file stored as an earlier step would have. */
async function given({ item }: Example): Promise<INodeExecutionData> {
	const json = JSON.parse(
		JSON.stringify(item.json).replaceAll('vc_<id>', voiceId),
	) as INodeExecutionData['json'];
	if (item.binary === undefined) return { json };
	expect(item.binary).toEqual({ data: { fileName: 'call.wav', mimeType: 'audio/wav' } });
	return await engine.item(json, { data: file(callWav) });
}

/** Puts this request and this item into the page. */
function write(page: string, request: string, item: object): void {
	const text = read(page)
		.replace(/(```http\n)[^`]*(```)/, (_all, begin: string, end: string) => begin + request + end)
		.replace(
			/(The item out:\n\n```json\n)[^`]*(```)/,
			(_all, begin: string, end: string) => `${begin}${JSON.stringify(item, null, '\t')}\n${end}`,
		);
	writeFileSync(path.join(ROOT, page), text);
}

describe('the pages of the operations', () => {
	it('are one for each, and one about all of them', () => {
		const pages = trackedFiles.filter((name) => path.dirname(name) === FOLDER);
		const expected = ENDPOINTS.map(({ operation }) => pageOf(operation));
		expect(pages.sort()).toEqual([`${FOLDER}/README.md`, ...expected].sort());
	});

	it('say of the parameters what the node says of them', () => {
		expect(packageJson.scripts.docs).toContain('node scripts/docs.mjs');
		const script = path.join(ROOT, 'scripts', 'docs.mjs');
		// Prints the pages that are not as `npm run docs` makes them.
		expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
	});

	it.each(ENDPOINTS)('$operation: the example', async ({ resource, operation, path: url }) => {
		const page = pageOf(operation);
		const example = exampleOf(page);
		expect(example.parameters).toMatchObject({ resource, operation });

		const result = await run(example.parameters, await given(example));
		expect(recorder.requests).toHaveLength(1);
		const [request] = recorder.requests;
		expectCall(request!, url, apiKey);
		const files = request!.parts.filter(({ fileName }) => fileName !== undefined);
		for (const sent of files) expect(sent.sha256).toBe(sha256(callWav));

		const sent = withPlaceholders(shownRequest(request!));
		const out = JSON.parse(withPlaceholders(JSON.stringify(shownItem(result)))) as object;
		if (writes) write(page, sent, out);
		else expect({ sent: example.request, out: example.result }).toEqual({ sent, out });
	});
});
