import { createRecording } from '../../../dev/demo/samples.mts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
} from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

const token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

interface Webhook {
	url: string;
	allowed_updates: string[];
	secret_token: string;
}

/** A message that the bot sent. */
interface Reply {
	chat_id: number;
	text: string;
	parse_mode: string;
	reply_to_message_id: number;
}

/**
 * People talk to a bot; a stand-in of Telegram sends their messages, and receives the replies. It has what
 * https://core.telegram.org/bots/api documents, as far as n8n uses it.
 */
describeExample('telegram-voice-to-transcript', (example) => {
	const ada = { id: 41, type: 'private' };
	const group = { id: -1001, type: 'supergroup' };
	/** The users' files by their IDs, which are their paths too. */
	const files = new Map<string, Buffer>();
	let webhook: Webhook;
	let sent: Reply[] = [];
	let messages = 0;

	beforeAll(async () => {
		runner.appProxy.setApp('api.telegram.org', undefined, respondAsTelegram);
		const api = { type: 'telegramApi', data: { accessToken: token } };
		await runner.publish(example, {}, [
			{ nodeType: 'telegramTrigger', ...api },
			{ nodeType: 'telegram', ...api },
		]);
	});

	const refuse = (code: number, description: string) =>
		respondWithJson({ ok: false, error_code: code, description }, code);

	function respondAsTelegram({ pathname }: URL, { body }: RecordedRequest) {
		const [, file, method = ''] =
			new RegExp(`^/(file/)?bot${token}/(.*)$`).exec(decodeURIComponent(pathname)) ?? [];
		if (file !== undefined) {
			const content = files.get(method);
			return content
				? respondWithBytes(content, 'application/octet-stream')
				: refuse(404, 'Not Found');
		}
		const parameters = JSON.parse(body.toString() || '{}') as object;
		if (method === 'sendMessage') return keep(parameters as Reply);
		if (method === 'getFile') return findFile((parameters as { file_id: string }).file_id);
		if (method === 'setWebhook') webhook = parameters as Webhook;
		return { ok: true, result: method === 'getWebhookInfo' ? { url: '' } : true };
	}

	function findFile(id: string) {
		const content = files.get(id);
		if (!content) return refuse(400, 'Bad Request: invalid file_id');
		if (content.length > 20_000_000) return refuse(400, 'Bad Request: file is too big');
		return { ok: true, result: { file_id: id, file_size: content.length, file_path: id } };
	}

	function keep(reply: Reply) {
		// Tags and an open "<" are not text in HTML; in Markdown, a single "_" or "*" is not.
		if (reply.parse_mode !== 'HTML' || /<|&(?!(amp|lt|gt);)/.test(reply.text)) {
			return refuse(400, "Bad Request: can't parse entities");
		}
		const unescaped = reply.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
		const text = unescaped.replaceAll('&amp;', '&');
		if (text === '' || [...text].length > 4096) return refuse(400, 'Bad Request');
		sent.push({ ...reply, text });
		return { ok: true, result: { message_id: sent.length } };
	}

	/** Sends a message to the bot, as Telegram does; returns the texts of the replies, which must belong to it. */
	async function say(content: object, chat = ada) {
		messages += 1;
		const about = { message_id: messages, date: 1_900_000_000, from: { id: 41 }, chat };
		const update = { update_id: messages, message: { ...about, ...content } };
		const headers = { 'x-telegram-bot-api-secret-token': webhook.secret_token };
		sent = [];
		const { paid } = await runner.send(example, webhook.url, update, headers);
		for (const reply of sent) {
			expect(reply).toMatchObject({ chat_id: chat.id, reply_to_message_id: messages });
		}
		return { paid, replies: sent.map(({ text }) => text) };
	}

	/** A file that is at Telegram, as messages refer to it. */
	function upload(extension: string, content: Buffer) {
		const id = `voice/file_${files.size}.${extension}`;
		files.set(id, content);
		return { file_id: id, file_unique_id: id, file_size: content.length, duration: 1 };
	}

	const uploadRecording = async (text: string) => upload('wav', await runner.speak(text));
	const paid = ['speech-to-text'];

	it('publishing registers the address, and a voice message, OGG Opus, is transcribed', async () => {
		expect(webhook).toMatchObject({
			url: expect.stringMatching(/\/webhook\/[\w-]+\/webhook$/) as string,
			allowed_updates: ['message'],
			secret_token: expect.stringMatching(/^[\w-]{1,256}$/) as string,
		});
		const voice = { ...upload('oga', readAudioFile('opus.opus')), mime_type: 'audio/ogg' };
		const transcript = expect.stringMatching(/^Make-believe transcript: /) as string;
		expect(await say({ voice })).toEqual({ replies: [transcript], paid });
	});

	it('recordings of all other kinds are answered with their transcripts, also in a group', async () => {
		const text = 'Grüße _aus_ Köln: *1 < 2* & [mehr](so).';
		const file = await uploadRecording(text);
		const contents = [
			{ audio: file },
			{ video_note: file },
			{ document: { ...file, file_name: 'call.bin', mime_type: 'audio/x-m4a' } },
			{ document: { ...file, file_name: 'Grüße.OGA', mime_type: 'application/octet-stream' } },
		];
		for (const content of contents) {
			expect(await say(content, group)).toEqual({ replies: [text], paid });
		}
	});

	it('texts, other documents and animations are ignored in a group, and cost nothing', async () => {
		const pdf = { ...upload('pdf', Buffer.from('%PDF-1.7')), mime_type: 'application/pdf' };
		// Telegram sends an animation as a document too.
		const animation = { ...upload('mp4', Buffer.from('')), mime_type: 'video/mp4' };
		const contents = [
			{ text: 'Good morning!' },
			{ document: { ...pdf, file_name: 'letter.pdf' } },
			{ animation, document: { ...animation, file_name: 'cat.mp4' } },
		];
		for (const content of contents) {
			expect(await say(content, group)).toEqual({ replies: [], paid: [] });
		}
		// A person learns what the bot does.
		const help = expect.stringMatching(/voice message/) as string;
		expect(await say({ text: '/start' })).toEqual({ replies: [help], paid: [] });
	});

	it('a long transcript comes in several messages, in order; one without words says so', async () => {
		// A voice would need more time than tones, so the file would be too large for a bot.
		await runner.changeSettings({ ttsEngine: 'tones' });
		const words = Array.from({ length: 800 }, (_, index) => `<${index}>`).join(' ');
		const long = await say({ voice: await uploadRecording(words) });
		expect(long.replies).toHaveLength(2);
		expect(long.replies.join(' ')).toBe(words);
		expect(long.paid).toEqual(paid);

		const silence = upload('wav', await createRecording(' '));
		const replies = ['I heard no words in this recording.'];
		expect(await say({ voice: silence })).toEqual({ replies, paid });
	});

	it('what fails is answered without a reason, and costs nothing', async () => {
		const failing = [
			{ file: upload('mp3', Buffer.from('no audio at all')), text: /^Sorry, / },
			{ file: { file_id: 'gone' }, text: /^Sorry, / },
			{ file: upload('wav', Buffer.alloc(20_000_001)), text: /^This file is too/ },
			{ file: await uploadRecording('Hello.'), text: /^Sorry, [^:]+\. Please try again later\.$/ },
		];
		await runner.changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		for (const { file, text } of failing) {
			const replies = [expect.stringMatching(text)];
			expect(await say({ audio: file })).toEqual({ replies, paid: [] });
			expect(sent[0]!.text).not.toMatch(/http|WAV|file_/);
		}
	});
});
