import { respondWithBytes } from '../../support/servers/scriptedServer.mts';
import { runner } from './exampleRunner.mts';

/**
 * Says something to an example's assistant, whose model calls one tool.
 *
 * @returns what the tool gave the model, and what was paid for
 */
async function chatWithTool(
	example: string,
	chatInput: string,
	call: { tool: string; input: Record<string, string> },
) {
	const { model } = runner;
	model.turns = [[call]];
	const { execution, ...costs } = await runner.chat(example, chatInput);
	expect(execution.items('Assistant')[0]?.json).toEqual({ output: 'All done.' });
	expect(model.toolResults).toHaveLength(1);
	return { toolResult: model.toolResults[0]!, ...costs };
}

/** A chat with an assistant whose tool listens. test/versions has a tool that fails. */
export function testAgent(): void {
	it('the assistant listens to a recording, and receives its text alone', async () => {
		const example = 'agent-that-listens';
		const text = 'I am so happy with the new bicycle.';
		const question = 'How does the caller feel?';
		await runner.publish(example, { model: 'scripted' }, [runner.modelCredential]);
		runner.scriptedServer.reset(respondWithBytes(await runner.speak(text), 'audio/wav'));
		await runner.changeSettings({ extraResponseFields: true });
		const input = { address: `${runner.scriptedServer.baseUrl}/call.wav` };
		const call = { tool: 'Transcribe_Recording', input };
		const { toolResult, paid } = await chatWithTool(example, question, call);
		expect(JSON.parse(toolResult)).toEqual([{ text }]);
		expect(paid).toEqual(['speech-to-text']);
		const asked = runner.model.server.requests[0]!.body.toString();
		expect(asked).toContain(question);
		expect(JSON.parse(asked)).toMatchObject({ model: 'scripted' });
	});
}

/** A chat with an assistant whose tool makes audio. */
export function testAgentThatSpeaks(): void {
	const example = 'agent-that-speaks';
	const text = 'Grüße aus dem Museum, it closes at five.';

	it('the assistant receives a link that gives the audio without a login, byte for byte', async () => {
		const { voiceId } = runner;
		const settings = { model: 'scripted', voiceId };
		await runner.publish(example, settings, [runner.modelCredential]);
		const call = { tool: 'Read_Aloud', input: { text } };
		const { toolResult, calls, paid } = await chatWithTool(example, 'Read it.', call);
		expect(calls).toMatchObject([{ operation: 'text-to-speech', voiceId }]);
		expect(paid).toEqual(['text-to-speech']);
		const [spoken] = JSON.parse(toolResult) as [{ url: string; urlExpiresAt: string }];
		const hours = (Date.parse(spoken.urlExpiresAt) - Date.now()) / 3_600_000;
		expect(Math.ceil(hours)).toBe(24);
		const response = await fetch(spoken.url);
		expect(response.headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
		const audio = await runner.speak(text);
		expect(Buffer.from(await response.arrayBuffer()).equals(audio)).toBe(true);
	});
}
