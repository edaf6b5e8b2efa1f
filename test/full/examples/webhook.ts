import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { recordingOf } from '../../../dev/demo/samples.mts';
import { putCredential } from '../../../dev/n8n/rest.mts';
import { activate, putWorkflow } from '../../../dev/n8n/workflows.mts';
import { blocksOf } from '../../docs/markdown';
import { node, nodesOf, transcribe, voice } from '../../support/flow';
import { triggeredExecution } from '../../support/executions';
import type { Stage } from './stage';

const address = 'https://n8n.example.com/webhook-test/transcribe';

/** The commands of the docs that send a recording to a webhook. */
const commands = blocksOf('docs/how-to.md')
	.flatMap(({ text }) => text.trim().split('\n'))
	.filter((line) => line.startsWith('curl ') && line.endsWith(address));

const bareCommand = `curl --data-binary @call.wav ${address}`;

/** The workflow of docs/how-to.md that answers a webhook with a transcript, and the commands that it names. */
export function webhook(stage: () => Stage): void {
	let folder: string;
	let workflowId: string;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-webhook-'));
		await writeFile(path.join(folder, 'call.wav'), await recordingOf('Good morning.'));
		const { rest, service } = stage().demo;
		const credential = await putCredential(rest, {
			name: 'Webhook of docs/how-to.md',
			type: 'voiceSpeechApi',
			data: { apiKey: service.apiKey, environment: 'sandbox', baseUrl: service.baseUrl },
		});
		const trigger = {
			...node('Webhook', 'n8n-nodes-base.webhook', 2, {
				httpMethod: 'POST',
				path: 'transcribe',
				responseMode: 'responseNode',
				options: {},
			}),
			webhookId: 'docs-how-to-transcribe',
		};
		const respond = node('Respond to Webhook', 'n8n-nodes-base.respondToWebhook', 1.1, {
			respondWith: 'firstIncomingItem',
			options: {},
		});
		const flow = { from: { trigger }, nodes: [voice(transcribe), respond] };
		const saved = await putWorkflow(rest, nodesOf(flow, credential));
		await activate(rest, saved);
		workflowId = saved.id;
	});
	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	/** Runs a command of the docs with the address of this n8n, and gives what it prints. */
	async function runCommand(command: string): Promise<string> {
		const local = command.replace(address, `${stage().demo.n8n.url}/webhook/transcribe`);
		const { stdout } = await promisify(execFile)('bash', ['-c', `${local} --silent`], {
			cwd: folder,
		});
		return stdout;
	}

	it('docs/how-to.md names two commands that send a recording to a webhook', () => {
		expect(commands).toHaveLength(2);
		expect(commands).not.toContain(bareCommand);
	});

	it.each(commands)('a webhook transcribes the recording that is sent by: %s', async (command) => {
		const { result, paid } = await stage().paidFor(async () => await runCommand(command));
		expect(JSON.parse(result)).toMatchObject({ text: 'Good morning.' });
		expect(paid).toEqual(['speech-to-text']);
	});

	it('a webhook gets no file from curl --data-binary without a type, and nothing is paid', async () => {
		const { result, paid } = await stage().paidFor(async () => {
			await runCommand(bareCommand);
			const isFailure = ({ status }: { status: string }) => status === 'error';
			return await triggeredExecution(stage().demo.rest, workflowId, isFailure);
		});
		expect(result.error).toMatch(/^The item has no file/);
		expect(paid).toEqual([]);
	});
}
