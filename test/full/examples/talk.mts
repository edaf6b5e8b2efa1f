import { createRecording } from '../../../dev/demo/samples.mts';
import { createForm } from '../../support/createForm.mts';
import { runner } from './exampleRunner.mts';

/** The two webhooks of the page. test/browser/talk uses the page itself. */
export function testTalk(): void {
	const example = 'talk-to-your-workflow';

	beforeAll(async () => await runner.publish(example, { voiceId: runner.voiceId }));

	/** Sends a recording as the page does. */
	const say = async (recording?: File) =>
		await runner.runAndListPaid(
			async () => await runner.post('talk', createForm(recording ? { data: recording } : {})),
		);

	it('long words do not make the header too large', async () => {
		const heard = '你好，'.repeat(120);
		const { result, paid } = await say(await runner.createRecording(heard));
		const words = result.headers.get('talk-words')!;
		const read = JSON.parse(Buffer.from(words, 'base64').toString()) as object;
		expect(read).toMatchObject({ heard: heard.slice(0, 300) });
		expect(words.length).toBeLessThan(3_000);
		expect(paid).toEqual(['speech-to-text', 'text-to-speech']);
	});

	it('a recording without words gets no spoken answer, and nothing is paid without a recording', async () => {
		const failed = 'Sorry, that did not work. Please try again later.';
		const unheard = 'No words were heard. Please try again, a little louder.';
		const silence = new File([await createRecording(' ')], 'a.wav');
		const cases = [
			{ recording: silence, status: 200, notice: unheard, expected: ['speech-to-text'] },
			{ recording: runner.createNoAudio(), status: 500, notice: failed, expected: [] },
			{ recording: undefined, status: 500, notice: failed, expected: [] },
		];
		for (const { recording, status, notice, expected } of cases) {
			const { result, paid } = await say(recording);
			const answer = { status: result.status, json: await result.json(), paid };
			expect(answer).toEqual({ status, json: { notice }, paid: expected });
		}
	});
}
