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
	const commands = listCommands('transcribe');
	const bareCommand = `curl --data-binary @call.wav ${createAddress('transcribe')}`;
	const failure = 'The recording could not be transcribed.';

	const transcribe = async (command: string) => {
		await writeFile(path.join(folder, 'call.wav'), await createRecording('Good morning.'));
		return await runner.runAndListPaid(
			async () => JSON.parse(await runCommand('transcribe', command, folder)) as object,
		);
	};

	it.each(commands)('a webhook transcribes the recording that is sent by: %s', async (command) => {
		const result = { text: 'Good morning.' };
		expect(await transcribe(command)).toMatchObject({ result, paid: ['speech-to-text'] });
	});

	it('a webhook gets no file from curl --data-binary without a type, and nothing is paid', async () => {
		expect(await transcribe(bareCommand)).toMatchObject({ result: { error: failure }, paid: [] });
	});

	it('a caller learns that a file that is not audio, or is refused, was not transcribed', async () => {
		const recording = await runner.createRecording('Hello.');
		await runner.changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		for (const data of [runner.createNoAudio(), recording]) {
			await expectFailure(await runner.post('transcribe', createForm({ data })), failure);
		}
	});

	describe('with an immediate response, and a later delivery', testLaterDelivery);
});

/** A recording is received at once, and its transcript delivered later, as docs/how-to.md says. */
function testLaterDelivery(): void {
	/** The values that the steps of the section tell to copy. */
	const [, steps = ''] = /\n### Respond at once([^]*?)\n##/.exec(
		readRepositoryFile('docs/how-to.md'),
	)!;
	const [id, body] = [...steps.matchAll(/`(\{\{ .* \}\})`/g)].map(([, value]) => `=${value}`);

	let laterId: string;

	beforeAll(async () => {
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
		laterId = saved.id;
	});

	/** Sends a recording; waits for the execution, and returns what was paid. */
	async function send(data: File, key: string) {
		const task = async () => {
			const headers = { 'idempotency-key': key };
			const response = await runner.post('transcribe-later', createForm({ data }), headers);
			expect(await response.json()).toEqual({ message: 'Workflow was started' });
		};
		return (await runner.startAndWait(laterId, task)).paid;
	}

	it('the transcript, or the failure, is delivered with the ID of the caller, once', async () => {
		const recording = await runner.createRecording('Deliver me.');
		const paid = ['speech-to-text'];
		expect(await send(recording, 'call-1')).toEqual(paid);
		expect(await send(recording, 'call-1')).toEqual([]);
		expect(await send(recording, 'call-2')).toEqual(paid);
		expect(await send(runner.createNoAudio(), 'call-3')).toEqual([]);
		expect(runner.listArrivals('/transcripts')).toEqual([
			{ id: 'call-1', text: 'Deliver me.' },
			{ id: 'call-2', text: 'Deliver me.' },
			{ id: 'call-3', error: expect.stringContaining('is not audio') as string },
		]);
		// A caller without an ID gets a transcript of each recording.
		expect([await send(recording, ''), await send(recording, '')]).toEqual([paid, paid]);
	});
}

/** Text in, audio out, also with the command of docs/how-to.md. */
describeExample('webhook-speak', (example) => {
	const folder = createTestFolder();
	const commands = listCommands('speak');
	const failure = 'The text could not be read aloud.';

	beforeAll(async () => await runner.publish(example, { voiceId: runner.voiceId }));

	it('a webhook reads the text aloud that the command of docs/how-to.md sends', async () => {
		expect(commands).toHaveLength(1);
		const { paid } = await runner.runAndListPaid(
			async () => await runCommand('speak', commands[0]!, folder),
		);
		const audio = await readFile(path.join(folder, 'speech'));
		expect(audio.equals(await runner.speak('Good morning!'))).toBe(true);
		expect(paid).toEqual(['text-to-speech']);

		const { headers } = await runner.post('speak', { text: 'Grüße aus Köln.' });
		expect(headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
	});

	it('a caller learns that a text is missing, or that no voice was chosen, and nothing is paid', async () => {
		const { paid } = await runner.runAndListPaid(async () => {
			await expectFailure(await runner.post('speak', {}), failure);
			await runner.publish(example, { voiceId: '' });
			await expectFailure(await runner.post('speak', { text: 'Hello.' }), failure);
		});
		expect(paid).toEqual([]);
	});
});
