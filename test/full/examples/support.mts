import { createForm } from '../../support/createForm.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** Messages come in by webhook; the demo's stand-in for the help desk gets them with their team. */
export function testSupport(runner: () => ExampleRunner): void {
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

	beforeAll(async () => await runner().publish(example, settings));

	async function write(body: FormData | object) {
		const { paid } = await runner().send(example, 'support-message', body);
		return { handedOver: runner().deliveries.map(({ content }) => content), paid };
	}

	it.each([
		{
			text: 'This is awful! Cancel my contract.',
			expected: { team: 'retention', priority: 'high' },
		},
		{
			text: 'Thank you! May I have the invoice?',
			expected: { team: 'billing', priority: 'normal' },
		},
		{
			text: 'This is terrible, I want a refund.',
			expected: { team: 'complaints', priority: 'high' },
		},
		{ text: 'Hello there.', expected: { team: 'person', priority: 'normal' } },
	])('the message "$text" goes where its intent belongs', async ({ text, expected }) => {
		const { handedOver, paid } = await write({ from, text });
		expect(handedOver).toMatchObject([{ from, text, problem: '', recording: '', ...expected }]);
		expect(paid).toEqual(['sentiment', 'intent']);
	});

	it.each([
		{
			written: '',
			spoken: 'I love it, but you charged me twice.',
			expected: { team: 'billing', priority: 'normal' },
		},
		{
			written: 'Please cancel my contract.',
			spoken: 'This is terrible.',
			expected: { team: 'retention', priority: 'high' },
		},
	])(
		'the text "$written" with the recording "$spoken" goes where both belong',
		async ({ written, spoken, expected }) => {
			const recording = await runner().createRecording(spoken);
			const { handedOver, paid } = await write(createForm({ from, text: written, recording }));
			const text = written ? `${written}\n\n${spoken}` : spoken;
			expect(handedOver).toMatchObject([{ from, text, recording: '', ...expected }]);
			expect(paid).toEqual(['speech-to-text', 'sentiment', 'intent']);
		},
	);

	it('a text next to a recording that is not transcribed goes to a person, with both', async () => {
		const text = 'Please cancel my contract.';
		const { handedOver } = await write(createForm({ text, recording: runner().createNoAudio() }));
		const problem = expect.stringContaining('broken.wav') as string;
		const recording = 'broken.wav (15 bytes)';
		expect(handedOver).toMatchObject([{ text, team: 'person', problem, recording }]);
	});

	it('a recording that cannot be paid goes to a person', async () => {
		const file = await runner().createRecording('Please cancel my contract.');
		await runner().changeSettings({ creditCosts: { 'speech-to-text': 1_000_000 } });
		const { handedOver, paid } = await write(createForm({ recording: file }));
		const problem = expect.stringContaining('(402)') as string;
		const recording = `recording.wav (${file.size} bytes)`;
		expect(handedOver).toMatchObject([{ text: '', team: 'person', problem, recording }]);
		expect(paid).toEqual([]);
	});

	it('an intent in the response of sentiment is not taken for the intent', async () => {
		await runner().publish(example, { intentField: 'sentiment', cancelAnswer: 'negative' });
		await runner().changeSettings({ creditCosts: { intent: 1_000_000 } });
		const { handedOver, paid } = await write({ text: 'This is terrible.' });
		const problem = expect.stringContaining('(402)') as string;
		expect(handedOver).toMatchObject([{ intent: 'unknown', team: 'person', problem }]);
		expect(paid).toEqual(['sentiment']);
	});

	it('a person gets the message and the reason where the service does not answer', async () => {
		await runner().changeSettings({ undocumentedPayload: 'audio' });
		const text = 'Cancel my contract.';
		const { handedOver, paid } = await write({ from, text });
		const problem = expect.stringContaining('(415)') as string;
		expect(handedOver).toMatchObject([{ text, team: 'person', priority: 'check', problem }]);
		expect(paid).toEqual([]);
	});
}
