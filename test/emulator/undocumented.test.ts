import { startEmulator, type RunningEmulator } from '../support/emulator';
import { cloneVoice, fileParts, sendForm, sendJson } from './client';
import { wav } from './recordings';

const SIX = [
	'transcriptions',
	'language-detection',
	'sentiment',
	'intent',
	'post-call-analytics',
	'amd',
];
let emulator: RunningEmulator;
let key: string;

beforeAll(async () => {
	emulator = await startEmulator();
	key = await emulator.createKey('sandbox');
	await emulator.api('PUT', '/settings', { ttsEngine: 'tones' });
});
afterAll(async () => await emulator.stop());

const ask = async (operation: string, text: string, more: object = {}) =>
	(await sendJson(emulator, key, operation, { text, ...more })).json;
const askAudio = async (operation: string, file: Buffer, fields: Record<string, string> = {}) =>
	await sendForm(emulator, key, operation, fileParts(file, fields));

describe.each(SIX)('%s', (operation) => {
	test('takes a text or a recording, and says that it is make-believe', async () => {
		const text = await sendJson(emulator, key, operation, { text: 'Hello.', language: 'en' });
		expect([text.status, text.json.emulated]).toEqual([200, true]);
		expect(text.json.note).toMatch(/\.$/);
		const audio = await askAudio(operation, wav(), { language: 'en' });
		expect([audio.status, audio.json.emulated]).toEqual([200, true]);
		expect(audio.json.recording).toMatchObject({ format: 'WAV', seconds: 1 });
	});

	test('takes only one of them where the settings say so', async () => {
		const statuses = async () => [
			(await sendJson(emulator, key, operation, { text: 'Hello' })).status,
			(await askAudio(operation, wav())).status,
		];
		await emulator.api('PUT', '/settings', { undocumentedPayload: 'audio' });
		expect(await statuses()).toEqual([415, 200]);
		await emulator.api('PUT', '/settings', { undocumentedPayload: 'text' });
		expect(await statuses()).toEqual([200, 415]);
		await emulator.api('PUT', '/settings', { undocumentedPayload: 'either' });
	});

	test.each([
		['{"text": ""}', 'application/json', 400],
		['{"text": "Hello", "language": 5}', 'application/json', 400],
		['["text"]', 'application/json', 400],
		['null', 'application/json', 400],
		['{"text": ', 'application/json', 400],
		[Buffer.from('7b2274657874223a22ff227d', 'hex'), 'application/json', 400],
		['', 'application/json', 400],
		['text=Hello', 'application/x-www-form-urlencoded', 415],
		['{"text": "Hello"}', 'application/ld+json; charset=utf-8', 200],
		['{"text": "Hello"}', '', 415],
	])('answers %s as %s with %d', async (body, type, status) => {
		const answer = await fetch(`${emulator.baseUrl}/ai/${operation}`, {
			method: 'POST',
			headers: { 'X-API-Key': key, 'Content-Type': type },
			body,
		});
		expect(answer.status).toBe(status);
	});
});

test('a recording of the emulator itself is understood', async () => {
	const voice = await cloneVoice(emulator, key, wav());
	const text = 'Please leave a message after the tone.';
	const speech = await sendJson(emulator, key, 'text-to-speech', { text, voice_id: voice });
	expect((await askAudio('amd', speech.body)).json).toMatchObject({ result: 'machine', text });
	expect((await askAudio('transcriptions', speech.body)).json.text).toBe(text);
});

test('transcriptions share the time out among the sentences', async () => {
	const { json } = await askAudio('transcriptions', wav({ seconds: 3 }));
	expect(json).toMatchObject({ status: 'completed', language: 'en' });
	expect(json.id).toMatch(/^tr_/);
	expect(json.segments.at(-1).end).toBe(3);
	const { segments, language } = await ask('transcriptions', 'Eins. Zwei drei vier fünf!', {
		language: 'de',
	});
	expect(language).toBe('de');
	expect(segments.map(({ text }: { text: string }) => text)).toEqual([
		'Eins.',
		'Zwei drei vier fünf!',
	]);
	expect(segments[1].start).toBe(segments[0].end);
	expect(segments[1].end - segments[1].start).toBeGreaterThan(segments[0].end);
});

test.each([
	['en', 'The quick brown fox jumps over the lazy dog and runs away.'],
	['de', 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.'],
	['fr', "Bonjour, je voudrais prendre un rendez-vous pour la semaine prochaine, s'il vous plaît."],
	['ru', 'Добрый день, я хотел бы записаться на приём на следующей неделе.'],
])('language detection finds %s', async (language, text) => {
	const found = await ask('language-detection', text);
	expect(found).toMatchObject({ language, reliable: true });
	expect(found.scores[0].language).toBe(language);
});

test('language detection admits that it found none', async () => {
	expect(await ask('language-detection', '12345')).toMatchObject({ language: 'und', scores: [] });
});

test.each([
	['positive', 'I love this, it is wonderful and great!', 1],
	['negative', 'This is terrible, I hate it.', -1],
	['neutral', 'The meeting is on the second floor.', 0],
])('sentiment judges %s', async (sentiment, text, sign) => {
	const judged = await ask('sentiment', text);
	expect(judged.sentiment).toBe(sentiment);
	expect(Math.sign(judged.score)).toBe(sign);
	expect(Math.abs(judged.score)).toBeLessThanOrEqual(1);
});

test.each([
	['cancel', 'I want to cancel my subscription.'],
	['complain', 'This is unacceptable, my router is broken, I want a refund.'],
	['pay', 'Why is my invoice so high? I already paid the bill.'],
	['book', 'I would like to book an appointment.'],
	['order', 'I want to order two of them.'],
	['call_back', 'Could you call me back?'],
	['get_help', 'I need help.'],
	['greet', 'Hello, good morning.'],
	['ask_question', 'Where is it?'],
	['make_statement', 'It rains.'],
])('intent recognises %s', async (intent, text) => {
	const found = await ask('intent', text);
	expect(found.intent).toBe(intent);
	expect(found.confidence).toBeGreaterThan(0);
	expect(found.confidence).toBeLessThanOrEqual(1);
});

test('post-call analytics sums a call up', async () => {
	const text = 'Hello, I love your service. Can you help me? Please send me the invoice.';
	expect(await ask('post-call-analytics', text)).toMatchObject({
		summary: 'Hello, I love your service.',
		language: 'en',
		sentiment: 'positive',
		action_items: ['Please send me the invoice.'],
		questions: 1,
		words: 14,
		sentences: 3,
		duration_seconds: null,
	});
	const { json } = await askAudio('post-call-analytics', wav({ seconds: 2 }));
	expect(json.duration_seconds).toBe(2);
});

test.each([
	['human', 'Hello?'],
	['human', 'Yes, Anna speaking, who is this?'],
	['machine', 'You have reached the voicemail of Ben.'],
	['machine', 'Anna cannot take your call right now.'],
	['machine', 'Thank you for calling our office. '.repeat(5)],
])('answering-machine detection finds a %s', async (result, text) => {
	expect((await ask('amd', text)).result).toBe(result);
});

test('answering-machine detection goes by the length of an unknown recording', async () => {
	expect((await askAudio('amd', wav({ seconds: 2 }))).json.result).toBe('human');
	expect((await askAudio('amd', wav({ seconds: 7 }))).json.result).toBe('machine');
});
