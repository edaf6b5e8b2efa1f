import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { createRecording } from '../../../dev/demo/samples.mts';
import { activateWorkflow, putWorkflow } from '../../../dev/n8n/workflows.mts';
import { createNode, toWorkflow } from '../../support/flow.mts';
import { listBlocks } from '../../support/markdown.mts';
import { createForm } from '../../support/createForm.mts';
import { readRepositoryFile } from '../../support/repository.mts';
import { createTestFolder } from '../../support/testFolder.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** What the commands of the docs have in place of a webhook's test address. */
const createAddress = (webhook: string) => `https://n8n.example.com/webhook-test/${webhook}`;

/** The commands of the docs that send a request to a webhook. */
const listCommands = (webhook: string) =>
	listBlocks('docs/how-to.md')
		.flatMap(({ text }) => text.trim().split('\n'))
		.filter((line) => line.startsWith('curl ') && line.endsWith(createAddress(webhook)));

/** Runs a command of the docs with the address of this n8n, in a folder; returns what it prints. */
async function runCommand(webhook: string, command: string, cwd: string) {
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

/** Audio in, transcript out, also with the commands of docs/how-to.md. */
describeExample('webhook-transcribe', () => {
	const folder = createTestFolder();

	it('responds to each command of the docs with the transcript, and to what is not audio with an error', async () => {
		await writeFile(path.join(folder, 'call.wav'), await createRecording('Good morning.'));
		const run = async (command: string) =>
			JSON.parse(await runCommand('transcribe', command, folder)) as object;
		const error = 'The recording could not be transcribed.';
		const commands = listCommands('transcribe');
		expect(commands).toHaveLength(2);
		const { paid } = await runner.runAndListPaid(async () => {
			for (const command of commands) expect(await run(command)).toEqual({ text: 'Good morning.' });
			// Without a type, n8n makes no file of it.
			const untyped = `curl --data-binary @call.wav ${createAddress('transcribe')}`;
			expect(await run(untyped)).toMatchObject({ error });
			const noAudio = createForm({ data: runner.createNoAudio() });
			await expectFailure(await runner.post('transcribe', noAudio), error);
		});
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
	});
});

/** A recording is received at once, and its transcript delivered later. */
describe('the steps of docs/how-to.md to respond at once', () => {
	/** The values that the steps tell to copy. */
	const [, steps = ''] = /\n### Respond at once([^]*?)\n##/.exec(
		readRepositoryFile('docs/how-to.md'),
	)!;
	const [id, body] = [...steps.matchAll(/`(\{\{ .* \}\})`/g)].map(([, value]) => `=${value}`);

	/** Changes a copy of webhook-transcribe by the steps; returns its ID. */
	async function publishSteps() {
		const { rest, credential } = runner.demo;
		const { nodes } = await runner.readExample('webhook-transcribe');
		const find = (type: string) => nodes.find((node) => node.type.endsWith(type))!;
		const trigger = find('.webhook');
		Object.assign(trigger.parameters, { path: 'transcribe-later', responseMode: 'onReceived' });
		const transcribe = find('.voiceSpeech');
		const known = createNode('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', 2, {
			operation: 'removeItemsSeenInPreviousExecutions',
			logic: 'removeItemsWithAlreadySeenKeyValues',
			dedupeValue: id,
			options: { historySize: 100_000 },
		});
		const deliver = createNode('Deliver', 'n8n-nodes-base.httpRequest', 4.2, {
			method: 'POST',
			url: runner.createAddress('/transcripts'),
			sendBody: true,
			specifyBody: 'json',
			jsonBody: body,
			options: {},
		});
		const flow = { from: { trigger }, nodes: [known, transcribe, deliver] };
		const workflow = toWorkflow(flow, credential);
		const { main } = workflow.connections[transcribe.name] as { main: object[] };
		// What failed is delivered too.
		main.push(main[0]!);
		const saved = await putWorkflow(rest, workflow);
		await activateWorkflow(rest, saved);
		return saved.id;
	}

	it('deliver the transcript or the failure with the ID of the caller, once', async () => {
		const workflowId = await publishSteps();
		/** Sends a recording; waits for the execution, and returns what was paid. */
		const send = async (data: File, key: string) => {
			const task = async () => {
				const headers = { 'idempotency-key': key };
				const response = await runner.post('transcribe-later', createForm({ data }), headers);
				expect(await response.json()).toEqual({ message: 'Workflow was started' });
			};
			return (await runner.startAndWait(workflowId, task)).paid;
		};
		const recording = await runner.createRecording('Deliver me.');
		const paid = ['speech-to-text'];
		expect(await send(recording, 'call-1')).toEqual(paid);
		expect(await send(recording, 'call-1')).toEqual([]);
		expect(await send(runner.createNoAudio(), 'call-2')).toEqual([]);
		expect(runner.listArrivals('/transcripts')).toEqual([
			{ id: 'call-1', text: 'Deliver me.' },
			{ id: 'call-2', error: expect.stringContaining('is not audio') as string },
		]);
		// A caller without an ID gets a transcript of each recording.
		expect([await send(recording, ''), await send(recording, '')]).toEqual([paid, paid]);
	});
});

/** Text in, audio out, also with the command of docs/how-to.md. */
describeExample('webhook-speak', (example) => {
	const folder = createTestFolder();

	it('responds to the command of the docs with the spoken text, and to a request without one with an error', async () => {
		await runner.publish(example, { voiceId: runner.voiceId });
		const commands = listCommands('speak');
		expect(commands).toHaveLength(1);
		const { paid } = await runner.runAndListPaid(async () => {
			await runCommand('speak', commands[0]!, folder);
			await expectFailure(await runner.post('speak', {}), 'The text could not be read aloud.');
		});
		const audio = await readFile(path.join(folder, 'speech'));
		expect(audio.equals(await runner.speak('Good morning!'))).toBe(true);
		expect(paid).toEqual(['text-to-speech']);
	});
});
