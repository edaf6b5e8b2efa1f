import { fileParts, Stage } from './client';
import { flac, m4a, mp3, wav } from '../support/recordings';
import { sha256 } from '../support/scriptedServer';
import { id3Tag } from '../support/tags';

const stage = new Stage([], {}, { ttsEngine: 'tones' });
let voice: string;
beforeAll(async () => (voice = await stage.clone(wav())));

const say = async (text: unknown, voiceId: unknown = voice) =>
	await stage.json('text-to-speech', { text, voice_id: voiceId });
const withExtraFields = async (task: () => Promise<void>) =>
	await stage.withSettings({ extraResponseFields: true }, task);

describe('text to speech', () => {
	test.each(['Yes', '…!?', '你好，世界 😀', 'Привет'])(
		'makes audible 16 kHz mono WAV of %s, and the dashboard names the voice',
		async (text) => {
			const { status, headers, body } = await say(text);
			expect([status, headers['content-type']]).toEqual([200, 'audio/wav']);
			// Channels, rate and bits of a sample.
			const header = [body.readUInt16LE(22), body.readUInt32LE(24), body.readUInt16LE(34)];
			expect(header).toEqual([1, 16_000, 16]);
			const samples = body.subarray(body.indexOf('data', 12) + 8);
			expect(samples.filter((byte) => byte > 20 && byte < 235).length).toBeGreaterThan(1_000);
			const record = { operation: 'text-to-speech', voiceId: voice };
			expect(await stage.lastCall()).toMatchObject(record);
		},
	);

	test('different voices sound different, the same one the same; a longer text takes longer', async () => {
		const other = await stage.clone(wav(), 'Ben');
		const [one, again, two] = [await say('Hello'), await say('Hello'), await say('Hello', other)];
		expect(one.body.equals(again.body)).toBe(true);
		expect(two.body.equals(one.body)).toBe(false);
		const long = await say('Hello. No. Maybe, of course.');
		expect(long.body.length).toBeGreaterThan(2 * one.body.length);
	});

	test('an unknown voice is refused unless settings accept it, or none', async () => {
		const { status, json } = await say('Hello', 'vc_nobody');
		expect([status, json.error.code]).toEqual([404, 'unknown_voice']);
		await stage.withSettings({ unknownVoice: 'accept', voiceIdRequired: false }, async () => {
			expect((await say('Hello', 'vc_nobody')).status).toBe(200);
			expect((await stage.json('text-to-speech', { text: 'Hello' })).status).toBe(200);
		});
	});

	test.each([['  \n'], [7], [null]])('the text %j is refused', async (text) => {
		expect((await say(text)).status).toBe(400);
	});
});

describe('speech to text', () => {
	test.each([
		'Grüße aus Österreich: „schön“, "quoted", \'single\', 你好 😀',
		'Line one\nline two\ttab \\ backslash \u0000 nul',
		'A long story, told at length. '.repeat(400),
	])('returns the text of its own text to speech, and nothing else: %#', async (text) => {
		const { body } = await say(text);
		expect((await stage.transcribe(body)).json).toEqual({ text });
	});

	test('states what it measured for any other recording, and that it is make-believe', async () => {
		const { json } = await stage.transcribe(wav(1.5, 44_100, 2));
		expect(json.text).toMatch(/^Make-believe.* WAV .*1\.5 seconds.*44100 Hz.*2 channels/);
	});

	test('extra fields describe the file as it arrived', async () => {
		const file = wav(0.3);
		await withExtraFields(async () => {
			const { json } = await stage.transcribe(file, { language: 'de' });
			expect(json.language).toBe('de');
			expect(json.recording).toEqual({
				...{ name: 'recording.wav', bytes: file.length, sha256: sha256(file) },
				...{ format: 'WAV', seconds: 0.3, sample_rate: 16_000, channels: 1 },
			});
		});
	});
});

describe('formats', () => {
	function withBrand(brand: string): Buffer {
		const file = m4a();
		file.write(brand, 8);
		return file;
	}

	test.each([
		['WAV', wav(1), { sample_rate: 16_000, seconds: 1 }],
		['MP3', Buffer.concat([id3Tag(5000), mp3()]), { sample_rate: 32_000 }],
		['FLAC', flac(), {}],
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
		['QuickTime', withBrand('qt  '), 415],
		['an empty file', Buffer.alloc(0), 400],
	])('%s is refused, regardless of its name and type', async (_what, file, status) => {
		const clone = await stage.form('voice-clone', fileParts(file, { name: 'Anna' }));
		expect([clone.status, (await stage.transcribe(file)).status]).toEqual([status, status]);
	});
});

test('voice cloning returns the id of the voice, and nothing else', async () => {
	const clone = async () =>
		await stage.form('voice-clone', fileParts(wav(), { name: 'Größe "Ö"' }));
	const { json } = await clone();
	expect(json).toEqual({ voice_id: expect.stringMatching(/^vc_[a-z0-9]+$/) });
	const record = { voiceId: json.voice_id, credits: 10, status: 200 };
	expect(await stage.lastCall()).toMatchObject(record);
	await stage.withSettings({ cloneStatus: 201, extraResponseFields: true }, async () => {
		const other = await clone();
		expect([other.status, other.json]).toMatchObject([201, { name: 'Größe "Ö"', emulated: true }]);
		expect(other.json.voice_id).not.toBe(json.voice_id);
	});
});
