import { openChat, type Chat } from './chat.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** A chat with an assistant whose tool makes audio. */
export function testAgentThatSpeaks(runner: () => ExampleRunner): void {
	const example = 'agent-that-speaks';
	const text = 'Grüße aus dem Museum, it closes at five.';
	let chat: Chat;

	beforeAll(async () => {
		chat = await openChat(runner(), example);
	});
	afterAll(async () => await chat?.close());

	async function speak(settings: Record<string, string>) {
		await runner().publish(example, settings);
		chat.model.turns = [[{ tool: 'Read_Aloud', input: { text } }]];
		return await chat.say(`Read aloud: ${text}`);
	}

	it('the assistant receives a link that gives the audio without a login, byte for byte', async () => {
		const voiceId = await runner().findVoice();
		const { toolResults, calls, paid } = await speak({ voiceId });
		expect(calls).toMatchObject([{ operation: 'text-to-speech', voiceId }]);
		expect(paid).toEqual(['text-to-speech']);
		const [spoken] = toolResults as [{ url: string; urlExpiresAt: string }];
		const hours = (Date.parse(spoken.urlExpiresAt) - Date.now()) / 3_600_000;
		expect(Math.ceil(hours)).toBe(24);
		const response = await fetch(spoken.url);
		expect(response.headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
		const audio = await runner().speak(text);
		expect(Buffer.from(await response.arrayBuffer()).equals(audio)).toBe(true);
	});
}
