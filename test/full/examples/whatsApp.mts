import { createHmac, randomUUID } from 'node:crypto';

import { readAudioFile } from '../../support/media/audioFiles.mts';
import { ScriptedModel } from '../../support/servers/scriptedModel.mts';
import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import type { ExampleRunner } from './exampleRunner.mts';

const app = { clientId: '1234567890', clientSecret: 'app-secret' };
const accessToken = 'EAAG-stand-in';
const appToken = `${app.clientId}|app-token`;
const phoneNumberId = '106540352242922';
const person = '4915112345678';

interface Reply {
	to: string;
	type: string;
	text?: { body: string };
	audio?: { link: string };
}

/** The nodes of a spoken reply, which a person activates. `publish` activates all that get a credential. */
const silent = { 'Send Speech': { disabled: true } };

/**
 * People write to a number of WhatsApp; a stand-in of Meta sends their messages, and receives the replies. It has what
 * https://developers.facebook.com/docs/whatsapp/cloud-api documents, as far as n8n uses it.
 */
export function testWhatsApp(runner: () => ExampleRunner): void {
	const example = 'whatsapp-voice-to-reply';
	const media = new Map<string, Buffer>();
	let subscription: { callback_url: string; fields: string } | undefined;
	let replies: Reply[] = [];

	const credentials = [
		{ nodeType: 'whatsAppTrigger', type: 'whatsAppTriggerApi', data: app },
		...['whatsApp', 'httpRequest'].map((nodeType) => ({
			nodeType,
			type: 'whatsAppApi',
			data: { accessToken, businessAccountId: '102290129340398' },
		})),
	];

	beforeAll(async () => {
		const { hosts } = runner().appProxy;
		hosts.set('graph.facebook.com', (request, response, index) =>
			respondAsGraph(request)(request, response, index),
		);
		hosts.set('lookaside.fbsbx.com', ({ url, headers }, response, index) => {
			const isAllowed = headers.authorization === `Bearer ${accessToken}`;
			const content = isAllowed ? media.get(url.split('mid=')[1]!) : undefined;
			const respond = content ? respondWithBytes(content, 'audio/ogg') : refuse(404);
			return respond({} as RecordedRequest, response, index);
		});
		await runner().publish(example, {}, credentials, silent);
	});

	beforeEach(() => {
		replies = [];
	});

	function respondAsGraph({ method, url, headers, body }: RecordedRequest): Responder {
		const path = new URL(url, 'https://graph.facebook.com').pathname.replace(/^\/v\d+\.0/, '');
		if (path === '/oauth/access_token') return respondWithJson({ access_token: appToken });
		if (path === `/${app.clientId}/subscriptions`) {
			if (headers.authorization !== `Bearer ${appToken}`) return refuse(401);
			if (method === 'GET') return respondWithJson({ data: [] });
			subscription = method === 'POST' ? (JSON.parse(body.toString()) as never) : undefined;
			return respondWithJson({ success: true });
		}
		if (headers.authorization !== `Bearer ${accessToken}`) return refuse(401);
		if (path === `/${phoneNumberId}/messages`) {
			const reply = JSON.parse(body.toString()) as Reply;
			const { text } = reply;
			if (text && (text.body === '' || text.body.length > 4096)) return refuse(400);
			replies.push(reply);
			return respondWithJson({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.reply' }] });
		}
		const id = path.slice(1);
		if (!media.has(id)) return refuse(400);
		const address = `https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=${id}`;
		return respondWithJson({ url: address, mime_type: 'audio/ogg', id });
	}

	/** A file that a person has sent, as messages refer to it. */
	function upload(content: Buffer, mimeType = 'audio/ogg; codecs=opus') {
		const id = randomUUID();
		media.set(id, content);
		return { id, mime_type: mimeType, sha256: 'unused' };
	}

	const createMessage = (content: object) => ({
		from: person,
		id: `wamid.${randomUUID()}`,
		timestamp: '1900000000',
		...content,
	});

	/** Sends a change to n8n, as Meta does; with the secret of the app, n8n knows that it comes from Meta. */
	async function deliver(value: object, secret = app.clientSecret): Promise<number> {
		const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', ...value } }];
		const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ changes }] });
		const signature = createHmac('sha256', secret).update(body).digest('hex');
		const response = await fetch(subscription!.callback_url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-hub-signature-256': `sha256=${signature}`,
			},
			body,
		});
		return response.status;
	}

	/** Sends messages to the number; returns what was paid, and the texts of the replies. */
	async function say(...messages: object[]) {
		const metadata = { display_phone_number: '15550783881', phone_number_id: phoneNumberId };
		const contacts = [{ profile: { name: 'Ada' }, wa_id: person }];
		const { paid } = await runner().startAndWait(example, async () => {
			expect(await deliver({ metadata, contacts, messages })).toBe(200);
		});
		for (const reply of replies) expect(reply).toMatchObject({ to: person });
		return {
			paid,
			replies: replies.flatMap(({ text }) => text?.body ?? []),
			links: replies.flatMap(({ audio }) => audio?.link ?? []),
		};
	}

	const speak = async (text: string) => upload(await runner().speak(text), 'audio/wav');

	it('publishing subscribes to messages', () => {
		expect(subscription).toMatchObject({
			callback_url: expect.stringMatching(/\/webhook\/[\w-]+\/webhook$/) as string,
			fields: '["messages"]',
		});
	});

	it('a voice message of WhatsApp, OGG Opus, is transcribed once, even if it is sent again', async () => {
		const audio = { ...upload(readAudioFile('opus.opus')), voice: true };
		const message = createMessage({ type: 'audio', audio });
		const { replies, paid } = await say(message);
		expect(replies).toEqual([expect.stringMatching(/^Make-believe transcript: /)]);
		expect(paid).toEqual(['speech-to-text']);
		expect((await say(message)).paid).toEqual([]);
	});

	it('each recording of a message with several is answered, also a video or a document', async () => {
		const video = await speak('One.');
		const document = { ...(await speak('Two.')), filename: 'two.wav' };
		const { replies, paid } = await say(
			createMessage({ type: 'video', video: { ...video, mime_type: 'video/mp4' } }),
			createMessage({ type: 'document', document }),
		);
		expect(replies.sort()).toEqual(['One.', 'Two.']);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
	});

	it('a person who writes learns what the number does; other messages cost nothing either', async () => {
		const document = { ...upload(Buffer.from('%PDF-1.7'), 'application/pdf'), filename: 'a.pdf' };
		const { replies, paid } = await say(
			createMessage({ type: 'text', text: { body: 'Hello' } }),
			createMessage({ type: 'document', document }),
			createMessage({ type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '+' } }),
		);
		expect(replies).toEqual([expect.stringMatching(/voice message/)]);
		expect(paid).toEqual([]);
	});

	it('a long transcript comes in several messages, in order', async () => {
		await runner().changeSettings({ ttsEngine: 'tones' });
		const text = Array.from({ length: 900 }, (_, index) => `<${index}>`).join(' ');
		const { replies } = await say(createMessage({ type: 'audio', audio: await speak(text) }));
		expect(replies).toHaveLength(2);
		expect(replies.join(' ')).toBe(text);
	});

	it.each([
		{ what: 'is not audio', file: () => upload(Buffer.from('no audio at all')) },
		{ what: 'is gone', file: () => ({ id: 'gone', mime_type: 'audio/ogg' }) },
	])('a recording that $what is answered without a reason, and costs nothing', async ({ file }) => {
		const { replies, paid } = await say(createMessage({ type: 'audio', audio: file() }));
		expect(replies).toEqual([expect.stringMatching(/^Sorry, [^:]+\. Please try again later\.$/)]);
		expect(paid).toEqual([]);
	});

	it('a language model answers if its nodes are activated', async () => {
		const model = await ScriptedModel.start();
		model.answer = 'At nine.';
		const data = { apiKey: 'none', url: `${model.server.baseUrl}/v1` };
		const llm = { nodeType: 'lmChatOpenAi', type: 'openAiApi', data };
		const settings = { model: 'scripted' };
		try {
			await runner().publish(example, settings, [...credentials, llm], {
				...silent,
				Answer: { disabled: false },
			});
			const audio = await speak('When do you open?');
			expect((await say(createMessage({ type: 'audio', audio }))).replies).toEqual(['At nine.']);
			const asked = JSON.parse(model.server.requests[0]!.body.toString()) as object;
			expect(asked).toMatchObject({ messages: [{}, { content: 'When do you open?' }] });
		} finally {
			await model.server.stop();
		}
	});

	it('the reply also comes aloud, by a link without a login, if those nodes are activated', async () => {
		await runner().publish(example, { voiceId: await runner().findVoice() }, credentials, {
			'Speak Reply': { disabled: false },
		});
		const messages = [await speak('One.'), await speak('Two.')].map((audio) =>
			createMessage({ type: 'audio', audio }),
		);
		const { replies, links, paid } = await say(...messages);
		expect(replies).toEqual(['One.', 'Two.']);
		expect(paid.sort()).toEqual(['speech-to-text', 'text-to-speech'].flatMap((one) => [one, one]));
		expect(new Set(links).size).toBe(2);
		for (const link of links) {
			const audio = await fetch(link);
			expect(audio.headers.get('content-type')).toMatch(/^audio\//);
		}
		const text = createMessage({ type: 'text', text: { body: 'Hello' } });
		expect((await say(text)).paid).toEqual([]);
	});

	it('a reply that cannot be spoken still comes as a text', async () => {
		await runner().publish(example, { voiceId: '' }, credentials, {
			'Speak Reply': { disabled: false },
		});
		const { replies, links } = await say(
			createMessage({ type: 'audio', audio: await speak('One.') }),
		);
		expect({ replies, links }).toEqual({ replies: ['One.'], links: [] });
	});

	it('nobody but Meta can send messages', async () => {
		const messages = [createMessage({ type: 'audio', audio: await speak('Hi.') })];
		const { paid } = await runner().runAndListPaid(
			async () => await deliver({ messages }, 'guessed'),
		);
		expect([replies, paid]).toEqual([[], []]);
	});
}

const refuse = (status: number) =>
	respondWithJson({ error: { message: 'Refused', type: 'OAuthException', code: 100 } }, status);
