import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
	startEmulatorProcess,
	type EmulatorProcess,
} from '../../../dev/emulator/emulatorProcess.mts';
import { root } from '../../../dev/lib/root.cjs';
import { createWav } from '../../support/media/recordings.mts';
import { createFileParts, sendForm, sendJson, useEmulator } from '../../support/emulatorClient.mts';

// What the console, the README and the printouts say about what the emulator understands.

const client = useEmulator();
let folder: string;
let output: DemoOutput;

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'disclaimer-test-'));
	output = runDemoScript();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface DemoOutput {
	/** What is said in each recording, by its file's name. */
	recordings: Record<string, { text: string }>;
	/** The results as the demo prints them. */
	printed: string;
}

/** Writes the demo's recordings into the folder, and reads what the demo prints. */
function runDemoScript(): DemoOutput {
	const script = `
		const { writeSamples, recordings } = await import('./dev/demo/samples.mts');
		const { describeResults } = await import('./dev/demo/runDemo.mts');
		await writeSamples(process.argv[1]);
		const results = { transcript: 'Hello.', voiceId: 'vc_1', audioFile: 'a.wav', credits: 1 };
		console.log(JSON.stringify({ recordings, printed: describeResults(results) }));`;
	const args = ['--import', 'tsx', '--input-type=module', '--eval', script, folder];
	return JSON.parse(
		execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }),
	) as DemoOutput;
}

/** A WAV file without the metadata, as an audio editor may save it. */
function removeMetadata(file: Buffer): Buffer {
	const data = file.indexOf('data', 12);
	return Buffer.concat([file.subarray(0, 36), file.subarray(data)]);
}

it("speech to text returns the words of the demo's recordings, and makes up those of any other", async () => {
	const { recordings } = output;
	const samples = path.join(folder, 'samples');
	const names = readdirSync(samples);
	expect(names).toEqual(expect.arrayContaining(Object.keys(recordings)));
	for (const name of names) {
		const file = readFileSync(path.join(samples, name));
		const { text } = (await client.transcribe(file)).json;
		// The voice sample has no words.
		const madeUp = expect.stringMatching(
			/^Make-believe transcript: received a WAV recording \(perhaps converted by the node\), .* seconds long/,
		);
		expect([name, text]).toEqual([name, recordings[name]?.text ?? madeUp]);
		expect((await client.transcribe(removeMetadata(file))).json.text).toEqual(madeUp);
	}
});

it.each([
	{ text: 'I love it', expected: { sentiment: 'positive', score: 0.2, positive: ['love'] } },
	{ text: 'I hate it', expected: { sentiment: 'negative', score: -0.2, negative: ['hate'] } },
	{ text: 'It is blue', expected: { sentiment: 'neutral', score: 0, positive: [], negative: [] } },
])('the sentiment of "$text" has the words behind it', async ({ text, expected }) => {
	expect((await client.callWithJson('sentiment', { text })).json).toMatchObject(expected);
});

it('a cloned voice does not depend on its sample', async () => {
	/** A voice depends on how many an emulator has cloned before, so this is the first one of each. */
	const speak = async (emulator: EmulatorProcess, sample: Buffer) => {
		const key = await emulator.createKey('sandbox');
		const parts = createFileParts(sample, { name: 'Anna' });
		const { voice_id } = (await sendForm(emulator, key, 'voice-clone', parts)).json;
		return (await sendJson(emulator, key, 'text-to-speech', { text: 'Hello', voice_id })).body;
	};
	const other = await startEmulatorProcess();
	try {
		const speech = await speak(client.emulator, createWav(10));
		expect(await speak(other, createWav(3, 44_100, 2))).toEqual(speech);
	} finally {
		await other.stop();
	}
});

it('the demo prints what its transcripts are', () => {
	expect(output.printed).toContain('only imitates the service, and understands no speech.');
	expect(output.printed).toContain('  Transcript  Hello.');
});
