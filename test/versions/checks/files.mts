import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

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
import type { Instance } from '../instance.mts';
import { createCheck, type Check } from '../report.mts';
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

function testRoundTrip({ name, settings }: typeof plain, check: Check, instance: () => Instance) {
	check(`${name}: read, uploaded byte for byte, and kept`, async () => {
		const { run, demo, service, rest } = instance();
		await writeFile(path.join(demo.files, 'upload.wav'), recording);
		service.reset(respondWithJson({ text: 'spoken' }));
		const execution = await run({
			from: { files: path.join(demo.files, 'upload.wav') },
			nodes: [
				createVoiceNode({
					...speechToTextParameters,
					language: 'en',
					options: { keepInputFiles: true },
				}),
			],
			settings,
		});
		expect(execution.error).toBeUndefined();
		const [request] = service.requests;
		const [file, language] = request!.parts;
		expect(file).toMatchObject({ name: 'file', fileName: 'upload.wav' });
		expect(file!.sha256).toBe(computeSha256(recording));
		expect(language!.body.toString()).toBe('en');
		expect(Number(request!.headers['content-length'])).toBe(request!.body.length);
		const [item] = execution.items('Voice');
		expect(item).toMatchObject({ json: { text: 'spoken' }, pairedItem: { item: 0 } });
		const kept = await downloadFile(rest, collectFiles(item!).data);
		expect(computeSha256(kept)).toBe(computeSha256(recording));
	});

	check(`${name}: audio that comes back, byte for byte`, async () => {
		const { run, service, rest } = instance();
		service.reset(respondWithBytes(recording, 'audio/wav'));
		const execution = await run({
			from: { items: [{ text: 'Grüße' }] },
			nodes: [
				createVoiceNode({
					...textToSpeechParameters,
					text: '={{ $json.text }}',
					outputPropertyName: 'spoken',
				}),
			],
			settings,
		});
		expect(execution.error).toBeUndefined();
		const [item] = execution.items('Voice');
		expect(item!.json).toMatchObject({
			fileName: 'speech.wav',
			mimeType: 'audio/wav',
			voiceId: 'vc_1',
			bytes: recording.length,
			characters: 5,
		});
		const made = collectFiles(item!).spoken;
		expect(made).toMatchObject({ fileName: 'speech.wav', mimeType: 'audio/wav' });
		expect(computeSha256(await downloadFile(rest, made))).toBe(computeSha256(recording));
	});

	check(`${name}: an upload to a webhook, found without its field name`, async () => {
		const { demo, rest, service, credential } = instance();
		const address = `upload-${randomUUID()}`;
		const parameters = { httpMethod: 'POST', path: address, responseMode: 'lastNode', options: {} };
		const webhook = createNode('Start', 'n8n-nodes-base.webhook', 2, parameters);
		const from = { trigger: { ...webhook, webhookId: address } };
		const flow = { from, nodes: [createVoiceNode(speechToTextParameters)], settings };
		await publishFlow(rest, flow, credential);
		service.reset(respondWithJson({ text: 'by webhook' }));
		const body = new FormData();
		body.append('call', new File([recording], 'call.wav', { type: 'audio/wav' }));
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
export function testFormats(version: string, instance: () => Instance): void {
	const check = createCheck(version);

	// The code that converts is in files of the package that the node loads only then.
	check('Files: a recording and a video, converted', async () => {
		const { run, demo, service } = instance();
		const conversions = [
			{ file: 'opus.webm', fileName: 'opus.wav', start: /^RIFF....WAVE/s },
			{ file: 'with-video.mp4', fileName: 'with-video.m4a', start: /^....ftyp/s },
		];
		for (const { file, fileName, start } of conversions) {
			await writeFile(path.join(demo.files, file), readAudioFile(file));
			service.reset(respondWithJson({ text: 'spoken' }));
			const from = { files: path.join(demo.files, file) };
			const { error } = await run({ from, nodes: [createVoiceNode(speechToTextParameters)] });
			expect(error).toBeUndefined();
			const [part] = service.requests[0]!.parts;
			expect(part!.fileName).toBe(fileName);
			expect(part!.body.toString('latin1', 0, 12)).toMatch(start);
		}
	});

	check('Get Details, without a credential', async () => {
		const { run, demo, service } = instance();
		await writeFile(path.join(demo.files, 'details.wav'), createWav(2));
		const from = { files: path.join(demo.files, 'details.wav') };
		const node = createVoiceNode(getDetailsParameters, { credentials: {} });
		const { error, items } = await run({ from, nodes: [node] });
		expect(error).toBeUndefined();
		expect(items('Voice')[0]!.json).toMatchObject({ durationSeconds: 2 });
		expect(service.requestCount).toBe(0);
	});

	testSeveralFiles(plain, check, instance);
}

/** Files in and out, as this n8n keeps them. */
export function testFiles(where: string, version: string, instance: () => Instance): void {
	testRoundTrip(plain, createCheck(version, where), instance);
}

/**
 * The same where the workflow keeps files as fields, which older versions of n8n ignore. n8n 2.41.1 does not publish
 * the form then, so it is left out.
 */
export function testCombinedFiles(
	outcome: string,
	version: string,
	instance: () => Instance,
): void {
	const check = createCheck(version, outcome);
	testRoundTrip(combined, check, instance);
	testSeveralFiles(combined, check, instance);
}
