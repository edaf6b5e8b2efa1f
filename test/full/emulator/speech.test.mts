import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { recordings, writeSamples } from '../../../dev/demo/samples.mts';
import { acceptedFormats } from '../../../nodes/VoiceSpeech/service/endpoint.ts';
import { createFileParts, useEmulator } from '../../support/emulatorClient.mts';
import { audioFiles, readAudioFile } from '../../support/media/audioFiles.mts';
import { createM4a, createMp3, createWav } from '../../support/media/recordings.mts';
import { createId3Tag } from '../../support/media/tags.mts';

const client = useEmulator({ ttsEngine: 'tones' });
let voice: string;
beforeAll(async () => {
	voice = await client.cloneVoice(createWav());
});

it.each([
	{ what: 'Chinese and an emoji', text: '你好，世界 😀' },
	{ what: 'umlauts and quotation marks', text: 'Grüße: „schön“, "quoted", \'single\'' },
	{ what: '1,200 characters', text: 'A long story with many words. '.repeat(40) },
])(
	'speech to text returns the text that text to speech has read aloud: $what',
	async ({ text }) => {
		const { body } = await client.callWithJson('text-to-speech', { text, voice_id: voice });
		const samples = body.subarray(body.indexOf('data', 12) + 8);
		expect(samples.filter((byte) => byte > 20 && byte < 235).length).toBeGreaterThan(1_000);
		expect((await client.transcribe(body)).json.text).toBe(text);
	},
);

/** A WAV file without the metadata, as an audio editor may save it. */
function removeMetadata(file: Buffer): Buffer {
	const data = file.indexOf('data', 12);
	return Buffer.concat([file.subarray(0, 36), file.subarray(data)]);
}

it("speech to text returns the words of the demo's recordings, and makes up those of any other", async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'emulator-speech-'));
	await writeSamples(folder);
	const names = await readdir(path.join(folder, 'samples'));
	expect(names).toEqual(expect.arrayContaining(Object.keys(recordings)));
	for (const name of names) {
		const file = await readFile(path.join(folder, 'samples', name));
		const { text } = (await client.transcribe(file)).json;
		// The voice sample has no words.
		const madeUp = expect.stringMatching(
			/^Make-believe transcript: received a WAV recording \(perhaps converted by the node\), .* seconds long/,
		);
		expect([name, text]).toEqual([name, recordings[name]?.text ?? madeUp]);
		expect((await client.transcribe(removeMetadata(file))).json.text).toEqual(madeUp);
	}
	await rm(folder, { recursive: true });
});

it.each([
	{ text: 'I love it', expected: { sentiment: 'positive', score: 0.2, positive: ['love'] } },
	{ text: 'I hate it', expected: { sentiment: 'negative', score: -0.2, negative: ['hate'] } },
	{ text: 'It is blue', expected: { sentiment: 'neutral', score: 0, positive: [], negative: [] } },
])('the sentiment of "$text" has the words behind it', async ({ text, expected }) => {
	expect((await client.callWithJson('sentiment', { text })).json).toMatchObject(expected);
});

describe('the emulator', () => {
	function createM4aWithBrand(brand: string): Buffer {
		const file = createM4a();
		file.write(brand, 8);
		return file;
	}

	it.each([
		{
			format: 'WAV',
			file: createWav(1.5, 44_100, 2),
			measured: /^Make-believe.* 1\.5 seconds.* 44100 Hz.* 2 channels/,
		},
		{
			format: 'MP3',
			file: Buffer.concat([createId3Tag(5000), createMp3()]),
			measured: / 32000 Hz/,
		},
		{ format: 'M4A', file: createM4aWithBrand('3gp4'), measured: / / },
	])('recognizes $format by its bytes', async ({ format, file, measured }) => {
		const { json } = await client.callWithForm('speech-to-text', [
			{ name: 'file', value: file, fileName: 'note.txt' },
		]);
		expect(json.text).toContain(` a ${format} recording`);
		expect(json.text).toMatch(measured);
	});

	it.each(acceptedFormats)('recognizes %s, which the node sends as it is', async (format) => {
		const { file } = audioFiles.find((row) => row.format === format)!;
		const { json } = await client.transcribe(readAudioFile(file));
		expect(json.text).toContain(` a ${format} recording`);
	});

	it.each([
		{ what: 'text', file: Buffer.from('This is not audio.') },
		{ what: 'Ogg', file: Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0') },
		{ what: 'QuickTime', file: createM4aWithBrand('qt  ') },
	])('refuses $what regardless of its name and type', async ({ file }) => {
		const clone = await client.callWithForm('voice-clone', createFileParts(file, { name: 'Anna' }));
		expect([clone.status, (await client.transcribe(file)).status]).toEqual([415, 415]);
	});
});
