import { readFile } from 'node:fs/promises';

import { readExamples, applyChoices } from '../../dev/demo/examples.mts';
import { operationHandlers } from '../../dev/emulator/service/index.mts';
import type { Wallets } from '../../dev/emulator/wallets.mts';
import { submitForm } from '../../dev/n8n/forms.mts';
import { activateWorkflow, putWorkflow } from '../../dev/n8n/workflows.mts';
import { createNode, createVoiceNode, publishFlow } from '../support/flow.mts';
import { textToSpeechParameters } from '../support/nodeParameters.mts';
import { createRecording } from './load/submit.mts';
import { expectedFacts, upload, useQueueSetup } from './queueSetup.mts';

/** CI runs fewer. QUEUE_EXECUTIONS=1000 is the complete measurement. */
const uploadCount = Number(process.env.QUEUE_EXECUTIONS || 60);

const minute = 60_000;

/** Credits of the two calls of an execution. */
const credits =
	operationHandlers['speech-to-text'].credits + operationHandlers['text-to-speech'].credits;

describe('with two workers', () => {
	const queue = useQueueSetup();

	const readCredits = async () =>
		(await queue.service.callApi<Wallets>('GET', '/wallets')).sandbox.balance;

	/** How many executions each worker has started. */
	async function countStarts() {
		const logs = queue.cluster.workers.map(async ({ logFile }) => await readFile(logFile, 'utf8'));
		const counts = (await Promise.all(logs)).map((log) => log.match(/Worker started execution/g));
		return counts.map((starts) => starts?.length ?? 0);
	}

	async function uploadAll() {
		const creditsBefore = await readCredits();
		const startsBefore = await countStarts();
		const facts = await upload(queue, { run: 'all', count: uploadCount });
		expect(facts).toMatchObject({
			...expectedFacts,
			refused: [],
			accepted: uploadCount,
			executions: uploadCount,
			errors: [],
			statuses: { success: uploadCount },
			calls: 2 * uploadCount,
		});
		expect(creditsBefore - (await readCredits())).toBe(credits * uploadCount);
		// Both workers take part. How the queue distributes the executions is not ours to test.
		const byWorker = (await countStarts()).map((starts, index) => starts - startsBefore[index]!);
		expect(byWorker).toHaveLength(2);
		expect(Math.min(...byWorker)).toBeGreaterThan(0);
		expect(byWorker[0]! + byWorker[1]!).toBe(uploadCount);
	}

	const title = `${uploadCount} recordings through a form get their own transcript and speech each, and are debited once`;
	it(title, uploadAll, 15 * minute + uploadCount * 1_000);

	it('the example form shows each of several people their transcript on its last page', async () => {
		const { cluster, credential } = queue;
		const examples = await readExamples();
		const { workflow } = examples.find(({ name }) => name === 'form-upload-to-transcript')!;
		const own = applyChoices(workflow, { credential, files: '' });
		await activateWorkflow(cluster.rest, await putWorkflow(cluster.rest, own));
		const url = `${cluster.webhook.url}/form/transcribe-a-recording`;
		const people = Array.from({ length: 4 }, async (_, number) => {
			const { name, text, bytes } = createRecording('page', number);
			const recording = new File([bytes], name, { type: 'audio/wav' });
			const { message } = await submitForm(url, { Recording: recording }, 2 * minute);
			expect(message).toBe(text);
		});
		await Promise.all(people);
	});

	it('a link to audio that a worker made gives the audio at the main process', async () => {
		const { cluster, credential } = queue;
		const parameters = { httpMethod: 'POST', path: 'link', responseMode: 'lastNode', options: {} };
		const trigger = createNode('Start', 'n8n-nodes-base.webhook', 2, parameters);
		const speak = { ...textToSpeechParameters, voiceId: 'vc_queue', options: { linkHours: 1 } };
		const from = { trigger: { ...trigger, webhookId: 'link' } };
		await publishFlow(cluster.rest, { from, nodes: [createVoiceNode(speak)] }, credential);
		const response = await fetch(`${cluster.webhook.url}/webhook/link`, { method: 'POST' });
		const { url, bytes } = (await response.json()) as { url: string; bytes: number };
		// The webhook process, whose address WEBHOOK_URL is here, does not have n8n's REST interface.
		const { origin, pathname, search } = new URL(url);
		expect(origin).toBe(new URL(cluster.webhook.url).origin);
		expect((await fetch(url)).status).toBe(404);
		const audio = await fetch(new URL(`${pathname}${search}`, cluster.main.url));
		expect(audio.status).toBe(200);
		expect(audio.headers.get('content-length')).toBe(String(bytes));
		expect((await audio.arrayBuffer()).byteLength).toBe(bytes);
	});
});
