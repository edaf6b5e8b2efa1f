import { createRecording } from '../../../dev/demo/samples.mts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import { BotApi } from './botApi.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** People talk to a bot; a server in place of Telegram sends their messages, and receives the replies. */
export function testTelegram(runner: () => ExampleRunner): void {
	const example = 'telegram-voice-to-transcript';
	const ada = { id: 41, type: 'private' };
	const group = { id: -1001, type: 'supergroup' };
	let api: BotApi;
	let messages = 0;

	beforeAll(async () => {
		api = await BotApi.start();
		await runner().publish(example, {}, [
			{ nodeType: 'telegramTrigger', type: 'telegramApi', data: api.credential },
			{ nodeType: 'telegram', type: 'telegramApi', data: api.credential },
		]);
	});
	afterAll(async () => await api?.stop());

	/** Sends a message to the bot; returns the texts of the replies, which must belong to it. */
	async function say(content: object, chat = ada) {
		messages += 1;
		const message = {
			message_id: messages,
			date: 1_900_000_000,
			from: { id: 41 },
			chat,
			...content,
		};
		const deliver = async () => expect(await api.deliver(message)).toBe(200);
		const { paid } = await runner().startAndWait(example, deliver);
		const replies = api.sent.splice(0);
		for (const reply of replies) {
			expect(reply).toMatchObject({ chat_id: chat.id, reply_to_message_id: messages });
		}
		return { paid, replies: replies.map(({ text }) => text) };
	}

	/** A file that is at Telegram, as messages refer to it. */
	function upload(extension: string, content: Buffer) {
		const id = `id-${api.files.size}`;
		api.files.set(id, { path: `voice/file_${api.files.size}.${extension}`, content });
		return { file_id: id, file_unique_id: `unique-${id}`, file_size: content.length, duration: 1 };
	}

	const uploadRecording = async (text: string) => upload('wav', await runner().speak(text));

	it('publishing registers the address of the workflow', () => {
		expect(api.webhook).toMatchObject({
			url: expect.stringMatching(/\/webhook\/[\w-]+\/webhook$/) as string,
			allowed_updates: ['message'],
			secret_token: expect.stringMatching(/^[\w-]{1,256}$/) as string,
		});
	});

	it('a voice message of Telegram, OGG Opus, is transcribed', async () => {
		const voice = upload('oga', readAudioFile('opus.opus'));
		const { replies, paid } = await say({ voice: { ...voice, mime_type: 'audio/ogg' } });
		expect(replies).toEqual([expect.stringMatching(/^Make-believe transcript: /)]);
		expect(paid).toEqual(['speech-to-text']);
	});

	it.each(['audio', 'video_note'])(
		'a message with the field "%s" is answered with its transcript',
		async (field) => {
			const text = 'Grüße _aus_ Köln: *1 < 2* & [mehr](so).';
			const { replies, paid } = await say({ [field]: await uploadRecording(text) }, group);
			expect(replies).toEqual([text]);
			expect(paid).toEqual(['speech-to-text']);
		},
	);

	it.each([
		{ file_name: 'call.bin', mime_type: 'audio/x-m4a' },
		{ file_name: 'Grüße.OGA', mime_type: 'application/octet-stream' },
	])('a recording that is sent as the document %j is answered, also in a group', async (about) => {
		const document = { ...(await uploadRecording('As a document.')), ...about };
		const { replies, paid } = await say({ document }, group);
		expect(replies).toEqual(['As a document.']);
		expect(paid).toEqual(['speech-to-text']);
	});

	it('other documents and animations are ignored in a group, and cost nothing', async () => {
		const file = { ...upload('pdf', Buffer.from('%PDF-1.7')), mime_type: 'application/pdf' };
		const letter = { ...file, file_name: 'letter.pdf' };
		expect(await say({ document: letter }, group)).toMatchObject({ replies: [], paid: [] });
		// Telegram sends an animation as a document too.
		const animation = { ...upload('mp4', Buffer.from('')), mime_type: 'video/mp4' };
		const message = { animation, document: { ...animation, file_name: 'cat.mp4' } };
		expect(await say(message, group)).toMatchObject({ replies: [], paid: [] });
	});

	it('a long transcript comes in several messages, in order', async () => {
		// A voice would need more time than tones, so the file would be too large for a bot.
		await runner().changeSettings({ ttsEngine: 'tones' });
		const words = Array.from({ length: 800 }, (_, index) => `<${index}>`);
		const { replies, paid } = await say({ voice: await uploadRecording(words.join(' ')) });
		expect(replies).toHaveLength(2);
		expect(replies.join(' ')).toBe(words.join(' '));
		expect(paid).toEqual(['speech-to-text']);
	});

	it('a recording without words is answered', async () => {
		const silence = upload('wav', await createRecording(' '));
		const { replies, paid } = await say({ voice: silence });
		expect(replies).toEqual(['I heard no words in this recording.']);
		expect(paid).toEqual(['speech-to-text']);
	});

	it.each([
		{
			what: 'is not audio',
			file: () => upload('mp3', Buffer.from('no audio at all')),
			text: /^Sorry, /,
		},
		{ what: 'is gone', file: () => ({ file_id: 'gone' }), text: /^Sorry, / },
		{
			what: 'is too large',
			file: () => upload('wav', Buffer.alloc(20_000_001)),
			text: /^This file is too/,
		},
	])(
		'a file that $what is answered without a reason, and costs nothing',
		async ({ file, text }) => {
			const { replies, paid } = await say({ audio: file() });
			expect(replies).toEqual([expect.stringMatching(text)]);
			expect(replies[0]).not.toMatch(/http|WAV|file_/);
			expect(paid).toEqual([]);
		},
	);

	it('if the service fails, the person gets a text without its reason', async () => {
		const voice = await uploadRecording('Hello.');
		await runner().changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		const { replies, paid } = await say({ voice });
		expect(replies).toEqual([expect.stringMatching(/^Sorry, [^:]+\. Please try again later\.$/)]);
		expect(paid).toEqual([]);
	});

	it('a person who writes learns what the bot does, and a group is left alone', async () => {
		expect((await say({ text: '/start' })).replies).toEqual([
			expect.stringMatching(/voice message/),
		]);
		expect(await say({ text: 'Good morning!' }, group)).toMatchObject({ replies: [], paid: [] });
	});

	it('nobody but Telegram can send messages', async () => {
		const voice = await uploadRecording('Hi.');
		const { result, paid } = await runner().runAndListPaid(
			async () => await api.deliver({ chat: ada, voice }, 'guessed'),
		);
		expect([result, paid]).toEqual([403, []]);
	});
}
