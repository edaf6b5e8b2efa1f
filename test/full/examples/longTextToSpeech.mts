import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { expectExecutionNumberWithoutReason } from './formExamples.mts';
import { describeExample, runner, useFolder } from './exampleRunner.mts';

/** The samples of one of the emulator's WAV files. */
function readSamples(wav: Buffer): Buffer {
	const start = wav.indexOf('data', 12, 'latin1');
	return wav.subarray(start + 8, start + 8 + wav.readUInt32LE(start + 4));
}

/** A text of any length is read aloud in parts. */
describeExample('long-text-to-speech', (example) => {
	const getFolder = useFolder('long-texts');
	const createSettings = () => ({ folder: getFolder(), maxCharacters: 40, partsPerRound: 2 });
	const listSpeechCalls = (calls: number) => Array<string>(calls).fill('text-to-speech');
	const readOutputFile = async (name: string) => await readFile(path.join(getFolder(), name));
	const text = [
		'Call me Ishmael. Some years ago, I sailed.',
		'It was damp; and this sentence is much longer than the forty characters that a part may have.',
		'Oh, "it was a very cold November".',
		'Call me Ishmael. Some years ago, I sailed.',
	].join('\n');
	const parts = [
		'Call me Ishmael.',
		'Some years ago, I sailed.',
		'It was damp; and this sentence is much',
		'longer than the forty characters that a',
		'part may have.',
		'Oh, "it was a very cold November".',
		'Call me Ishmael.',
		'Some years ago, I sailed.',
	];

	let firstReading: Awaited<ReturnType<typeof speak>>;

	beforeAll(async () => {
		await runner.publish(example, createSettings());
		firstReading = await speak('Chapter 1: Loomings', text);
	});

	async function speak(title: string, what: string) {
		const values = { Title: title, 'Voice ID': runner.voiceId, Text: what };
		const page = await runner.submit(example, values);
		// The names of the paid parts begin with their hash, and end with the number of the execution.
		const isNumbered = (file: string) => /^(?![0-9a-f]{64}-).*-\d{3}\./.test(file);
		const numbered = (await readdir(getFolder())).filter(isNumbered).sort();
		return { ...page, numbered };
	}

	it('a text is split at sentences, spoken in parts, and joined in order', async () => {
		const { numbered } = firstReading;
		const message = expect.stringContaining('Parts: 8 of 8') as string;
		const paid = listSpeechCalls(new Set(parts).size);
		expect(firstReading).toMatchObject({ title: 'The text is spoken', message, paid });
		const name = 'Chapter-1-Loomings';
		expect(numbered).toEqual(parts.map((_, index) => `${name}-00${index + 1}.wav`));
		const files = await Promise.all(numbered.map(readOutputFile));
		for (const [index, part] of parts.entries()) {
			expect(files[index]!.toString('utf8')).toContain(JSON.stringify(part).slice(1, -1));
		}
		const joined = await readOutputFile(`${name}.wav`);
		expect(joined.readUInt32LE(4)).toBe(joined.length - 8);
		expect(readSamples(joined).equals(Buffer.concat(files.map(readSamples)))).toBe(true);
		expect(await readOutputFile(`${name}.txt`)).toEqual(Buffer.from(text.replaceAll('\n', '\r\n')));
	});

	it('a part that fails is named, the others are kept, and only it is paid again', async () => {
		const what = 'The first is short. The second part is the longest of all. The third one.';
		await runner.publish(example, { ...createSettings(), maxCharacters: 45 });
		await runner.changeSettings({ maxTextCharacters: 30, ttsEngine: 'tones' });
		const first = await speak('Failing', what);
		expect(first).toMatchObject({ title: '1 of 3 parts failed', paid: listSpeechCalls(2) });
		expect(first.message).toMatch(/^Failed: 002\nCheck the voice ID/m);
		expectExecutionNumberWithoutReason(first, '1 of 3 parts failed');
		expect(first.message).toContain('not joined into one file: a part is missing');
		expect(first.numbered).toEqual(expect.arrayContaining(['Failing-001.wav', 'Failing-003.wav']));
		expect(first.numbered).not.toContain('Failing-002.wav');

		await runner.changeSettings({ maxTextCharacters: 0, ttsEngine: 'espeak' });
		const second = await speak('Failing', what);
		expect(second).toMatchObject({ title: 'The text is spoken', paid: listSpeechCalls(1) });
		expect(second.numbered).toContain('Failing-002.wav');
		expect(second.message).toContain('the WAV files of the parts differ in format');
	});

	it('parts that are not WAV files, or too large together, are not joined, and the page says why', async () => {
		await runner.changeSettings({ ttsEncoding: 'pcm' });
		const { message, paid } = await speak('Raw', 'No header precedes this. These are raw samples.');
		expect(paid).toEqual(listSpeechCalls(2));
		expect(message).toContain('not joined into one file: not all parts are WAV files');
		expect(message).toMatch(/^Files: Raw-001\.\w+ to Raw-002\.\w+$/m);

		await runner.publish(example, { ...createSettings(), joinUpToMegabytes: 0.1 });
		const large = await speak('Large', text);
		expect(large.paid).toEqual([]);
		expect(large.message).toContain('not joined into one file: they are too large together');
	});

	it('a missing folder, and settings without a limit, are noticed before anything is paid', async () => {
		for (const changes of [{ folder: '/nowhere' }, { maxCharacters: 0 }]) {
			await runner.publish(example, { ...createSettings(), ...changes });
			const page = await speak('Nothing', 'Hello.');
			expect(page.paid).toEqual([]);
			expectExecutionNumberWithoutReason(page, 'Nothing was spoken');
		}
	});
});
