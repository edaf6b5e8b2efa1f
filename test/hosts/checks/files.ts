/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { wav } from '../../support/recordings';
import { bytes, json, sha256 } from '../../support/scriptedServer';
import { nodesOf, speak, transcribe, voice, type FlowNode } from '../flow';
import type { Instance } from '../instance';
import { check } from '../report';
import { severalFiles } from './severalFiles';
import type { BinaryFile, Item } from '../../full/tools';

/** About 4 MB: many chunks, whichever way n8n keeps it. */
const recording = wav(120);

function formTrigger(formPath: string): FlowNode {
	return {
		name: 'Start',
		type: 'n8n-nodes-base.formTrigger',
		typeVersion: 2.3,
		parameters: {
			formTitle: 'Recording',
			formFields: {
				values: [{ fieldLabel: 'Audio File', fieldType: 'file', multipleFiles: false }],
			},
			options: { path: formPath },
		},
		webhookId: formPath,
	};
}

function webhook(address: string): FlowNode {
	const parameters = { httpMethod: 'POST', path: address, responseMode: 'lastNode', options: {} };
	const type = 'n8n-nodes-base.webhook';
	return { name: 'Start', type, typeVersion: 2, parameters, webhookId: address };
}

const endingPage: FlowNode = {
	name: 'End',
	type: 'n8n-nodes-base.form',
	typeVersion: 2.3,
	parameters: {
		operation: 'completion',
		respondWith: 'text',
		completionTitle: 'Done',
		completionMessage: '={{ $json.text }}',
		options: {},
	},
	webhookId: 'end',
};

/** The files of an item, next to its fields or among them. */
function filesOf({ json, binary }: Item): Record<string, BinaryFile> {
	return { ...binary, ...(json._files as Record<string, BinaryFile> | undefined) };
}

/** How a workflow keeps its files. */
interface Manner {
	/** For the lines of the table. */
	name: string;
	/** The cell of the table for this version, if the test passes. */
	outcome: string;
	settings: object;
}

const plain = { name: 'Files', settings: {} };
const combined = { name: 'Files, "combined"', settings: { binaryMode: 'combined' } };

function roundTrip({ name, outcome, settings }: Manner, version: string, host: () => Instance) {
	check(
		`${name}: read, uploaded byte for byte, and kept`,
		version,
		async () => {
			const { run, files: folder, service, rest, tools } = host();
			await writeFile(path.join(folder, 'upload.wav'), recording);
			service.reset(json({ text: 'spoken' }));
			const execution = await run({
				from: { files: path.join(folder, 'upload.wav') },
				nodes: [voice({ ...transcribe, language: 'en', options: { keepInputFiles: true } })],
				settings,
			});
			expect(execution.error).toBeUndefined();
			const [request] = service.requests;
			const [file, language] = request!.parts;
			expect(file).toMatchObject({ name: 'file', fileName: 'upload.wav' });
			expect(file!.sha256).toBe(sha256(recording));
			expect(language!.body.toString()).toBe('en');
			expect(Number(request!.headers['content-length'])).toBe(request!.body.length);
			const [item] = execution.items('Voice');
			expect(item).toMatchObject({ json: { text: 'spoken' }, pairedItem: { item: 0 } });
			const kept = await tools.fileBytes(rest, filesOf(item!).data);
			expect(sha256(kept)).toBe(sha256(recording));
		},
		outcome,
	);

	check(
		`${name}: audio that comes back, byte for byte`,
		version,
		async () => {
			const { run, service, rest, tools } = host();
			service.reset(bytes(recording, 'audio/wav'));
			const execution = await run({
				from: { items: [{ text: 'Grüße' }] },
				nodes: [voice({ ...speak, text: '={{ $json.text }}', outputPropertyName: 'spoken' })],
				settings,
			});
			expect(execution.error).toBeUndefined();
			const [item] = execution.items('Voice');
			expect(item!.json).toMatchObject({
				...{ fileName: 'speech.wav', mimeType: 'audio/wav', voiceId: 'vc_1' },
				...{ bytes: recording.length, characters: 5 },
			});
			const made = filesOf(item!).spoken;
			expect(made).toMatchObject({ fileName: 'speech.wav', mimeType: 'audio/wav' });
			expect(sha256(await tools.fileBytes(rest, made))).toBe(sha256(recording));
		},
		outcome,
	);

	check(
		`${name}: an upload to a webhook, found by itself`,
		version,
		async () => {
			const { n8n, rest, tools, service, credential } = host();
			const address = `upload-${name}-${outcome}`.toLowerCase().replace(/\W+/g, '-');
			const from = { trigger: webhook(address) };
			const workflow = nodesOf({ from, nodes: [voice(transcribe)], settings }, credential);
			await tools.activate(rest, await tools.putWorkflow(rest, workflow));
			service.reset(json({ text: 'by webhook' }));
			const body = new FormData();
			body.append('call', new File([recording], 'call.wav', { type: 'audio/wav' }));
			const answer = await fetch(`${n8n.url}/webhook/${address}`, { method: 'POST', body });
			expect(await answer.json()).toMatchObject({ text: 'by webhook' });
			expect(service.requests[0]!.parts[0]).toMatchObject({
				...{ name: 'file', fileName: 'call.wav', sha256: sha256(recording) },
			});
		},
		outcome,
	);
}

