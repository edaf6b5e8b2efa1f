import { respondWithBytes } from '../../support/servers/scriptedServer.mts';
import { openChat, type Chat } from './chat.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** A chat with an assistant whose model follows a script. */
export function testAgent(runner: () => ExampleRunner): void {
	const text = 'I am so happy with the new bicycle.';
	const getAudioUrl = () => `${runner().scriptedServer.baseUrl}/call.wav`;
	let chat: Chat;

	beforeAll(async () => {
		chat = await openChat(runner(), 'agent-that-listens');
	});
	afterAll(async () => await chat?.close());

	it('the assistant listens to a recording, and receives its text alone', async () => {
		runner().scriptedServer.reset(respondWithBytes(await runner().speak(text), 'audio/wav'));
		await runner().changeSettings({ extraResponseFields: true });
		const question = 'How does the caller feel?';
		const { model } = chat;
		model.turns = [[{ tool: 'Transcribe_Recording', input: { address: getAudioUrl() } }]];
		const { toolResults, paid } = await chat.say(question);
		expect(toolResults).toEqual([{ text }]);
		expect(paid).toEqual(['speech-to-text']);
		const asked = model.server.requests[0]!.body.toString();
		expect(asked).toContain(question);
		expect(JSON.parse(asked)).toMatchObject({ model: 'scripted' });
	});

	it('the assistant learns why a tool failed, and nothing is paid', async () => {
		runner().scriptedServer.reset(respondWithBytes('gone', 'text/plain', 404));
		chat.model.turns = [[{ tool: 'Transcribe_Recording', input: { address: getAudioUrl() } }]];
		const { paid } = await chat.say('What is said?');
		expect(chat.model.toolResults).toEqual([expect.stringContaining('404')]);
		expect(paid).toEqual([]);
	});
}
