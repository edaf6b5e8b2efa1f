import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type RecordedRequest,
} from '../../support/servers/scriptedServer.mts';

interface Webhook {
	url: string;
	allowed_updates: string[];
	secret_token: string;
}

/** A message that the bot sent. */
export interface SentMessage {
	chat_id: number;
	text: string;
	parse_mode: string;
	reply_to_message_id: number;
}

/**
 * Telegram's Bot API with one bot, as far as https://core.telegram.org/bots/api documents what n8n uses. Like a local
 * Bot API server, it also accepts webhooks without https.
 */
export class BotApi {
	webhook: Webhook | undefined;

	readonly sent: SentMessage[] = [];

	/** The users' files by their IDs. */
	readonly files = new Map<string, { path: string; content: Buffer }>();

	private updates = 0;

	private constructor(
		private readonly server: ScriptedServer,
		private readonly token: string,
	) {
		server.respond = (request, response, index) =>
			this.chooseResponder(request)(request, response, index);
	}

	static async start(): Promise<BotApi> {
		return new BotApi(await ScriptedServer.start(), '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw');
	}

	/** The credential for n8n's Telegram nodes. */
	get credential() {
		return { accessToken: this.token, baseUrl: this.server.baseUrl };
	}

	/** Sends an update to the bot's webhook, as Telegram does. */
	async deliver(message: object, secret = this.webhook!.secret_token): Promise<number> {
		this.updates += 1;
		const response = await fetch(this.webhook!.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-telegram-bot-api-secret-token': secret,
			},
			body: JSON.stringify({ update_id: this.updates, message }),
		});
		return response.status;
	}

	async stop(): Promise<void> {
		await this.server.stop();
	}

	private chooseResponder({ url, body }: RecordedRequest) {
		const [, kind, token, rest = ''] = /^\/(file\/)?bot([^/]+)\/(.*)$/.exec(url) ?? [];
		if (token !== this.token) return respondWithRefusal(401, 'Unauthorized');
		if (kind !== undefined) {
			const file = [...this.files.values()].find(({ path }) => path === rest);
			return file
				? respondWithBytes(file.content, 'application/octet-stream')
				: respondWithRefusal(404, 'Not Found');
		}
		const parameters = JSON.parse(body.toString() || '{}') as object;
		return this.call(rest, parameters);
	}

	private call(method: string, parameters: object) {
		switch (method) {
			case 'getWebhookInfo':
				return respondWithResult({ url: this.webhook?.url ?? '' });
			case 'setWebhook':
				this.webhook = parameters as Webhook;
				return respondWithResult(true);
			case 'deleteWebhook':
				this.webhook = undefined;
				return respondWithResult(true);
			case 'getFile':
				return this.getFile((parameters as { file_id: string }).file_id);
			case 'sendMessage':
				return this.sendMessage(parameters as SentMessage);
			default:
				return respondWithRefusal(404, 'Not Found');
		}
	}

	private getFile(id: string) {
		const file = this.files.get(id);
		if (!file) return respondWithRefusal(400, 'Bad Request: invalid file_id');
		if (file.content.length > 20_000_000) {
			return respondWithRefusal(400, 'Bad Request: file is too big');
		}
		return respondWithResult({ file_id: id, file_size: file.content.length, file_path: file.path });
	}

	private sendMessage(message: SentMessage) {
		if (message.text === '') return respondWithRefusal(400, 'Bad Request: message text is empty');
		// Tags and an open "<" are not text in HTML; in Markdown, a single "_" or "*" is not.
		if (message.parse_mode !== 'HTML' || /<|&(?!(amp|lt|gt);)/.test(message.text)) {
			return respondWithRefusal(400, "Bad Request: can't parse entities");
		}
		const text = message.text
			.replaceAll('&lt;', '<')
			.replaceAll('&gt;', '>')
			.replaceAll('&amp;', '&');
		if ([...text].length > 4096) return respondWithRefusal(400, 'Bad Request: message is too long');
		this.sent.push({ ...message, text });
		return respondWithResult({ message_id: this.sent.length });
	}
}

const respondWithResult = (value: unknown) => respondWithJson({ ok: true, result: value });

const respondWithRefusal = (code: number, description: string) =>
	respondWithJson({ ok: false, error_code: code, description }, code);
