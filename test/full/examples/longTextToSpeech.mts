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

	async function speak(title: string, what: string) {
		const values = { Title: title, 'Voice ID': runner.voiceId, Text: what };
		const page = await runner.submit(example, values);
		// The names of the paid parts begin with their hash, and end with the number of the execution.
		const isNumbered = (file: string) => /^(?![0-9a-f]{64}-).*-\d{3}\./.test(file);
		const numbered = (await readdir(getFolder())).filter(isNumbered).sort();
		return { ...page, numbered };
	}

	it('a text is split at sentences, spoken in parts, and joined once the parts that failed are spoken', async () => {
		const settings = { folder: getFolder(), maxCharacters: 40, partsPerRound: 2 };
		const name = 'Chapter-1-Loomings';
		const files = parts.map((_, index) => `${name}-00${index + 1}.wav`);
		const calls = new Set(parts).size;
		await runner.publish(example, settings);

		// The longest part is too long for the emulator.
		await runner.changeSettings({ maxTextCharacters: 38 });
		const first = await speak('Chapter 1: Loomings', text);
		expect(first.paid).toEqual(listSpeechCalls(calls - 1));
		expectExecutionNumberWithoutReason(first, '1 of 8 parts failed');
		expect(first.message).toMatch(/^Failed: 004\nCheck the voice ID/m);
		expect(first.message).toContain('not joined into one file: a part is missing');
		expect(first.numbered).toEqual(files.filter((file) => !file.includes('-004')));

		await runner.changeSettings({ maxTextCharacters: 0 });
		const second = await speak('Chapter 1: Loomings', text);
		expect(second.paid).toEqual(listSpeechCalls(1));
		expect(second.title).toBe('The text is spoken');
		expect(second.message).toContain('Parts: 8 of 8');
		expect(second.numbered).toEqual(files);
		const audio = await Promise.all(files.map(readOutputFile));
		for (const [index, part] of parts.entries()) {
			expect(audio[index]!.toString('utf8')).toContain(JSON.stringify(part).slice(1, -1));
		}
		const joined = await readOutputFile(`${name}.wav`);
		expect(joined.readUInt32LE(4)).toBe(joined.length - 8);
		expect(readSamples(joined).equals(Buffer.concat(audio.map(readSamples)))).toBe(true);
		expect(await readOutputFile(`${name}.txt`)).toEqual(Buffer.from(text.replaceAll('\n', '\r\n')));

		await runner.changeSettings({ ttsEncoding: 'pcm' });
		const raw = await speak('Raw', `${parts[0]} These are raw samples, without a header.`);
		expect(raw.paid).toEqual(listSpeechCalls(1));
		expect(raw.message).toContain('not joined into one file: not all parts are WAV files');
		expect(raw.message).toMatch(/^Files: Raw-001\.wav to Raw-002\.\w+$/m);

		await runner.publish(example, { ...settings, folder: '/nowhere' });
		const nowhere = await speak('Nothing', 'Hello.');
		expect(nowhere.paid).toEqual([]);
		expectExecutionNumberWithoutReason(nowhere, 'Nothing was spoken');
	});
});
