import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import { createForm } from '../../support/createForm.mts';
import { downloadFile } from '../../support/executions.mts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import { createWav } from '../../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	computeSha256,
} from '../../support/servers/scriptedServer.mts';
import { createNode, createVoiceNode, publishFlow } from '../../support/flow.mts';
import {
	getDetailsParameters,
	speechToTextParameters,
	textToSpeechParameters,
} from '../../support/nodeParameters.mts';
import { instance, service } from '../instance.mts';
import type { Check } from '../report.mts';

/** About 4 MB, which are many chunks regardless of where n8n keeps the file. */
const recording = createWav(120);

/** The files of an item, next to its fields or among them. */
function collectFiles({ json, binary }: INodeExecutionData): IBinaryKeyData {
	return { ...binary, ...(json._files as IBinaryKeyData | undefined) };
}

/** How a workflow keeps its files; the name is for the lines of the table. */
export const plain = { name: 'Files', settings: {} };
/** As fields, which older versions of n8n ignore. n8n 2.41.1 does not publish a form then, so no check has one. */
export const combined = { name: 'Files, "combined"', settings: { binaryMode: 'combined' } };

/** Writes a file into the folder of the n8n that runs; returns the source of items that reads it. */
async function createSource(name: string, content: Buffer) {
	const files = path.join(instance.demo.files, name);
	await writeFile(files, content);
	return { files };
}

/** Files in and out, as this n8n keeps them. */
export function testRoundTrip({ name, settings }: typeof plain, check: Check) {
	check(`${name}: read, uploaded byte for byte, and kept`, async () => {
		service.respond = respondWithJson({ text: 'spoken' });
		const from = await createSource('upload.wav', recording);
		const others = { language: 'en', options: { keepInputFiles: true } };
		const nodes = [createVoiceNode({ ...speechToTextParameters, ...others })];
		const { items } = await instance.runToEnd({ from, nodes, settings });
		const [request] = service.requests;
		const [file, language] = request!.parts;
		expect(file).toMatchObject({ name: 'file', fileName: 'upload.wav' });
		expect(file!.sha256).toBe(computeSha256(recording));
		expect(language!.body.toString()).toBe('en');
		expect(Number(request!.headers['content-length'])).toBe(request!.body.length);
		const [item] = items('Voice');
		expect(item).toMatchObject({ json: { text: 'spoken' }, pairedItem: { item: 0 } });
		const kept = await downloadFile(instance.rest, collectFiles(item!).data);
		expect(computeSha256(kept)).toBe(computeSha256(recording));
	});

	check(`${name}: audio that comes back, byte for byte`, async () => {
		service.respond = respondWithBytes(recording, 'audio/wav');
		const from = { items: [{ text: 'Grüße' }] };
		const others = { text: '={{ $json.text }}', outputPropertyName: 'spoken' };
		const nodes = [createVoiceNode({ ...textToSpeechParameters, ...others })];
		const { items } = await instance.runToEnd({ from, nodes, settings });
		const [item] = items('Voice');
		expect(item!.json).toMatchObject({
			fileName: 'speech.wav',
			mimeType: 'audio/wav',
			voiceId: 'vc_1',
			bytes: recording.length,
			characters: 5,
		});
		const made = collectFiles(item!).spoken;
		expect(made).toMatchObject({ fileName: 'speech.wav', mimeType: 'audio/wav' });
		expect(computeSha256(await downloadFile(instance.rest, made))).toBe(computeSha256(recording));
	});

	check(`${name}: an upload to a webhook, found without its field name`, async () => {
		const { demo, rest, credential } = instance;
		const address = `upload-${randomUUID()}`;
		const parameters = { httpMethod: 'POST', path: address, responseMode: 'lastNode', options: {} };
		const webhook = createNode('Start', 'n8n-nodes-base.webhook', 2, parameters);
		const from = { trigger: { ...webhook, webhookId: address } };
		const flow = { from, nodes: [createVoiceNode(speechToTextParameters)], settings };
		await publishFlow(rest, flow, credential);
		service.respond = respondWithJson({ text: 'by webhook' });
		const body = createForm({ call: new File([recording], 'call.wav', { type: 'audio/wav' }) });
		const response = await fetch(`${demo.n8n.url}/webhook/${address}`, { method: 'POST', body });
		expect(await response.json()).toMatchObject({ text: 'by webhook' });
		expect(service.requests[0]!.parts[0]).toMatchObject({
			name: 'file',
			fileName: 'call.wav',
			sha256: computeSha256(recording),
		});
	});
}

