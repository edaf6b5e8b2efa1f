import { fileParts, send, Stage } from './client';
import { wav } from '../support/recordings';

const SIX = [
	...['transcriptions', 'language-detection', 'sentiment'],
	...['intent', 'post-call-analytics', 'amd'],
];
const stage = new Stage([], {}, { ttsEngine: 'tones' });

const ask = async (operation: string, text: string, more: object = {}) =>
	(await stage.json(operation, { text, ...more })).json;
const askAudio = async (operation: string, file: Buffer, fields: Record<string, string> = {}) =>
	await stage.form(operation, fileParts(file, fields));

describe.each(SIX)('%s', (operation) => {
	test('takes a text or a recording', async () => {
		const text = await stage.json(operation, { text: 'Hello.', language: 'en' });
		const audio = await askAudio(operation, wav(), { language: 'en' });
		for (const { status, json } of [text, audio]) {
			expect(status).toBe(200);
			for (const extra of ['emulated', 'note', 'recording']) expect(json).not.toHaveProperty(extra);
		}
		await stage.withSettings({ extraResponseFields: true }, async () => {
			const note = expect.stringMatching(/\.$/);
			expect(await ask(operation, 'Hello.')).toMatchObject({ emulated: true, note });
			const recording = { format: 'WAV', seconds: 1 };
			const { json } = await askAudio(operation, wav(1));
			expect(json).toMatchObject({ emulated: true, note, recording });
		});
	});

	test('takes only audio if a setting says so', async () => {
		await stage.withSettings({ undocumentedPayload: 'audio' }, async () => {
			expect((await stage.json(operation, { text: 'Hello' })).status).toBe(415);
			expect((await askAudio(operation, wav())).status).toBe(200);
		});
	});
});

test.each([
	['{"text": "Hello", "language": 5}', 'application/json', 400],
	['["text"]', 'application/json', 400],
	['{"text": ', 'application/json', 400],
	[Buffer.from('7b2274657874223a22ff227d', 'hex'), 'application/json', 400],
	['', 'application/json', 400],
	['text=Hello', 'application/x-www-form-urlencoded', 415],
	['{"text": "Hello"}', 'application/ld+json; charset=utf-8', 200],
])('a call with %s as %s has status %d', async (body, type, status) => {
	const headers = { 'X-API-Key': stage.key, 'Content-Type': type };
	const response = await send(`${stage.emulator.baseUrl}/ai/amd`, { headers, body });
	expect(response.status).toBe(status);
});

test('a recording of the emulator itself is understood', async () => {
	const text = 'Please leave a message after the tone.';
	const voiceId = await stage.clone(wav());
	const speech = await stage.json('text-to-speech', { text, voice_id: voiceId });
	const matches = ['leave a message', 'after the tone'];
	expect((await askAudio('amd', speech.body)).json).toMatchObject({ result: 'machine', matches });
	expect((await askAudio('transcriptions', speech.body)).json.text).toBe(text);
});

test.each<[string, string, object]>([
	['language-detection', 'The quick brown fox jumps over the lazy dog.', { language: 'en' }],
	['language-detection', 'Guten Tag, ich möchte einen Termin vereinbaren.', { language: 'de' }],
	['language-detection', '12345', { language: 'und', reliable: false, scores: [] }],
	['sentiment', 'I love this, it is wonderful and great!', { sentiment: 'positive' }],
	['sentiment', 'This is terrible, I hate it.', { sentiment: 'negative' }],
	['sentiment', 'The meeting is on the second floor.', { sentiment: 'neutral', score: 0 }],
	['intent', 'I want to cancel my subscription.', { intent: 'cancel' }],
	['intent', 'I would like to book an appointment.', { intent: 'book' }],
	['intent', 'Where is it?', { intent: 'ask_question' }],
	['intent', 'It rains.', { intent: 'make_statement' }],
	['amd', 'Hello?', { result: 'human' }],
	['amd', 'You have reached the voicemail of Ben.', { result: 'machine' }],
	['amd', 'Thank you for calling our office. '.repeat(5), { result: 'machine' }],
	[
		'post-call-analytics',
		'Hello, I love your service. Can you help me? Please send me the invoice.',
		{
			...{ summary: 'Hello, I love your service.', language: 'en', sentiment: 'positive' },
			...{ action_items: ['Please send me the invoice.'], questions: 1, words: 14, sentences: 3 },
			duration_seconds: null,
		},
	],
])('%s of "%s"', async (operation, text, expected) => {
	expect(await ask(operation, text)).toMatchObject(expected);
});
