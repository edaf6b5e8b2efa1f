import { createHmac, randomUUID } from 'node:crypto';

import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import { readAudioFile } from '../../support/media/audioFiles.mts';
import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
	type Responder,
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

/**
 * People write to a number of WhatsApp; a stand-in of Meta sends their messages, and receives the replies. It has what
 * https://developers.facebook.com/docs/whatsapp/cloud-api documents, as far as n8n uses it.
 */
describeExample('whatsapp-voice-to-reply', (example) => {
	const media = new Map<string, Buffer>();
	let subscription: { callback_url: string };
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

	beforeAll(() => {
		const { appProxy } = runner;
		appProxy.setApp('graph.facebook.com', undefined, respondAsGraph);
		appProxy.setApp('lookaside.fbsbx.com', `Bearer ${accessToken}`, ({ searchParams }) => {
			const content = media.get(searchParams.get('mid')!);
			return content ? respondWithBytes(content, 'audio/ogg') : refuse(404);
		});
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
	async function say(messages: object[]) {
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

	/** A language model that answers in capitals. */
	function respondAsModel(...[request, response, index]: Parameters<Responder>) {
		const { messages } = JSON.parse(request.body.toString()) as {
			messages: Array<{ content: string }>;
		};
		const answer = messages[1]!.content.toUpperCase();
		return respondWithJson(createCompletion(answer))(request, response, index);
	}

	it('answers each recording once, if wanted by a model and aloud, and says to all others what it does', async () => {
		// As a person activates the answers of a model, and the spoken replies.
		const activated = { Answer: { disabled: false }, 'Speak Reply': { disabled: false } };
		const settings = { model: 'scripted', voiceId: runner.voiceId };
		await runner.publish(example, settings, [...credentials, runner.modelCredential], activated);
		runner.model.server.reset(respondAsModel);
		await runner.changeSettings({ ttsEngine: 'tones' });
		// More than one message may have.
		const long = ['LONG '.repeat(800).trim(), 'TEXT'];
		const video = { ...(await speak('One.')), mime_type: 'video/mp4' };
		const document = { ...(await speak('Two.')), filename: 'two.wav' };
		const pdf = { ...upload(Buffer.from('%PDF-1.7'), 'application/pdf'), filename: 'a.pdf' };
		const messages = [
			createMessage('audio', { ...upload(readAudioFile('opus.opus')), voice: true }),
			createMessage('video', video),
			createMessage('document', document),
			createMessage('audio', await speak(long.join(' '))),
			createMessage('text', { body: 'Hello' }),
			createMessage('audio', upload(Buffer.from('no audio at all'))),
			createMessage('audio', { id: 'gone', mime_type: 'audio/ogg' }),
			createMessage('document', pdf),
			createMessage('reaction', { message_id: 'wamid.1', emoji: '+' }),
		];
		// A reply that cannot be spoken still comes as a text.
		await runner.changeSettings({ maxTextCharacters: 4000 });
		const { replies, links, paid } = await say(messages);
		// n8n's WhatsApp node sends the requests of all items at once, so either part may arrive first.
		expect(replies.splice(3, long.length).sort()).toEqual(long);
		// The reason is not for whoever writes.
		const sorry = expect.stringMatching(/^Sorry, [^:]+\. Please try again later\.$/) as string;
		expect(replies).toEqual([
			expect.stringMatching(/^MAKE-BELIEVE TRANSCRIPT: /),
			'ONE.',
			'TWO.',
			expect.stringMatching(/voice message/),
			sorry,
			sorry,
		]);
		const spoken = ['text-to-speech', 'text-to-speech', 'text-to-speech'];
		expect(paid.sort()).toEqual([...Array<string>(4).fill('speech-to-text'), ...spoken]);
		expect(new Set(links).size).toBe(spoken.length);
		await runner.expectSpeech(links[1]!, 'ONE.');

		// As it is imported, its optional nodes are deactivated; `publish` activates all that get a credential.
		await runner.publish(example, { model: '', voiceId: '' }, credentials, {
			Answer: { disabled: true },
			'Speak Reply': { disabled: true },
			'Send Speech': { disabled: true },
		});
		const next = createMessage('audio', await speak('Next.'));
		// Meta sends the others again.
		const again = await say([next, ...messages]);
		expect(again).toEqual({ replies: ['Next.'], links: [], paid: ['speech-to-text'] });
	});
});
