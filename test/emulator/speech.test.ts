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

/** The samples of a WAV file of 16 bit, and what its header says about them. */
function readWav(file: Buffer) {
	const data = file.indexOf('data', 12, 'latin1');
	expect(file.length).toBe(data + 8 + file.readUInt32LE(data + 4));
	expect(file.readUInt32LE(4)).toBe(file.length - 8);
	const samples = Array.from({ length: (file.length - data - 8) / 2 }, (_, index) =>
		file.readInt16LE(data + 8 + index * 2),
	);
	const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
	const header = [file.readUInt16LE(20), file.readUInt16LE(22)];
	return { header: [...header, file.readUInt32LE(24), file.readUInt16LE(34)], samples, loudest };
}

describe('text to speech', () => {
	test.each(['Yes', '…!?', '😀', '你好，世界', 'Привет', '123'])(
		'makes audible 16 kHz mono WAV of %s, and the dashboard names the voice',
		async (text) => {
			const { status, headers, body } = await say(text);
			expect([status, headers['content-type']]).toEqual([200, 'audio/wav']);
			const { header, loudest } = readWav(body);
			expect(header).toEqual([1, 1, 16_000, 16]);
			expect(loudest).toBeGreaterThan(5_000);
			expect(loudest).toBeLessThan(32_767);
			const record = { operation: 'text-to-speech', voiceId: voice };
			expect(await stage.lastCall()).toMatchObject(record);
		},
	);

	test('says a longer text for longer, with pauses', async () => {
		const short = readWav((await say('Yes')).body);
		const long = readWav((await say('Yes. No. Maybe, of course.')).body);
		expect(long.samples.length).toBeGreaterThan(3 * short.samples.length);
		expect(long.samples.join(' ')).toContain(Array(6_000).fill('0').join(' '));
	});

	test('different voices sound different, the same one the same', async () => {
		const other = await stage.clone(wav(), 'Ben');
		const [one, again, two] = [await say('Hello'), await say('Hello'), await say('Hello', other)];
		expect(one.body.equals(again.body)).toBe(true);
		expect(readWav(two.body).samples).not.toEqual(readWav(one.body).samples);
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

	// Without espeak-ng: choices.test.ts.
	const hasEspeak = spawnSync('espeak-ng', ['--version']).status === 0;
	(hasEspeak ? test : test.skip)(
		'speaks through espeak-ng, which gets the text as text',
		async () => {
			await stage.withSettings({ ttsEngine: 'espeak' }, async () => {
				const spoken = await say('Good morning; $(touch nothing) --version');
				expect(readWav(spoken.body).loudest).toBeGreaterThan(3_000);
				const other = await say('Good morning', await stage.clone(wav(), 'Cleo'));
				const same = await say('Good morning');
				expect(readWav(other.body).samples).not.toEqual(readWav(same.body).samples);
				expect((await stage.transcribe(spoken.body)).json.text).toContain('$(touch nothing)');
			});
		},
	);
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
		// The comment of another program in a WAV file says nothing.
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
		['text', Buffer.from('This is not audio, whatever its name.'), 415],
		['Ogg', Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0'), 415],
		['AAC', Buffer.from('fff15080043ffcde04000000000000', 'hex'), 415],
		['AVI', Buffer.from('RIFF\0\0\0\0AVI LIST\0\0\0\0'), 415],
		['QuickTime', withBrand('qt  '), 415],
		['an image', withBrand('avif'), 415],
		['a few bytes', Buffer.from('RI'), 415],
		['an empty file', Buffer.alloc(0), 400],
	])('%s is refused, regardless of its name and type', async (_what, file, status) => {
		const clone = await stage.form('voice-clone', fileParts(file, { name: 'Anna' }));
		expect([clone.status, (await stage.transcribe(file)).status]).toEqual([status, status]);
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

	test('needs a name, and the success status can be 201', async () => {
		expect([(await clone({})).status, (await clone({ name: ' ' })).status]).toEqual([400, 400]);
		await stage.withSettings({ cloneStatus: 201 }, async () => {
			expect((await clone({ name: 'Anna' })).status).toBe(201);
		});
	});
});
