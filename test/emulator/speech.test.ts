/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileParts, Stage } from './client';
import { flac, m4a, mp3, wav } from '../support/recordings';

const stage = new Stage([], {}, { ttsEngine: 'tones' });
let voice: string;
beforeAll(async () => (voice = await stage.clone(wav())));

const say = async (text: unknown, voiceId: unknown = voice) =>
	await stage.json('text-to-speech', { text, voice_id: voiceId });
const withExtraFields = async (task: () => Promise<void>) =>
	await stage.withSettings({ extraResponseFields: true }, task);

/** The samples of a WAV file, and what its header says about them. */
function readWav(file: Buffer) {
	const data = file.indexOf('data', 12, 'latin1');
	const bytes = file.readUInt32LE(data + 4);
	expect(file.length).toBe(data + 8 + bytes);
	expect(file.readUInt32LE(4)).toBe(file.length - 8);
	const samples = Array.from({ length: bytes / 2 }, (_, index) =>
		file.readInt16LE(data + 8 + index * 2),
	);
	const rate = file.readUInt32LE(24);
	const crossings = samples.filter(
		(sample, index) => sample >= 0 !== (samples[index - 1] ?? 0) >= 0,
	);
	return {
		header: [file.readUInt16LE(20), file.readUInt16LE(22), rate, file.readUInt16LE(34)],
		samples,
		loudest: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
		/** Changes of sign per second: about twice the pitch. */
		crossings: crossings.length / (samples.length / rate),
	};
}

describe('text to speech', () => {
	test('returns audible 16 kHz mono WAV', async () => {
		const { status, headers, body } = await say('Hello there, how are you today?');
		expect([status, headers['content-type']]).toEqual([200, 'audio/wav']);
		const { header, samples, loudest } = readWav(body);
		expect(header).toEqual([1, 1, 16_000, 16]);
		expect(samples.length).toBeGreaterThan(16_000);
		expect(loudest).toBeGreaterThan(5_000);
		expect(loudest).toBeLessThan(32_767);
	});

	test('says a longer text for longer, with pauses', async () => {
		const short = readWav((await say('Yes')).body);
		const long = readWav((await say('Yes. No. Maybe, of course.')).body);
		expect(long.samples.length).toBeGreaterThan(3 * short.samples.length);
		expect(long.samples.join(' ')).toContain(Array(6_000).fill('0').join(' '));
	});

	test.each(['…!?', '😀', '你好，世界', 'Привет', '123'])('makes a sound for %s', async (text) => {
		expect(readWav((await say(text)).body).loudest).toBeGreaterThan(5_000);
	});

	test('different voices sound different, the same one the same', async () => {
		const other = await stage.clone(wav(), 'Ben');
		const [one, again, two] = [await say('Hello'), await say('Hello'), await say('Hello', other)];
		expect(one.body.equals(again.body)).toBe(true);
		const ratio = readWav(one.body).crossings / readWav(two.body).crossings;
		expect(Math.abs(Math.log2(ratio))).toBeGreaterThan(0.1);
	});

	test('an unknown voice is refused unless a setting accepts it', async () => {
		const { status, json } = await say('Hello', 'vc_nobody');
		expect([status, json.error.code]).toEqual([404, 'unknown_voice']);
		await stage.withSettings({ unknownVoice: 'accept' }, async () => {
			expect((await say('Hello', 'vc_nobody')).status).toBe(200);
		});
	});

	test('a voice is required unless a setting makes it optional', async () => {
		const speak = async () => await stage.json('text-to-speech', { text: 'Hello' });
		expect((await speak()).status).toBe(400);
		await stage.withSettings({ voiceIdRequired: false }, async () => {
			expect(readWav((await speak()).body).loudest).toBeGreaterThan(5_000);
		});
	});

	test.each([[''], ['  \n'], [7], [null], [['a']]])('the text %j is refused', async (text) => {
		expect((await say(text)).status).toBe(400);
	});

	test('the dashboard names the voice', async () => {
		await say('Hello');
		const record = { operation: 'text-to-speech', voiceId: voice };
		expect(await stage.lastCall()).toMatchObject(record);
	});

	const hasEspeak = spawnSync('espeak-ng', ['--version']).status === 0;
	test('speaks through espeak-ng, or says that it is not installed', async () => {
		const tones = readWav((await say('Good morning')).body);
		await stage.withSettings({ ttsEngine: 'espeak' }, async () => {
			const spoken = await say('Good morning; $(touch nothing) --version');
			expect(spoken.status).toBe(hasEspeak ? 200 : 501);
			if (!hasEspeak) {
				expect(spoken.json.error.message).toContain('espeak-ng, which is not installed');
				return;
			}
			const other = await say('Good morning', await stage.clone(wav(), 'Cleo'));
			const same = await say('Good morning');
			const { header, loudest, samples } = readWav(spoken.body);
			expect(header[1]).toBe(1);
			expect(header[2]).toBeGreaterThanOrEqual(16_000);
			expect(loudest).toBeGreaterThan(3_000);
			expect(samples.length).toBeGreaterThan(16_000);
			expect(readWav(same.body).samples.length).not.toBe(tones.samples.length);
			expect(readWav(other.body).samples).not.toEqual(readWav(same.body).samples);
			expect((await stage.transcribe(spoken.body)).json.text).toContain('$(touch nothing)');
		});
	});
});

