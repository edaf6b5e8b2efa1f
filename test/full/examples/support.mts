import { createForm } from '../../support/createForm.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** Messages come in by webhook; the demo's stand-in for the help desk gets them with their team. */
describeExample('support-inbox-by-intent', (example) => {
	const from = 'ada@example.com';

	beforeAll(async () => {
		// Words as a person may type them.
		await runner.publish(example, {
			negativeAnswer: 'Negative',
			calmAnswers: 'Neutral, Positive',
			intentField: 'intent',
			cancelAnswer: ' Cancel',
			payAnswer: 'Pay',
			complainAnswer: 'COMPLAIN',
		});
	});

	async function write(body: FormData | object) {
		const { paid } = await runner.send(example, 'support-message', body);
		return { handedOver: runner.deliveries.map(({ content }) => content), paid };
	}

	it.each([
		{ text: 'This is awful! Cancel my contract.', team: 'retention', priority: 'high' },
		{ text: 'Thank you! May I have the invoice?', team: 'billing', priority: 'normal' },
		{ text: 'This is terrible, I want a refund.', team: 'complaints', priority: 'high' },
		{ text: 'Hello there.', team: 'person', priority: 'normal' },
	])('the message "$text" goes to $team', async (expected) => {
		const { handedOver, paid } = await write({ from, text: expected.text });
		expect(handedOver).toMatchObject([{ from, problem: '', recording: '', ...expected }]);
		expect(paid).toEqual(['sentiment', 'intent']);
	});

	it.each([
		['', 'I love it, but you charged me twice.', { team: 'billing', priority: 'normal' }],
		['Please cancel it.', 'This is terrible.', { team: 'retention', priority: 'high' }],
	])('the text "%s" with the recording "%s" goes where both belong', async (...row) => {
		const [written, spoken, expected] = row;
		const recording = await runner.createRecording(spoken);
		const { handedOver, paid } = await write(createForm({ from, text: written, recording }));
		const text = written ? `${written}\n\n${spoken}` : spoken;
		expect(handedOver).toMatchObject([{ from, text, recording: '', ...expected }]);
		expect(paid).toEqual(['speech-to-text', 'sentiment', 'intent']);
	});

	it('a recording that is not transcribed goes to a person, with its text', async () => {
		const text = 'Please cancel my contract.';
		const unpaid = await runner.createRecording(text);
		await write(createForm({ text, recording: runner.createNoAudio() }));
		await runner.changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		const { handedOver, paid } = await write(createForm({ recording: unpaid }));
		const createExpected = (problem: string, fields: object) => ({
			team: 'person',
			problem: expect.stringContaining(problem) as string,
			...fields,
		});
		expect(handedOver).toMatchObject([
			createExpected('broken.wav', { text, recording: 'broken.wav (15 bytes)' }),
			createExpected('(402)', { text: '', recording: `recording.wav (${unpaid.size} bytes)` }),
		]);
		expect(paid).toEqual([]);
	});

	it('a person gets the message and the reason where the service does not answer', async () => {
		await runner.changeSettings({ undocumentedPayload: 'audio' });
		const text = 'Cancel my contract.';
		const { handedOver, paid } = await write({ from, text });
		const problem = expect.stringContaining('(415)') as string;
		expect(handedOver).toMatchObject([{ text, team: 'person', priority: 'check', problem }]);
		expect(paid).toEqual([]);
	});
});
