import { fileParts, Stage } from './client';
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

	test.each([
		['audio', [415, 200]],
		['text', [200, 415]],
	])('takes only %s if a setting says so', async (undocumentedPayload, statuses) => {
		await stage.withSettings({ undocumentedPayload }, async () => {
			const text = await stage.json(operation, { text: 'Hello' });
			expect([text.status, (await askAudio(operation, wav())).status]).toEqual(statuses);
		});
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
	])('responds to %s as %s with %d', async (body, type, status) => {
		const { status: received } = await fetch(`${stage.emulator.baseUrl}/ai/${operation}`, {
			method: 'POST',
			headers: { 'X-API-Key': stage.key, 'Content-Type': type },
			body,
		});
		expect(received).toBe(status);
	});
});

test('a recording of the emulator itself is understood', async () => {
	const text = 'Please leave a message after the tone.';
	const voiceId = await stage.clone(wav());
	const speech = await stage.json('text-to-speech', { text, voice_id: voiceId });
	const matches = ['leave a message', 'after the tone'];
	expect((await askAudio('amd', speech.body)).json).toMatchObject({ result: 'machine', matches });
	expect((await askAudio('transcriptions', speech.body)).json.text).toBe(text);
});

test('transcriptions share the time out among the sentences', async () => {
	const { json } = await askAudio('transcriptions', wav(3));
	expect(json).toMatchObject({ id: expect.stringMatching(/^tr_/), status: 'completed' });
	expect(json.segments.at(-1).end).toBe(3);
	const text = 'Eins. Zwei drei vier fünf!';
	const { segments, language } = await ask('transcriptions', text, { language: 'de' });
	const [one, two] = segments;
	expect([language, one.text, two.text]).toEqual(['de', 'Eins.', 'Zwei drei vier fünf!']);
	expect(two.start).toBe(one.end);
	expect(two.end - two.start).toBeGreaterThan(one.end);
});

test.each([
	['en', 'The quick brown fox jumps over the lazy dog and runs away.'],
	['de', 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.'],
	['fr', "Bonjour, je voudrais prendre un rendez-vous pour la semaine prochaine, s'il vous plaît."],
	['ru', 'Добрый день, я хотел бы записаться на приём на следующей неделе.'],
	['und', '12345'],
])('language detection: %s', async (language, text) => {
	const { scores, ...found } = await ask('language-detection', text);
	expect(found).toMatchObject({ language, reliable: language !== 'und' });
	expect(scores[0]?.language ?? 'und').toBe(language);
});

test.each([
	['positive', 'I love this, it is wonderful and great!', 1],
	['negative', 'This is terrible, I hate it.', -1],
	['neutral', 'The meeting is on the second floor.', 0],
])('sentiment: %s', async (sentiment, text, sign) => {
	const judged = await ask('sentiment', text);
	expect([judged.sentiment, Math.sign(judged.score)]).toEqual([sentiment, sign]);
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
])('intent: %s', async (intent, text) => {
	const found = await ask('intent', text);
	expect([found.intent, found.confidence > 0, found.confidence <= 1]).toEqual([intent, true, true]);
});

test('post-call analytics sums a call up', async () => {
	const text = 'Hello, I love your service. Can you help me? Please send me the invoice.';
	expect(await ask('post-call-analytics', text)).toMatchObject({
		...{ summary: 'Hello, I love your service.', language: 'en', sentiment: 'positive' },
		...{ action_items: ['Please send me the invoice.'], questions: 1, words: 14, sentences: 3 },
		duration_seconds: null,
	});
});

test.each([
	['human', 'Hello?'],
	['human', 'Yes, Anna speaking, who is this?'],
	['machine', 'You have reached the voicemail of Ben.'],
	['machine', 'Anna cannot take your call right now.'],
	['machine', 'Thank you for calling our office. '.repeat(5)],
])('answering-machine detection: %s for "%s"', async (result, text) => {
	expect((await ask('amd', text)).result).toBe(result);
});

test('of an unknown recording, its length counts', async () => {
	const { json } = await askAudio('post-call-analytics', wav(2));
	expect(json.duration_seconds).toBe(2);
	expect((await askAudio('amd', wav(2))).json.result).toBe('human');
	expect((await askAudio('amd', wav(7))).json.result).toBe('machine');
});
