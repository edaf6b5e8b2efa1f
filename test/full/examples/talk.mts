import { createRecording } from '../../../dev/demo/samples.mts';
import { createForm } from '../../support/createForm.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** The two webhooks of the page. test/browser/talk uses the page itself. */
describeExample('talk-to-your-workflow', (example) => {
	beforeAll(async () => await runner.publish(example, { voiceId: runner.voiceId }));

	/** Sends a form as the page does. */
	const say = async (fields: { data?: File }) =>
		await runner.runAndListPaid(async () => await runner.post('talk', createForm(fields)));

	it('long words do not make the header too large', async () => {
		const heard = '你好，'.repeat(120);
		const { result, paid } = await say({ data: await runner.createRecording(heard) });
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
			{ fields: { data: silence }, status: 200, notice: unheard, paid: ['speech-to-text'] },
			{ fields: { data: runner.createNoAudio() }, status: 500, notice: failed, paid: [] },
			{ fields: {}, status: 500, notice: failed, paid: [] },
		];
		for (const { fields, ...expected } of cases) {
			const { result, paid } = await say(fields);
			const answer = (await result.json()) as object;
			expect({ status: result.status, ...answer, paid }).toEqual(expected);
		}
	});
});
