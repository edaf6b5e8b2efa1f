/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { cloneVoice, fileParts, sendForm, sendJson } from './client';
import { flac, id3, mp3, mpeg4, wav } from './recordings';

let emulator: RunningEmulator;
let key: string;
let voice: string;

beforeAll(async () => {
	emulator = await startEmulator();
	key = await emulator.createKey('sandbox');
	voice = await cloneVoice(emulator, key, wav());
	await emulator.api('PUT', '/settings', { ttsEngine: 'tones' });
});
afterAll(async () => await emulator.stop());

const say = async (text: unknown, voiceId: unknown = voice) =>
	await sendJson(emulator, key, 'text-to-speech', { text, voice_id: voiceId });
const transcribe = async (file: Buffer, fields: Record<string, string> = {}) =>
	await sendForm(emulator, key, 'speech-to-text', fileParts(file, fields));

/** The samples of a WAV file, and what its header says of them. */
function readWav(file: Buffer) {
	const data = file.indexOf('data', 12, 'latin1');
	const bytes = file.readUInt32LE(data + 4);
	expect(file.length).toBe(data + 8 + bytes);
	expect(file.readUInt32LE(4)).toBe(file.length - 8);
	const samples = Array.from({ length: bytes / 2 }, (_, index) =>
		file.readInt16LE(data + 8 + index * 2),
	);
	return {
		format: file.readUInt16LE(20),
		channels: file.readUInt16LE(22),
		rate: file.readUInt32LE(24),
		bits: file.readUInt16LE(34),
		samples,
		loudest: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
		/** Changes of sign a second: twice the pitch of a voiced sound, roughly. */
		crossings:
			samples.filter((sample, index) => sample >= 0 !== (samples[index - 1] ?? 0) >= 0).length /
			(samples.length / file.readUInt32LE(24)),
	};
}

describe('text to speech', () => {
	test('answers audible 16 kHz mono WAV', async () => {
		const answer = await say('Hello there, how are you today?');
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toBe('audio/wav');
		const { format, channels, rate, bits, samples, loudest } = readWav(answer.body);
		expect([format, channels, rate, bits]).toEqual([1, 1, 16_000, 16]);
		expect(samples.length).toBeGreaterThan(16_000);
		expect(loudest).toBeGreaterThan(5_000);
		expect(loudest).toBeLessThan(32_767);
	});

	test('says a longer text for longer, with pauses', async () => {
		const short = readWav((await say('Yes')).body);
		const long = readWav((await say('Yes. No. Maybe, of course.')).body);
		expect(long.samples.length).toBeGreaterThan(3 * short.samples.length);
		const silent = long.samples.join(' ').includes(Array(6_000).fill('0').join(' '));
		expect(silent).toBe(true);
	});

	test.each(['…!?', '😀', '你好，世界', 'Привет', '123'])('makes a sound for %s', async (text) => {
		expect(readWav((await say(text)).body).loudest).toBeGreaterThan(5_000);
	});

	test('different voices sound different, the same one the same', async () => {
		const other = await cloneVoice(emulator, key, wav(), 'Ben');
		const [one, again, two] = [await say('Hello'), await say('Hello'), await say('Hello', other)];
		expect(one.body.equals(again.body)).toBe(true);
		const ratio = readWav(one.body).crossings / readWav(two.body).crossings;
		expect(Math.abs(Math.log2(ratio))).toBeGreaterThan(0.1);
	});

	test('an unknown voice is refused unless the settings accept it', async () => {
		const refused = await say('Hello', 'vc_nobody');
		expect(refused.status).toBe(404);
		expect(refused.json.error.code).toBe('unknown_voice');
		await emulator.api('PUT', '/settings', { unknownVoice: 'accept' });
		expect((await say('Hello', 'vc_nobody')).status).toBe(200);
		await emulator.api('PUT', '/settings', { unknownVoice: 'refuse' });
	});

	test('a voice is required unless the settings say otherwise', async () => {
		const speak = async () => await sendJson(emulator, key, 'text-to-speech', { text: 'Hello' });
		expect((await speak()).status).toBe(400);
		await emulator.api('PUT', '/settings', { voiceIdRequired: false });
		expect(readWav((await speak()).body).loudest).toBeGreaterThan(5_000);
		await emulator.api('PUT', '/settings', { voiceIdRequired: true });
	});

	test.each([[''], ['  \n'], [7], [null], [['a']]])('the text %j is refused', async (text) => {
		expect((await say(text)).status).toBe(400);
	});

	test('the dashboard names the voice', async () => {
		await say('Hello');
		const { calls } = await emulator.api('GET', '/usage');
		expect(calls.at(-1)).toMatchObject({ operation: 'text-to-speech', voiceId: voice });
	});

	const espeak = spawnSync('espeak-ng', ['--version']).status === 0;
	test('speaks through espeak-ng, or says that it is not installed', async () => {
		const tones = readWav((await say('Good morning')).body);
		await emulator.api('PUT', '/settings', { ttsEngine: 'espeak' });
		const answer = await say('Good morning; $(touch nothing) --version');
		expect(answer.status).toBe(espeak ? 200 : 501);
		if (!espeak) {
			await emulator.api('PUT', '/settings', { ttsEngine: 'tones' });
			expect(answer.json.error.message).toContain('espeak-ng, which is not installed');
			return;
		}
		const other = await say('Good morning', await cloneVoice(emulator, key, wav(), 'Cleo'));
		const same = await say('Good morning');
		await emulator.api('PUT', '/settings', { ttsEngine: 'tones' });
		const { rate, channels, loudest, samples } = readWav(answer.body);
		expect([rate, channels]).toEqual([16_000, 1]);
		expect(loudest).toBeGreaterThan(3_000);
		expect(samples.length).toBeGreaterThan(16_000);
		expect(readWav(same.body).samples.length).not.toBe(tones.samples.length);
		expect(readWav(other.body).samples).not.toEqual(readWav(same.body).samples);
		expect((await transcribe(answer.body)).json.text).toContain('$(touch nothing)');
	});
});

