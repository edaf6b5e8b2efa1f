import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { createRecording } from '../../../dev/demo/samples.mts';
import { listBlocks } from '../../support/markdown';
import { createForm } from '../../support/createForm';
import type { ExampleRunner } from './exampleRunner';

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
