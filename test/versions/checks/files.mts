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
import { testSeveralFiles } from './severalFiles.mts';

/** About 4 MB, which are many chunks regardless of where n8n keeps the file. */
const recording = createWav(120);

/** The files of an item, next to its fields or among them. */
function collectFiles({ json, binary }: INodeExecutionData): IBinaryKeyData {
	return { ...binary, ...(json._files as IBinaryKeyData | undefined) };
}

/** How a workflow keeps its files; the name is for the lines of the table. */
const plain = { name: 'Files', settings: {} };
const combined = { name: 'Files, "combined"', settings: { binaryMode: 'combined' } };

/** Writes a file into the folder of the n8n that runs; returns the source of items that reads it. */
async function createSource(name: string, content: Buffer) {
	const files = path.join(instance.demo.files, name);
	await writeFile(files, content);
	return { files };
}

function testRoundTrip({ name, settings }: typeof plain, check: Check) {
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

	testSeveralFiles(plain, check);
}

/** Files in and out, as this n8n keeps them. */
export function testFiles(check: Check): void {
	testRoundTrip(plain, check);
}

/**
 * The same where the workflow keeps files as fields, which older versions of n8n ignore. n8n 2.41.1 does not publish
 * the form then, so it is left out.
 */
export function testCombinedFiles(check: Check): void {
	testRoundTrip(combined, check);
	testSeveralFiles(combined, check);
}
