import { bytes } from '../../support/scriptedServer';
import { Chat } from './chat';
import type { Stage } from './stage';

/** A chat with an assistant whose model follows a script. */
export function agent(stage: () => Stage): void {
	const text = 'I am so happy with the new bicycle.';
	let chat: Chat;

	beforeAll(async () => {
		const recording = Buffer.from(await (await stage().recordingOf(text)).arrayBuffer());
		stage().outside.reset(bytes(recording, 'audio/wav'));
		chat = await Chat.open(stage(), 'agent-that-listens');
	});
	afterAll(async () => {
		await stage().emulate({ extraResponseFields: false });
		await chat?.close();
	});

	it('the assistant listens to a recording, receives its text alone, and judges its mood', async () => {
		await stage().emulate({ extraResponseFields: true });
		const question = 'How does the caller feel?';
		const address = `${stage().outside.baseUrl}/call.wav`;
		const { model } = chat;
		model.turns = [
			[{ tool: 'Transcribe_Recording', input: { address } }],
			[{ tool: 'Judge_Mood', input: { text } }],
		];
		const { result, paid } = await stage().paidFor(async () => await chat.say(question));
		expect(result).toEqual([{ text }, expect.objectContaining({ sentiment: 'positive' })]);
		expect(paid).toEqual(['speech-to-text', 'sentiment']);
		const asked = model.server.requests[0]!.body.toString();
		expect(asked).toContain(question);
		expect(JSON.parse(asked)).toMatchObject({ model: 'scripted' });
	});

	it('the assistant learns why a tool failed, and nothing is paid', async () => {
		stage().outside.reset(bytes('gone', 'text/plain', 404));
		const address = `${stage().outside.baseUrl}/call.wav`;
		chat.model.turns = [[{ tool: 'Transcribe_Recording', input: { address } }]];
		const { paid } = await stage().paidFor(async () => await chat.say('What is said?'));
		expect(chat.model.told).toEqual([expect.stringContaining('404')]);
		expect(paid).toEqual([]);
	});
}
