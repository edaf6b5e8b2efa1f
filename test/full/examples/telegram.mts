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
	/** The users' files by their IDs, which are their paths too. */
	const files = new Map<string, Buffer>();
	let webhook: Webhook;
	const sent: Reply[] = [];

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

	/**
	 * Sends messages to the bot, as Telegram does, without waiting for replies.
	 *
	 * @returns the texts of the replies to each message, as one text, and what was paid
	 */
	async function say(messages: Array<{ chat: { id: number }; content: object }>) {
		const headers = { 'x-telegram-bot-api-secret-token': webhook.secret_token };
		const updates = messages.map(({ chat, content }, index) => {
			const about = { message_id: index + 1, date: 1_900_000_000, from: { id: 41 }, chat };
			return { update_id: index + 1, message: { ...about, ...content } };
		});
		const task = async () => {
			for (const update of updates) {
				expect((await runner.post(webhook.url, update, headers)).status).toBe(200);
			}
		};
		const { paid } = await runner.startAllAndWait(example, task, updates.length);
		const replies = messages.map(({ chat }, index) =>
			sent
				.filter((reply) => reply.chat_id === chat.id && reply.reply_to_message_id === index + 1)
				.map(({ text }) => text)
				.join(' '),
		);
		return { paid, replies };
	}

	/** A file that is at Telegram, as messages refer to it. */
	function upload(extension: string, content: Buffer) {
		const id = `voice/file_${files.size}.${extension}`;
		files.set(id, content);
		return { file_id: id, file_unique_id: id, file_size: content.length, duration: 1 };
	}

	const uploadRecording = async (text: string) => upload('wav', await runner.speak(text));

	it('replies to recordings with their transcripts, and to the rest only in a private chat', async () => {
		// A long text in a voice would be too large for a bot.
		await runner.changeSettings({ ttsEngine: 'tones' });
		const ada = { id: 41, type: 'private' };
		const group = { id: -1001, type: 'supergroup' };
		const voice = { ...upload('oga', readAudioFile('opus.opus')), mime_type: 'audio/ogg' };
		const text = 'Grüße _aus_ Köln: *1 < 2* & [mehr](so).';
		const file = await uploadRecording(text);
		const recordings = [
			{ audio: file },
			{ video_note: file },
			{ document: { ...file, file_name: 'call.bin', mime_type: 'audio/x-m4a' } },
			{ document: { ...file, file_name: 'Grüße.OGA', mime_type: 'application/octet-stream' } },
		];
		// More than one message may have.
		const long = Array.from({ length: 800 }, (_, index) => `<${index}>`).join(' ');
		const pdf = { ...upload('pdf', Buffer.from('%PDF-1.7')), mime_type: 'application/pdf' };
		// Telegram sends an animation as a document too.
		const animation = { ...upload('mp4', Buffer.from('')), mime_type: 'video/mp4' };
		const ignored = [
			{ text: 'Good morning!' },
			{ document: { ...pdf, file_name: 'letter.pdf' } },
			{ animation, document: { ...animation, file_name: 'cat.mp4' } },
		];
		const failing = [upload('mp3', Buffer.from('no audio at all')), { file_id: 'gone' }];
		const tooLarge = upload('wav', Buffer.alloc(20_000_001));
		const silence = upload('wav', await createRecording(' '));
		const createExpected = (pattern: RegExp) => expect.stringMatching(pattern) as string;
		const transcribed = [
			{ chat: ada, content: { voice }, reply: createExpected(/^Make-believe transcript: /) },
			...recordings.map((content) => ({ chat: group, content, reply: text })),
			{ chat: ada, content: { voice: await uploadRecording(long) }, reply: long },
			{ chat: ada, content: { voice: silence }, reply: 'I heard no words in this recording.' },
		];
		const others = [
			...ignored.map((content) => ({ chat: group, content, reply: '' })),
			{ chat: ada, content: { text: '/start' }, reply: createExpected(/voice message/) },
			// The reason is not for whoever writes.
			...failing.map((audio) => ({
				chat: ada,
				content: { audio },
				reply: createExpected(/^Sorry, [^:]+\. Please try again later\.$/),
			})),
			{ chat: ada, content: { audio: tooLarge }, reply: createExpected(/^This file is too large/) },
		];
		const messages = [...transcribed, ...others];
		const { replies, paid } = await say(messages);
		expect(replies).toEqual(messages.map(({ reply }) => reply));
		expect(paid).toEqual(transcribed.map(() => 'speech-to-text'));
	});
});
