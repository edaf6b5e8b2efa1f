import { createForm } from '../../support/createForm.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** People write or send recordings in a public chat, and a model that follows a script answers. */
describeExample('chat-with-recordings', (example) => {
	let webhookId: string;

	beforeAll(async () => {
		const settings = { model: 'scripted', voiceId: runner.voiceId };
		const Chat = { parameters: { public: true } };
		await runner.publish(example, settings, [runner.modelCredential], { Chat });
		const { nodes } = await runner.readExample(example);
		webhookId = nodes.find(({ name }) => name === 'Chat')!.webhookId as string;
	});

	beforeEach(() => {
		runner.model.answer = 'At nine.';
	});

	/** Sends a message in the chat; returns the answer, what was paid, and the question that the model got. */
	async function say(chatInput: string, recording?: File) {
		const message = { action: 'sendMessage', sessionId: 'one', chatInput };
		const form = createForm({ ...message, ...(recording && { files: recording }) });
		const { result, paid } = await runner.runAndListPaid(async () => {
			const response = await runner.post(`${webhookId}/chat`, form);
			return (await response.json()) as { output: string };
		});
		return { answer: result.output, paid, question: runner.readLastPrompt().at(-1) };
	}

	it('a recording is answered, with a link to the spoken answer that needs no login', async () => {
		const recording = await runner.createRecording('When do you open?');
		const { answer, paid, question } = await say('On Sunday:', recording);
		expect(question).toBe('On Sunday:\n\nWhen do you open?');
		expect(paid).toEqual(['speech-to-text', 'text-to-speech']);
		const [, link] = /^At nine\.\n\n\[Listen\]\((http\S+)\)$/.exec(answer)!;
		await runner.expectSpeech(link!, 'At nine.');
	});

	it('a file that is not audio is answered without a reason, and costs nothing', async () => {
		const { answer, paid } = await say('', runner.createNoAudio());
		expect(answer).toMatch(/^Sorry, [^:]+\. Please try another one, or write\.$/);
		expect(paid).toEqual([]);
	});

	it('the answer is not lost if it cannot be spoken', async () => {
		await runner.changeSettings({ creditCosts: { 'text-to-speech': 1_000_000 } });
		expect(await say('When?')).toMatchObject({ answer: 'At nine.', paid: [] });
	});
});
