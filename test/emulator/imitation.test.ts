import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmulatorProcess } from '../../dev/emulator/process.mts';
import { wav } from '../support/media/recordings';
import { fileParts, sendForm, sendJson, Stage } from '../support/emulatorClient';

// What the console, the README and the printouts say about what the emulator understands.

const root = path.resolve(__dirname, '../..');

const stage = new Stage();
const folder = mkdtempSync(path.join(tmpdir(), 'imitation-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a script prints that may import the modules of this repository; its argument is the folder. */
function runScript(script: string): string {
	const args = ['--import', 'tsx', '--input-type=module', '--eval', script, folder];
	return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

/** A WAV file without the metadata, as an audio editor may save it. */
function withoutMetadata(file: Buffer): Buffer {
	const data = file.indexOf('data', 12);
	return Buffer.concat([file.subarray(0, 36), file.subarray(data)]);
}

it("speech to text returns the words of the demo's recordings, and makes up those of any other", async () => {
	const script = `
		const { writeSamples, recordings } = await import('./dev/demo/samples.mts');
		await writeSamples(process.argv[1]);
		console.log(JSON.stringify(recordings));`;
	const texts = JSON.parse(runScript(script)) as Record<string, string>;
	const samples = path.join(folder, 'samples');
	const names = readdirSync(samples);
	expect(names).toEqual(expect.arrayContaining(Object.keys(texts)));
	for (const name of names) {
		const file = readFileSync(path.join(samples, name));
		const { text } = (await stage.transcribe(file)).json;
		// The voice sample has no words.
		const madeUp = expect.stringMatching(
			/^Make-believe transcript: a WAV recording, .* seconds long/,
		);
		expect([name, text]).toEqual([name, texts[name] ?? madeUp]);
		expect((await stage.transcribe(withoutMetadata(file))).json.text).toEqual(madeUp);
	}
});

it.each([
	{ text: 'I love it', expected: { sentiment: 'positive', score: 0.2, positive: ['love'] } },
	{ text: 'I hate it', expected: { sentiment: 'negative', score: -0.2, negative: ['hate'] } },
	{ text: 'It is blue', expected: { sentiment: 'neutral', score: 0, positive: [], negative: [] } },
])('the sentiment of "$text" has the words behind it', async ({ text, expected }) => {
	expect((await stage.json('sentiment', { text })).json).toMatchObject(expected);
});

it('a cloned voice does not depend on its sample', async () => {
	const speech: Buffer[] = [];
	for (const sample of [wav(10), wav(3, 44_100, 2)]) {
		const emulator = await startEmulatorProcess();
		const key = await emulator.createKey('sandbox');
		const parts = fileParts(sample, { name: 'Anna' });
		const { voice_id } = (await sendForm(emulator, key, 'voice-clone', parts)).json;
		const request = { text: 'Hello', voice_id };
		speech.push((await sendJson(emulator, key, 'text-to-speech', request)).body);
		await emulator.stop();
	}
	expect(speech[0]!.equals(speech[1]!)).toBe(true);
});

it('the demo prints what its transcripts are', () => {
	const printed = runScript(`
		const { describeResults } = await import('./dev/demo/run.mts');
		console.log(describeResults({ transcript: 'Hello.', voiceId: 'vc_1', audioFile: 'a.wav', credits: 1 }));`);
	expect(printed).toContain('only imitates the service, and understands no speech.');
	expect(printed).toContain('  Transcript  Hello.');
});