/** Publishes a form that takes a file, followed by the node with its defaults. */
async function publishForm({ rest, tools, credential }: Instance, formPath: string, settings = {}) {
	const flow = {
		from: { trigger: formTrigger(formPath) },
		nodes: [voice(transcribe), endingPage],
		settings,
	};
	await tools.activate(rest, await tools.putWorkflow(rest, nodesOf(flow, credential)));
}

/** Files in and out, as this n8n keeps them. */
export function files(where: string, version: string, host: () => Instance): void {
	roundTrip({ ...plain, outcome: where }, version, host);
	severalFiles(plain.name, where, plain.settings, version, host);

	check(
		'Form trigger: an upload, found by itself',
		version,
		async () => {
			const { n8n, tools, service } = host();
			const formPath = `form-${where.replace(/\W/g, '-')}`;
			await publishForm(host(), formPath);
			service.reset(json({ text: 'from the form' }));
			const ending = await tools.submitForm(`${n8n.url}/form/${formPath}`, {
				'Audio File': new File([recording], 'form.wav', { type: 'audio/wav' }),
			});
			expect(ending.message).toBe('from the form');
			expect(service.requests[0]!.parts[0]).toMatchObject({
				...{ name: 'file', fileName: 'form.wav', sha256: sha256(recording) },
			});
		},
		where,
	);
}

/** The same with the workflow setting `binaryMode: combined`, under which files are fields. */
export function combinedFiles(where: string, version: string, host: () => Instance): void {
	roundTrip({ ...combined, outcome: where }, version, host);
	severalFiles(combined.name, where, combined.settings, version, host);

	check(
		'Form trigger, "combined"',
		version,
		async () => {
			// Its default engine for expressions fails at the form's own: with any node behind it.
			const publishing = publishForm(host(), 'combined', combined.settings);
			await expect(publishing).rejects.toThrow("Node 'Start' hasn't been executed");
		},
		'n8n does not publish it',
	);
}

/** n8n versions without this setting ignore it: files stay next to the fields. */
export function noCombinedFiles(version: string, host: () => Instance): void {
	const outcome = 'no such setting';
	roundTrip({ ...combined, outcome }, version, host);
	severalFiles(combined.name, outcome, combined.settings, version, host);
	check(
		'Form trigger, "combined"',
		version,
		async () => {
			await publishForm(host(), 'combined', combined.settings);
		},
		outcome,
	);
}
