import { createForm } from '../../support/createForm.mts';
import { runner } from './exampleRunner.mts';

/** Messages come in by webhook; the demo's stand-in for the help desk gets them with their team. */
export function testSupport(): void {
	const example = 'support-inbox-by-intent';
	const from = 'ada@example.com';

	/** Settings of this example, with words as a person may type them. */
	const settings = {
		negativeAnswer: 'Negative',
		calmAnswers: 'Neutral, Positive',
		intentField: 'intent',
		cancelAnswer: ' Cancel',
		payAnswer: 'Pay',
		complainAnswer: 'COMPLAIN',
	};

	beforeAll(async () => await runner.publish(example, settings));

	async function write(body: FormData | object) {
		const { paid } = await runner.send(example, 'support-message', body);
		return { handedOver: runner.deliveries.map(({ content }) => content), paid };
	}

	const toRetention = { team: 'retention', priority: 'high' };
	const toBilling = { team: 'billing', priority: 'normal' };
	const toPerson = { team: 'person', priority: 'normal' };

	it.each([
		{ text: 'This is awful! Cancel my contract.', expected: toRetention },
		{ text: 'Thank you! May I have the invoice?', expected: toBilling },
		{
			text: 'This is terrible, I want a refund.',
			expected: { team: 'complaints', priority: 'high' },
		},
		{ text: 'Hello there.', expected: toPerson },
	])('the message "$text" goes where its intent belongs', async ({ text, expected }) => {
		const { handedOver, paid } = await write({ from, text });
		expect(handedOver).toMatchObject([{ from, text, problem: '', recording: '', ...expected }]);
		expect(paid).toEqual(['sentiment', 'intent']);
	});

	it.each([
		{ written: '', spoken: 'I love it, but you charged me twice.', expected: toBilling },
		{
			written: 'Please cancel my contract.',
			spoken: 'This is terrible.',
			expected: toRetention,
		},
	])(
		'the text "$written" with the recording "$spoken" goes where both belong',
		async ({ written, spoken, expected }) => {
			const recording = await runner.createRecording(spoken);
			const { handedOver, paid } = await write(createForm({ from, text: written, recording }));
			const text = written ? `${written}\n\n${spoken}` : spoken;
			expect(handedOver).toMatchObject([{ from, text, recording: '', ...expected }]);
			expect(paid).toEqual(['speech-to-text', 'sentiment', 'intent']);
		},
	);

	it('a recording that is not transcribed goes to a person, with its text', async () => {
		const text = 'Please cancel my contract.';
		const unpaid = await runner.createRecording(text);
		await write(createForm({ text, recording: runner.createNoAudio() }));
		await runner.changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		const { handedOver, paid } = await write(createForm({ recording: unpaid }));
		expect(handedOver).toMatchObject([
			{
				text,
				team: 'person',
				problem: expect.stringContaining('broken.wav') as string,
				recording: 'broken.wav (15 bytes)',
			},
			{
				text: '',
				team: 'person',
				problem: expect.stringContaining('(402)') as string,
				recording: `recording.wav (${unpaid.size} bytes)`,
			},
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
}
