import { createForm } from '../../support/createForm.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** People write or send recordings in a public chat, and a model that follows a script answers. */
describeExample('chat-with-recordings', (example) => {
	it('answers a recording in words and aloud, and loses no answer that cannot be spoken', async () => {
		const settings = { model: 'scripted', voiceId: runner.voiceId };
		const Chat = { parameters: { public: true } };
		await runner.publish(example, settings, [runner.modelCredential], { Chat });
		runner.model.answer = 'At nine.';
		const { nodes } = await runner.readExample(example);
		const { webhookId } = nodes.find(({ name }) => name === 'Chat')!;
		/** Sends a message in the chat; returns the answer and what was paid. */
		const say = async (chatInput: string, recording?: File) => {
			const message = { action: 'sendMessage', sessionId: 'one', chatInput };
			const form = createForm({ ...message, ...(recording && { files: recording }) });
			const { result, paid } = await runner.runAndListPaid(async () => {
				const response = await runner.post(`${webhookId as string}/chat`, form);
				return (await response.json()) as { output: string };
			});
			return { answer: result.output, paid };
		};

		const recording = await runner.createRecording('When do you open?');
		const spoken = await say('On Sunday:', recording);
		expect(runner.readLastPrompt().at(-1)).toBe('On Sunday:\n\nWhen do you open?');
		expect(spoken.paid).toEqual(['speech-to-text', 'text-to-speech']);
		const [, link] = /^At nine\.\n\n\[Listen\]\((http\S+)\)$/.exec(spoken.answer)!;
		await runner.expectSpeech(link!, 'At nine.');

		// The reason is not for whoever writes.
		const answer = expect.stringMatching(/^Sorry, [^:]+\. Please try another one, or write\.$/);
		expect(await say('', runner.createNoAudio())).toEqual({ answer, paid: [] });

		await runner.changeSettings({ creditCosts: { 'text-to-speech': 1_000_000 } });
		expect(await say('When?')).toEqual({ answer: 'At nine.', paid: [] });
	});
});
