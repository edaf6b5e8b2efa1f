import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { recordings, writeSamples } from '../../../dev/demo/samples.mts';
import { acceptedFormats } from '../../../nodes/VoiceSpeech/service/endpoint.ts';
import { useEmulator } from '../../support/emulatorClient.mts';
import { createUpload } from '../../support/createForm.mts';
import { audioFiles, readAudioFile } from '../../support/media/audioFiles.mts';
import { createWav } from '../../support/media/recordings.mts';
import { createTestFolder } from '../../support/testFolder.mts';

const folder = createTestFolder();
const client = useEmulator({ ttsEngine: 'tones' });
let voice: string;
beforeAll(async () => {
	voice = await client.cloneVoice(createWav());
});

it('speech to text returns the text that text to speech has read aloud', async () => {
	const text = 'Grüße: „schön“, "quoted", \'single\', 你好，世界 😀';
	const { body } = await client.call('text-to-speech', { text, voice_id: voice });
	const samples = body.subarray(body.indexOf('data', 12) + 8);
	expect(samples.filter((byte) => byte > 20 && byte < 235).length).toBeGreaterThan(1_000);
	expect((await client.transcribe(body)).json.text).toBe(text);
});

/** A WAV file without the metadata, as an audio editor may save it. */
function removeMetadata(file: Buffer): Buffer {
	const data = file.indexOf('data', 12);
	return Buffer.concat([file.subarray(0, 36), file.subarray(data)]);
}

it("speech to text returns the words of the demo's recordings, and makes up those of any other", async () => {
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
});

it.each(acceptedFormats)(
	'the emulator recognizes %s, which the node sends as it is',
	async (format) => {
		const { file } = audioFiles.find((row) => row.format === format)!;
		const { json } = await client.transcribe(readAudioFile(file));
		expect(json.text).toContain(` a ${format} recording`);
	},
);

it('the emulator measures a recording', async () => {
	const { json } = await client.transcribe(createWav(1.5, 44_100, 2));
	expect(json.text).toMatch(/^Make-believe.* 1\.5 seconds.* 44100 Hz.* 2 channels/);
});

it.each([
	{ what: 'text', file: Buffer.from('This is not audio.') },
	{ what: 'Ogg', file: Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0') },
	{ what: 'QuickTime', file: Buffer.concat([Buffer.from('\0\0\0\x14ftypqt  '), Buffer.alloc(90)]) },
])('the emulator refuses $what regardless of its name and type', async ({ file }) => {
	const clone = await client.call('voice-clone', createUpload(file, { name: 'Anna' }));
	expect([clone.status, (await client.transcribe(file)).status]).toEqual([415, 415]);
});