describe('speech to text', () => {
	test.each([
		'Hello',
		'Grüße aus Österreich: „schön“, "quoted", \'single\', 你好 😀',
		'Line one\nline two\ttab \\ backslash \u0000 nul',
		'A long story, told at length. '.repeat(400),
	])('returns the text of its own text to speech, and nothing else: %#', async (text) => {
		const { body } = await say(text);
		expect((await stage.transcribe(body)).json).toEqual({ text });
		await withExtraFields(async () => {
			const { json } = await stage.transcribe(body);
			expect(json).toMatchObject({ text, emulated: true });
			expect(json.note).toContain('metadata');
		});
	});

	test('states what it measured for any other recording, and that it is make-believe', async () => {
		const { json } = await stage.transcribe(wav(1.5, 44_100, 2));
		expect(json.text).toMatch(/^Make-believe.* WAV .*1\.5 seconds.*44100 Hz.*2 channels/);
	});

	test('ignores the comment of another program in a WAV file', async () => {
		const foreign = Buffer.from((await say('Secret')).body);
		foreign.write('X', foreign.indexOf('voice-speech emulator'));
		expect((await stage.transcribe(foreign)).json.text).toMatch(/^Make-believe/);
	});

	test('extra fields describe the file as it arrived', async () => {
		const file = wav(0.3);
		await withExtraFields(async () => {
			const { json } = await stage.transcribe(file, { language: 'de' });
			expect(json.language).toBe('de');
			expect(json.recording).toEqual({
				name: 'recording.wav',
				bytes: file.length,
				sha256: createHash('sha256').update(file).digest('hex'),
				format: 'WAV',
				seconds: 0.3,
				sample_rate: 16_000,
				channels: 1,
			});
		});
	});

	test('a language is optional unless a setting requires it', async () => {
		const status = async (fields = {}) => (await stage.transcribe(wav(), fields)).status;
		expect(await status({ language: 'pt-BR' })).toBe(200);
		expect(await status({ language: 'not a code' })).toBe(400);
		await stage.withSettings({ languageRequired: true }, async () => {
			expect([await status(), await status({ language: 'en' })]).toEqual([400, 200]);
		});
	});
});

describe('formats', () => {
	function withBrand(brand: string): Buffer {
		const file = m4a();
		file.write(brand, 8);
		return file;
	}

	/** An ID3v2.4 tag of 5000 bytes, before a file. */
	function tagged(file: Buffer): Buffer {
		const size = [0, 0, 5000 >> 7, 5000 & 0x7f];
		return Buffer.concat([Buffer.from('ID3\x04\0\0'), Buffer.from(size), Buffer.alloc(5000), file]);
	}

	test.each([
		['WAV', wav(1), { sample_rate: 16_000, seconds: 1 }],
		['MP3', mp3(), { sample_rate: 32_000, channels: 1 }],
		['MP3', tagged(mp3()), { sample_rate: 32_000 }],
		['FLAC', flac(), {}],
		['FLAC', tagged(flac()), {}],
		['M4A', m4a(), {}],
		['M4A', withBrand('isom'), {}],
		['M4A', withBrand('3gp4'), {}],
	])('%s is recognised by its bytes: %#', async (format, file, measured) => {
		await withExtraFields(async () => {
			const { status, json } = await stage.form('speech-to-text', [
				['file', file, { filename: 'note.txt', contentType: 'text/plain' }],
			]);
			expect([status, json.recording]).toMatchObject([200, { format, ...measured }]);
		});
	});

	test.each([
		['text', Buffer.from('This is not audio, whatever its name.')],
		['Ogg', Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0')],
		['AAC', Buffer.from('fff15080043ffcde04000000000000', 'hex')],
		['AVI', Buffer.from('RIFF\0\0\0\0AVI LIST\0\0\0\0')],
		['QuickTime', withBrand('qt  ')],
		['an image', withBrand('avif')],
		['a few bytes', Buffer.from('RI')],
	])('%s is refused, regardless of its name and type', async (_what, file) => {
		const clone = await stage.form('voice-clone', fileParts(file, { name: 'Anna' }));
		expect([clone.status, (await stage.transcribe(file)).status]).toEqual([415, 415]);
	});

	test('an empty file is refused', async () => {
		expect((await stage.transcribe(Buffer.alloc(0))).status).toBe(400);
	});
});

describe('voice cloning', () => {
	const clone = async (fields: Record<string, string>) =>
		await stage.form('voice-clone', fileParts(wav(), fields));

	test('returns the id of the voice, and nothing else', async () => {
		const name = 'Größe "Ö"';
		const { status, json } = await clone({ name });
		expect(status).toBe(200);
		expect(json).toEqual({ voice_id: expect.stringMatching(/^vc_[a-z0-9]+$/) });
		const record = { voiceId: json.voice_id, credits: 10, status: 200 };
		expect(await stage.lastCall()).toMatchObject(record);
		expect((await clone({ name })).json.voice_id).not.toBe(json.voice_id);
		await withExtraFields(async () => {
			expect((await clone({ name })).json).toMatchObject({ name, emulated: true });
		});
	});

	test('the success status can be 201', async () => {
		await stage.withSettings({ cloneStatus: 201 }, async () => {
			expect((await clone({ name: 'Anna' })).status).toBe(201);
		});
	});

	test('needs a name', async () => {
		expect([(await clone({})).status, (await clone({ name: ' ' })).status]).toEqual([400, 400]);
	});
});
