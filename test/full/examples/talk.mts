import { createRecording } from '../../../dev/demo/samples.mts';
import { createForm } from '../../support/createForm.mts';
import type { ExampleRunner } from './exampleRunner.mts';

/** The two webhooks of the page. test/browser/talk.test.ts uses the page itself. */
export function testTalk(runner: () => ExampleRunner): void {
	const example = 'talk-to-your-workflow';

	/** Sends a recording as the page does on another website. */
	async function say(recording: File | undefined, voiceId?: string) {
		await runner().publish(example, { voiceId: voiceId ?? (await runner().findVoice()) });
		const body = createForm(recording ? { data: recording } : {});
		const origin = 'https://website.example.com';
		return await runner().runAndListPaid(async () => await runner().post('talk', body, { origin }));
	}

	const readWords = (response: Response) =>
		JSON.parse(Buffer.from(response.headers.get('talk-words')!, 'base64').toString()) as unknown;

	it('the page is served, and knows the address of the workflow', async () => {
		const address = `${runner().demo.n8n.url}/webhook/talk`;
		const response = await fetch(address);
		expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
		// If n8n ends this, the notes about the microphone are out of date.
		expect(response.headers.get('content-security-policy')).toMatch(/^sandbox (?!.*same-origin)/);
		const page = await response.text();
		expect(page).toMatch(/^<!doctype html>/);
		expect(page).toContain(`new URL('${address}')`);
		expect(page).not.toContain('{{');
	});

	it('a recording is answered in audio, with the words for the page', async () => {
		const heard = 'Grüße aus Köln, ça va? 你好!';
		const { result, paid } = await say(await runner().createRecording(heard));
		expect(result.status).toBe(200);
		expect(result.headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
		expect(result.headers.get('access-control-expose-headers')).toBe('Talk-Words');
		expect(result.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/website)/);
		const answer = `You said: ${heard}`;
		expect(readWords(result)).toEqual({ heard, answer });
		const audio = Buffer.from(await result.arrayBuffer());
		expect(audio.equals(await runner().speak(answer))).toBe(true);
		expect(paid).toEqual(['speech-to-text', 'text-to-speech']);
	});

	it('long words do not make the header too large', async () => {
		const heard = '你好，'.repeat(120);
		const { result } = await say(await runner().createRecording(heard));
		expect(readWords(result)).toMatchObject({ heard: heard.slice(0, 300) });
		expect(result.headers.get('talk-words')!.length).toBeLessThan(3_000);
	});

	it('a recording without words gets no spoken answer, and nothing is paid without a recording', async () => {
		const failed = 'Sorry, that did not work. Please try again later.';
		const unheard = 'No words were heard. Please try again, a little louder.';
		const silence = new File([await createRecording(' ')], 'a.wav');
		const cases = [
			{ recording: silence, status: 200, notice: unheard, expected: ['speech-to-text'] },
			{ recording: runner().createNoAudio(), status: 500, notice: failed, expected: [] },
			{ recording: undefined, status: 500, notice: failed, expected: [] },
		];
		for (const { recording, status, notice, expected } of cases) {
			const { result, paid } = await say(recording);
			const answer = { status: result.status, json: await result.json(), paid };
			expect(answer).toEqual({ status, json: { notice }, paid: expected });
		}
	});
}