const attachments = [1, 2, 3, 4].map((seconds) => createWav(seconds));

/** Two items with two files each, as two mails with two attachments arrive. */
const pairs = createNode('Pairs', 'n8n-nodes-base.code', 2, {
	// With "combined", n8n's Code node sees an item's fields as the item, and its files among them.
	jsCode: `const files = $input.all().map(({ binary, json, _files }) => (binary ?? _files ?? json._files).data);
return [0, 2].map((at) => ({ json: {}, binary: { Call_0: files[at], Call_1: files[at + 1] } }));`,
});

/** The node and the settings that the message advises. */
function readAdvice(error = '') {
	const [, field, destinationFieldName] =
		/Split Out node .+'Fields To Split Out' to '(\S+?)'(?: and its 'Destination Field Name' to '(\S+?)')?,/.exec(
			error,
		) ?? [];
	const options = destinationFieldName ? { destinationFieldName } : {};
	return createNode('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: field, options });
}

/** Follows the message about several files in one item, in a workflow with these settings. */
export function testSeveralFiles({ name, settings }: typeof plain, check: Check): void {
	check(`${name}: two files in each item, split as the message advises`, async () => {
		const { run, runToEnd, demo } = instance;
		for (const [index, bytes] of attachments.entries()) {
			await writeFile(path.join(demo.files, `one-of-four-${index}.wav`), bytes);
		}
		const from = { files: path.join(demo.files, 'one-of-four-*.wav') };
		service.respond = respondWithJson({ text: 'spoken' });
		const voice = createVoiceNode(speechToTextParameters);
		const refused = await run({ from, nodes: [pairs, voice], settings });
		expect(refused.error).toContain("The item has no file in the field 'data'");
		expect(service.requestCount).toBe(0);

		const nodes = [pairs, readAdvice(refused.error), voice];
		const execution = await runToEnd({ from, nodes, settings });
		const sent = service.requests.map(({ parts }) => parts[0]!.sha256);
		expect(sent.sort()).toEqual(attachments.map(computeSha256).sort());
		const sources = execution.items('Split').map(({ pairedItem }) => pairedItem as unknown);
		expect(sources).toEqual([{ item: 0 }, { item: 0 }, { item: 1 }, { item: 1 }]);
	});
}

/** What does not depend on where n8n keeps files. */
export function testFormats(check: Check): void {
	// The code that converts is in files of the package that the node loads only then.
	check('Files: a recording and a video, converted', async () => {
		const conversions = [
			{ file: 'opus.webm', fileName: 'opus.wav', start: /^RIFF....WAVE/s },
			{ file: 'with-video.mp4', fileName: 'with-video.m4a', start: /^....ftyp/s },
		];
		for (const { file, fileName, start } of conversions) {
			service.reset(respondWithJson({ text: 'spoken' }));
			const from = await createSource(file, readAudioFile(file));
			await instance.runToEnd({ from, nodes: [createVoiceNode(speechToTextParameters)] });
			const [part] = service.requests[0]!.parts;
			expect(part!.fileName).toBe(fileName);
			expect(part!.body.toString('latin1', 0, 12)).toMatch(start);
		}
	});

	check('Get Details, without a credential', async () => {
		const from = await createSource('details.wav', createWav(2));
		const node = createVoiceNode(getDetailsParameters, { credentials: {} });
		const { items } = await instance.runToEnd({ from, nodes: [node] });
		expect(items('Voice')[0]!.json).toMatchObject({ durationSeconds: 2 });
		expect(service.requestCount).toBe(0);
	});
}
