import { createHmac, randomUUID } from 'node:crypto';

import { readAudioFile } from '../../support/media/audioFiles.mts';
import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
} from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

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
describeExample('whatsapp-voice-to-reply', (example) => {
	const media = new Map<string, Buffer>();
	let subscription: { callback_url: string; fields: string };
	let sent: Reply[] = [];

	const whatsApp = {
		type: 'whatsAppApi',
		data: { accessToken, businessAccountId: '102290129340398' },
	};
	const credentials = [
		{ nodeType: 'whatsAppTrigger', type: 'whatsAppTriggerApi', data: app },
		{ nodeType: 'whatsApp', ...whatsApp },
		{ nodeType: 'httpRequest', ...whatsApp },
	];

	beforeAll(async () => {
		const { appProxy } = runner;
		appProxy.setApp('graph.facebook.com', undefined, respondAsGraph);
		appProxy.setApp('lookaside.fbsbx.com', `Bearer ${accessToken}`, ({ searchParams }) => {
			const content = media.get(searchParams.get('mid')!);
			return content ? respondWithBytes(content, 'audio/ogg') : refuse(404);
		});
		await runner.publish(example, {}, credentials, silent);
	});

	const refuse = (status: number) =>
		respondWithJson({ error: { message: 'Refused', type: 'OAuthException', code: 100 } }, status);

	function respondAsGraph({ pathname }: URL, { method, headers, body }: RecordedRequest) {
		const path = pathname.replace(/^\/v\d+\.0/, '');
		if (path === '/oauth/access_token') return { access_token: appToken };
		const isOfApp = path === `/${app.clientId}/subscriptions`;
		const token = isOfApp ? appToken : accessToken;
		if (headers.authorization !== `Bearer ${token}`) return refuse(401);
		if (isOfApp) {
			if (method === 'POST') subscription = JSON.parse(body.toString()) as typeof subscription;
			return method === 'GET' ? { data: [] } : { success: true };
		}
		if (path === `/${phoneNumberId}/messages`) return keep(JSON.parse(body.toString()) as Reply);
		const id = path.slice(1);
		if (!media.has(id)) return refuse(400);
		const url = `https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=${id}`;
		return { url, mime_type: 'audio/ogg', id };
	}

	function keep(reply: Reply) {
		if (reply.text && !/^[^]{1,4096}$/.test(reply.text.body)) return refuse(400);
		sent.push(reply);
		return { messaging_product: 'whatsapp', messages: [{ id: 'wamid.reply' }] };
	}

	/** A file that a person has sent, as messages refer to it. */
	function upload(content: Buffer, mimeType = 'audio/ogg; codecs=opus') {
		const id = randomUUID();
		media.set(id, content);
		return { id, mime_type: mimeType, sha256: 'unused' };
	}

	const createMessage = (type: string, content: object) => ({
		from: person,
		id: `wamid.${randomUUID()}`,
		timestamp: '1900000000',
		type,
		[type]: content,
	});

	/** Sends messages to the number, as Meta does; returns what was paid, and the replies. */
	async function say(...messages: object[]) {
		const value = {
			messaging_product: 'whatsapp',
			metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
			contacts: [{ profile: { name: 'Ada' }, wa_id: person }],
			messages,
		};
		const entry = [{ changes: [{ field: 'messages', value }] }];
		const body = { object: 'whatsapp_business_account', entry };
		// With the secret of the app, n8n knows that it comes from Meta.
		const hmac = createHmac('sha256', app.clientSecret).update(JSON.stringify(body));
		const headers = { 'x-hub-signature-256': `sha256=${hmac.digest('hex')}` };
		sent = [];
		const { paid } = await runner.send(example, subscription.callback_url, body, headers);
		for (const reply of sent) expect(reply).toMatchObject({ to: person });
		return {
			paid,
			replies: sent.flatMap(({ text }) => text?.body ?? []),
			links: sent.flatMap(({ audio }) => audio?.link ?? []),
		};
	}

	const speak = async (text: string) => upload(await runner.speak(text), 'audio/wav');
	const createSpoken = async (text: string) => createMessage('audio', await speak(text));

	it('publishing subscribes to messages; a voice message, OGG Opus, is transcribed once', async () => {
		expect(subscription).toMatchObject({
			callback_url: expect.stringMatching(/\/webhook\/[\w-]+\/webhook$/) as string,
			fields: '["messages"]',
		});
		const voice = { ...upload(readAudioFile('opus.opus')), voice: true };
		const message = createMessage('audio', voice);
		const { replies, paid } = await say(message);
		expect(replies).toEqual([expect.stringMatching(/^Make-believe transcript: /)]);
		expect(paid).toEqual(['speech-to-text']);
		// Meta sends it again.
		expect((await say(message)).paid).toEqual([]);
	});

	it('each recording of a message with several is answered, and what else comes costs nothing', async () => {
		const video = { ...(await speak('One.')), mime_type: 'video/mp4' };
		const pdf = { ...upload(Buffer.from('%PDF-1.7'), 'application/pdf'), filename: 'a.pdf' };
		const { replies, paid } = await say(
			createMessage('video', video),
			createMessage('document', { ...(await speak('Two.')), filename: 'two.wav' }),
			createMessage('text', { body: 'Hello' }),
			createMessage('document', pdf),
			createMessage('reaction', { message_id: 'wamid.1', emoji: '+' }),
		);
		// A person who writes learns what the number does.
		const help = expect.stringMatching(/voice message/) as string;
		expect(replies).toHaveLength(3);
		expect(replies).toEqual(expect.arrayContaining(['One.', 'Two.', help]));
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
	});

	it('a long transcript comes in several messages', async () => {
		await runner.changeSettings({ ttsEngine: 'tones' });
		const text = Array.from({ length: 900 }, (_, index) => `<${index}>`).join(' ');
		const { replies } = await say(await createSpoken(text));
		expect(replies).toHaveLength(2);
		// n8n's WhatsApp node sends the requests of all items at once, so either may arrive first.
		expect([replies.join(' '), replies.reverse().join(' ')]).toContain(text);
	});

	it('what is not audio or is gone is answered without a reason, and costs nothing', async () => {
		const files = [upload(Buffer.from('no audio at all')), { id: 'gone', mime_type: 'audio/ogg' }];
		const { replies, paid } = await say(...files.map((file) => createMessage('audio', file)));
		const sorry = expect.stringMatching(/^Sorry, [^:]+\. Please try again later\.$/) as string;
		expect(replies).toEqual([sorry, sorry]);
		expect(paid).toEqual([]);
	});

	it('a language model answers if its nodes are activated', async () => {
		const all = [...credentials, runner.modelCredential];
		const activated = { ...silent, Answer: { disabled: false } };
		await runner.publish(example, { model: 'scripted' }, all, activated);
		runner.model.answer = 'At nine.';
		const { replies } = await say(await createSpoken('When do you open?'));
		expect(replies).toEqual(['At nine.']);
		expect(runner.readLastPrompt()[1]).toBe('When do you open?');
	});

	it('the reply also comes aloud, by a link without a login, if those nodes are activated', async () => {
		const activated = { 'Speak Reply': { disabled: false } };
		const { voiceId } = runner;
		await runner.publish(example, { voiceId }, credentials, activated);
		const text = createMessage('text', { body: 'Hello' });
		const spoken = [await createSpoken('One.'), await createSpoken('Two.')];
		const { replies, links, paid } = await say(...spoken, text);
		expect(replies).toHaveLength(3);
		expect(replies).toEqual(expect.arrayContaining(['One.', 'Two.']));
		expect(paid.sort()).toEqual(['speech-to-text', 'text-to-speech'].flatMap((one) => [one, one]));
		expect(new Set(links).size).toBe(2);
		for (const link of links) {
			const audio = await fetch(link);
			expect(audio.headers.get('content-type')).toMatch(/^audio\//);
		}

		// A reply that cannot be spoken still comes as a text.
		await runner.publish(example, { voiceId: '' }, credentials, activated);
		const unspoken = await say(await createSpoken('One.'));
		expect(unspoken).toMatchObject({ replies: ['One.'], links: [] });
	});
});
