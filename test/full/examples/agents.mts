import { respondWithBytes } from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

/**
 * Says something to an example's assistant, whose model calls one tool.
 *
 * @returns the item that the tool gave the model, and what was paid for
 */
async function chatWithTool(
	example: string,
	chatInput: string,
	tool: string,
	input: Record<string, string>,
) {
	const { model } = runner;
	model.turns = [[{ tool, input }]];
	const { execution, paid } = await runner.chat(example, chatInput);
	expect(execution.items('Assistant')[0]?.json).toEqual({ output: 'All done.' });
	const results = model.toolResults.flatMap(
		(text) => JSON.parse(text) as Array<Record<string, string>>,
	);
	expect(results).toHaveLength(1);
	return { result: results[0]!, paid };
}

// test/versions has a tool that fails.
describeExample('agent-that-listens', (example) => {
	it('the assistant listens to a recording, and receives its text alone', async () => {
		const text = 'I am so happy with the new bicycle.';
		const question = 'How does the caller feel?';
		await runner.publish(example, { model: 'scripted' }, [runner.modelCredential]);
		runner.responders['/call.wav'] = respondWithBytes(await runner.speak(text), 'audio/wav');
		await runner.changeSettings({ extraResponseFields: true });
		const address = runner.createAddress('/call.wav');
		const chat = await chatWithTool(example, question, 'Transcribe_Recording', { address });
		expect(chat).toEqual({ result: { text }, paid: ['speech-to-text'] });
		const asked = runner.model.server.requests[0]!.body.toString();
		expect(asked).toContain(question);
		expect(JSON.parse(asked)).toMatchObject({ model: 'scripted' });
	});
});

describeExample('agent-that-speaks', (example) => {
	it('the assistant receives a link that gives the audio without a login, byte for byte', async () => {
		const text = 'Grüße aus dem Museum, it closes at five.';
		const { modelCredential, voiceId } = runner;
		await runner.publish(example, { model: 'scripted', voiceId }, [modelCredential]);
		const { result, paid } = await chatWithTool(example, 'Read it.', 'Read_Aloud', { text });
		expect(paid).toEqual(['text-to-speech']);
		const hours = (Date.parse(result.urlExpiresAt!) - Date.now()) / 3_600_000;
		expect(Math.ceil(hours)).toBe(24);
		await runner.expectSpeech(result.url!, text);
	});
});
