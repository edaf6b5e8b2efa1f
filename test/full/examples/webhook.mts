import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { createRecording } from '../../../dev/demo/samples.mts';
import type { Execution } from '../../../dev/n8n/executions.mts';
import { activateWorkflow, putWorkflow, type Workflow } from '../../../dev/n8n/workflows.mts';
import { listBlocks } from '../../support/markdown.mts';
import { createForm } from '../../support/createForm.mts';
import { waitForTriggeredExecution } from '../../support/executions.mts';
import { readRepositoryFile } from '../../support/repository.mts';
import { expectSuccess } from './formExamples.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** What the commands of the docs have in place of a webhook's test address. */
const createAddress = (webhook: string) => `https://n8n.example.com/webhook-test/${webhook}`;

/** The commands of the docs that send a request to a webhook. */
const listCommands = (webhook: string) =>
	listBlocks('docs/how-to.md')
		.flatMap(({ text }) => text.trim().split('\n'))
		.filter((line) => line.startsWith('curl ') && line.endsWith(createAddress(webhook)));

/** Runs a command of the docs with the address of this n8n, in a folder; returns what it prints. */
async function runCommand(runner: ExampleRunner, webhook: string, command: string, cwd: string) {
	const local = command.replace(
		createAddress(webhook),
		`${runner.demo.n8n.url}/webhook/${webhook}`,
	);
	return (await promisify(execFile)('bash', ['-c', `${local} --silent`], { cwd })).stdout;
}

/** A caller reads no reason, but the number of the execution, in which the person who runs n8n finds it. */
async function expectFailure(response: Response, error: string) {
	expect(response.status).toBe(422);
	const execution = expect.stringMatching(/^\d+$/) as string;
	expect(await response.json()).toEqual({ error, execution });
}

/** Makes a folder for each test, and deletes it afterwards. */
function useFolder(): () => string {
	let folder: string;
	beforeEach(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-webhook-'));
	});
	afterEach(async () => await rm(folder, { recursive: true, force: true }));
	return () => folder;
}

/** Audio in, transcript out, also with the commands of docs/how-to.md. */
export function testWebhookTranscribe(runner: () => ExampleRunner): void {
	const folder = useFolder();
	const commands = listCommands('transcribe');
	const bareCommand = `curl --data-binary @call.wav ${createAddress('transcribe')}`;
	const failure = 'The recording could not be transcribed.';

	const transcribe = async (command: string) => {
		await writeFile(path.join(folder(), 'call.wav'), await createRecording('Good morning.'));
		return await runCommand(runner(), 'transcribe', command, folder());
	};

	it('docs/how-to.md names two commands that send a recording to a webhook', () => {
		expect(commands).toHaveLength(2);
		expect(commands).not.toContain(bareCommand);
	});

	it.each(commands)('a webhook transcribes the recording that is sent by: %s', async (command) => {
		const { result, paid } = await runner().runAndListPaid(async () => await transcribe(command));
		expect(JSON.parse(result)).toMatchObject({ text: 'Good morning.' });
		expect(paid).toEqual(['speech-to-text']);
	});

	it('a webhook gets no file from curl --data-binary without a type, and nothing is paid', async () => {
		const { result, paid } = await runner().runAndListPaid(
			async () => await transcribe(bareCommand),
		);
		expect(JSON.parse(result)).toMatchObject({ error: failure });
		expect(paid).toEqual([]);
	});

	it.each(['that is not audio', 'that the service refuses'])(
		'a caller learns that a file %s was not transcribed',
		async (which) => {
			const isAudio = which !== 'that is not audio';
			const data = isAudio ? await runner().createRecording('Hello.') : runner().createNoAudio();
			await runner().changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
			const { result } = await runner().runAndListPaid(
				async () => await runner().post('transcribe', createForm({ data })),
			);
			await expectFailure(result, failure);
		},
	);

	describe('with an immediate response, and a later delivery', () => testLaterDelivery(runner));
}

