import { openChat, type Chat } from './chat.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** A chat with an assistant whose tool is the workflow itself. */
export function testAgentThatSpeaks(runner: () => ExampleRunner): void {
	const example = 'agent-that-speaks';
	const text = 'Grüße aus dem Museum, it closes at five.';
	let chat: Chat;
	let voiceId: string;
	let firstReading: Awaited<ReturnType<typeof speak>>;
	let link: string;
	let audio: Buffer;

	beforeAll(async () => {
		audio = await runner().speak(text);
		chat = await openChat(runner(), example);
		voiceId = await runner().findVoice();
		firstReading = await speak({ voiceId });
		[{ link }] = firstReading.toolResults as [{ link: string }];
	});
	afterAll(async () => await chat?.close());

	async function speak(settings: Record<string, string>) {
		await runner().publish(example, settings);
		chat.model.turns = [[{ tool: 'Read_Aloud', input: { text } }]];
		return await chat.say(`Read aloud: ${text}`);
	}

	it('the assistant receives a link that gives the audio, byte for byte', async () => {
		const { toolResults, calls } = firstReading;
		expect(toolResults).toEqual([
			{ link: expect.stringMatching(/\?audio=[0-9a-f-]{36}$/) as string },
		]);
		expect(calls).toMatchObject([{ operation: 'text-to-speech', voiceId }]);

		// A player that asks for a part gets the entire file too. Older versions of n8n send every file with status 200, so a
		// player would take a part for the entire file.
		for (const headers of [new Headers(), new Headers({ range: 'bytes=100-' })]) {
			const response = await fetch(link, { headers });
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
			expect(Buffer.from(await response.arrayBuffer()).equals(audio)).toBe(true);
		}
	});

	it.each(['', '*', '?????????-*', '../*', 'e5d1a2b0-0000-4000-8000-000000000000'])(
		'the ID "%s" of another file is not found',
		async (id) => {
			const url = new URL(link);
			url.searchParams.set('audio', id);
			const response = await fetch(url);
			expect(response.status).toBe(404);
			expect(await response.text()).toBe('Audio not found.');
		},
	);

	it('without a voice, the assistant learns the reason, and nothing is paid', async () => {
		const { toolResults, paid } = await speak({ voiceId: '' });
		expect(toolResults).toEqual([
			{ error: expect.stringContaining("'Voice ID' is empty") as string },
		]);
		expect(paid).toEqual([]);
	});

	it('audio that cannot be saved is paid once, and the assistant learns that it is paid', async () => {
		const folder = `${runner().demo.files}/missing`;
		const { toolResults, paid } = await speak({ voiceId, folder });
		const error = expect.stringMatching(/made and paid, .+saved: .+/) as string;
		expect(toolResults).toEqual([{ error }]);
		expect(paid).toEqual(['text-to-speech']);
	});
}