describe('speech to text', () => {
	test.each([
		'Hello',
		'Grüße aus Österreich: „schön“, "quoted", \'single\', 你好 😀',
		'Line one\nline two\ttab \\ backslash \u0000 nul',
		'A long story, told at length. '.repeat(400),
	])('gives back what its own text to speech said: %#', async (text) => {
		const { json } = await transcribe((await say(text)).body);
		expect(json.text).toBe(text);
		expect(json.emulated).toBe(true);
		expect(json.note).toContain('metadata');
	});

	test('states what it measured for any other recording, and that it is make-believe', async () => {
		const { json } = await transcribe(wav({ seconds: 1.5, rate: 44_100, channels: 2 }));
		expect(json.text).toMatch(/^Make-believe/);
		expect(json.text).toContain('WAV');
		expect(json.text).toContain('1.5 seconds');
		expect(json.text).toContain('44100 Hz');
		expect(json.text).toContain('2 channels');
		expect(json.emulated).toBe(true);
	});

	test('believes nobody else that writes a comment into a WAV file', async () => {
		const foreign = Buffer.from((await say('Secret')).body);
		foreign.write('X', foreign.indexOf('voice-speech emulator'));
		expect((await transcribe(foreign)).json.text).toMatch(/^Make-believe/);
	});

	test('tells the file as it arrived', async () => {
		const file = wav({ seconds: 0.3 });
		const { json } = await transcribe(file);
		expect(json.recording).toEqual({
			name: 'recording.wav',
			bytes: file.length,
			sha256: createHash('sha256').update(file).digest('hex'),
			format: 'WAV',
			seconds: 0.3,
			sample_rate: 8000,
			channels: 1,
		});
	});

	test('takes a language or leaves it, unless the settings want one', async () => {
		expect((await transcribe(wav(), { language: 'de' })).json.language).toBe('de');
		expect((await transcribe(wav(), { language: 'pt-BR' })).status).toBe(200);
		expect((await transcribe(wav(), { language: 'not a code' })).status).toBe(400);
		await emulator.api('PUT', '/settings', { languageRequired: true });
		expect((await transcribe(wav())).status).toBe(400);
		expect((await transcribe(wav(), { language: 'en' })).status).toBe(200);
		await emulator.api('PUT', '/settings', { languageRequired: false });
	});
});

describe('formats', () => {
	test.each([
		['WAV', wav(), { sample_rate: 8000, seconds: 1 }],
		['MP3', mp3(), { sample_rate: 44_100, channels: 2 }],
		['MP3', Buffer.concat([id3(5000), mp3()]), { sample_rate: 44_100 }],
		['FLAC', flac(), { sample_rate: 48_000, channels: 2, seconds: 2 }],
		['FLAC', Buffer.concat([id3(300), flac()]), {}],
		['M4A', mpeg4('M4A '), {}],
		['M4A', mpeg4('isom'), {}],
	])('%s is known by its bytes: %#', async (format, file, measured) => {
		const answer = await sendForm(emulator, key, 'speech-to-text', [
			['file', file, { filename: 'note.txt', contentType: 'text/plain' }],
		]);
		expect(answer.status).toBe(200);
		expect(answer.json.recording).toMatchObject({ format, ...measured });
	});

	test.each([
		['text', Buffer.from('This is no audio, whatever it is called.')],
		['Ogg', Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0')],
		['AAC', Buffer.from('fff15080043ffcde04000000000000', 'hex')],
		['AVI', Buffer.from('RIFF\0\0\0\0AVI LIST\0\0\0\0')],
		['QuickTime', mpeg4('qt  ')],
		['an image', mpeg4('avif')],
		['a few bytes', Buffer.from('RI')],
	])('%s is refused, whatever its name and type', async (_what, file) => {
		const clone = await sendForm(emulator, key, 'voice-clone', fileParts(file, { name: 'Anna' }));
		expect(clone.status).toBe(415);
		expect((await transcribe(file)).status).toBe(415);
	});

	test('an empty file is refused', async () => {
		expect((await transcribe(Buffer.alloc(0))).status).toBe(400);
	});
});

describe('voice cloning', () => {
	const clone = async (fields: Record<string, string>) =>
		await sendForm(emulator, key, 'voice-clone', fileParts(wav(), fields));

	test('answers a voice', async () => {
		const { status, json } = await clone({ name: 'Größe "Ö"' });
		expect(status).toBe(200);
		expect(json.voice_id).toMatch(/^vc_[a-z0-9]+$/);
		expect(json).toMatchObject({ name: 'Größe "Ö"', emulated: true });
		expect((await clone({ name: 'Größe "Ö"' })).json.voice_id).not.toBe(json.voice_id);
		const { calls } = await emulator.api('GET', '/usage');
		expect(calls.at(-2)).toMatchObject({ voiceId: json.voice_id, credits: 10, status: 200 });
	});

	test('the success status can be 201', async () => {
		await emulator.api('PUT', '/settings', { cloneStatus: 201 });
		expect((await clone({ name: 'Anna' })).status).toBe(201);
		await emulator.api('PUT', '/settings', { cloneStatus: 200 });
	});

	test('needs a name', async () => {
		expect((await clone({})).status).toBe(400);
		expect((await clone({ name: ' ' })).status).toBe(400);
	});
});