/** A recording is received at once, and its transcript delivered later, as docs/how-to.md says. */
function testLaterDelivery(runner: () => ExampleRunner): void {
	/** The values that the steps of the section tell to copy. */
	const [, steps = ''] = /\n### Respond at once([^]*?)\n##/.exec(
		readRepositoryFile('docs/how-to.md'),
	)!;
	const [id, body] = [...steps.matchAll(/`(\{\{ .* \}\})`/g)].map(([, value]) => `=${value}`);

	beforeAll(async () => {
		const { rest } = runner().demo;
		const path = `/workflows/${runner().findWorkflowId('webhook-transcribe')}`;
		const workflow = await rest.call<Workflow>('GET', path);
		const { connections } = workflow;
		const [received, transcribe] = workflow.nodes.filter(
			({ type }) => !/stickyNote|respond/.test(type),
		);
		Object.assign(received!.parameters, { path: 'transcribe-later', responseMode: 'onReceived' });
		const known = {
			...received!,
			id: 'known',
			name: 'Remove Duplicates',
			type: 'n8n-nodes-base.removeDuplicates',
			webhookId: undefined,
			parameters: {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: id,
				options: { historySize: 100_000 },
			},
		};
		const deliver = {
			...known,
			id: 'deliver',
			name: 'Deliver',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url: `${runner().scriptedServer.baseUrl}/transcripts`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: body,
				options: {},
			},
		};
		const to = ({ name }: { name: string }) => [{ node: name, type: 'main', index: 0 }];
		const saved = await putWorkflow(rest, {
			...workflow,
			name: 'Transcribe later',
			nodes: [received!, known, transcribe!, deliver],
			connections: {
				...connections,
				[received!.name]: { main: [to(known)] },
				[known.name]: { main: [to(transcribe!)] },
				[transcribe!.name]: { main: [to(deliver), to(deliver)] },
			},
		});
		await activateWorkflow(rest, saved);
		laterId = saved.id;
	});
	let laterId: string;

	/** Sends a recording; waits for the execution. */
	async function send(data: File, key: string) {
		const seen = await listExecutionIds();
		return await runner().runAndListPaid(async () => {
			const headers = { 'idempotency-key': key };
			const response = await runner().post('transcribe-later', createForm({ data }), headers);
			expect(await response.json()).toEqual({ message: 'Workflow was started' });
			const isNew = (execution: Execution) => !seen.has(execution.id);
			expectSuccess(await waitForTriggeredExecution(runner().demo.rest, laterId, isNew));
		});
	}

	async function listExecutionIds() {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: laterId }));
		const url = `/executions?filter=${filter}&limit=20`;
		const { results } = await runner().demo.rest.call<{ results: Array<{ id: string }> }>(
			'GET',
			url,
		);
		return new Set(results.map((one) => one.id));
	}

	it('the transcript is delivered with the ID of the caller, and a repetition costs nothing', async () => {
		const recording = await runner().createRecording('Deliver me.');
		expect((await send(recording, 'call-1')).paid).toEqual(['speech-to-text']);
		expect((await send(recording, 'call-1')).paid).toEqual([]);
		expect((await send(recording, 'call-2')).paid).toEqual(['speech-to-text']);
		expect(runner().listArrivals('transcripts')).toEqual([
			{ id: 'call-1', text: 'Deliver me.' },
			{ id: 'call-2', text: 'Deliver me.' },
		]);
	});

	it('a caller without an ID gets a transcript of each recording', async () => {
		const recording = await runner().createRecording('Deliver me.');
		expect((await send(recording, '')).paid).toEqual(['speech-to-text']);
		expect((await send(recording, '')).paid).toEqual(['speech-to-text']);
	});

	it('a failure is delivered too', async () => {
		expect((await send(runner().createNoAudio(), 'call-3')).paid).toEqual([]);
		const error = expect.stringContaining('is not audio') as string;
		expect(runner().listArrivals('transcripts')).toEqual([{ id: 'call-3', error }]);
	});
}

/** Text in, audio out, also with the command of docs/how-to.md. */
export function testWebhookSpeak(runner: () => ExampleRunner): void {
	const example = 'webhook-speak';
	const folder = useFolder();
	const commands = listCommands('speak');
	const failure = 'The text could not be read aloud.';

	beforeAll(async () => await runner().publish(example, { voiceId: await runner().findVoice() }));

	it('docs/how-to.md names a command that sends a text to a webhook', () => {
		expect(commands).toHaveLength(1);
	});

	it.each(commands)('a webhook reads the text aloud that is sent by: %s', async (command) => {
		const { paid } = await runner().runAndListPaid(
			async () => await runCommand(runner(), 'speak', command, folder()),
		);
		const audio = await readFile(path.join(folder(), 'speech'));
		expect(audio.equals(await runner().speak('Good morning!'))).toBe(true);
		expect(paid).toEqual(['text-to-speech']);
	});

	it('the response names the format of the audio', async () => {
		const { headers } = await runner().post('speak', { text: 'Grüße aus Köln.' });
		expect(headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
	});

	it('a caller learns that a text is missing, and nothing is paid', async () => {
		const { result, paid } = await runner().runAndListPaid(
			async () => await runner().post('speak', {}),
		);
		await expectFailure(result, failure);
		expect(paid).toEqual([]);
	});

	it('a caller learns that no voice was chosen, and nothing is paid', async () => {
		await runner().publish(example, { voiceId: '' });
		const { result, paid } = await runner().runAndListPaid(
			async () => await runner().post('speak', { text: 'Hello.' }),
		);
		await expectFailure(result, failure);
		expect(paid).toEqual([]);
	});
}
