import { createRecording } from '../../../dev/demo/samples.mts';
import { createForm } from '../../support/createForm.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** The webhook of the page. test/browser/talk uses the page itself. */
describeExample('talk-to-your-workflow', (example) => {
	it('answers words aloud, and says in a notice that it heard none, or that it failed', async () => {
		await runner.publish(example, { voiceId: runner.voiceId });
		/** Sends a form as the page does. */
		const say = async (data: File) =>
			await runner.runAndListPaid(async () => await runner.post('talk', createForm({ data })));

		// Long words do not make the header too large.
		const heard = '你好，'.repeat(120);
		const answered = await say(await runner.createRecording(heard));
		const words = answered.result.headers.get('talk-words')!;
		const read = JSON.parse(Buffer.from(words, 'base64').toString()) as object;
		expect(read).toMatchObject({ heard: heard.slice(0, 300) });
		expect(words.length).toBeLessThan(3_000);
		expect(answered.paid).toEqual(['speech-to-text', 'text-to-speech']);

		const unheard = await say(new File([await createRecording(' ')], 'a.wav'));
		const louder = 'No words were heard. Please try again, a little louder.';
		expect(await unheard.result.json()).toEqual({ notice: louder });
		expect(unheard.paid).toEqual(['speech-to-text']);

		const failed = await say(runner.createNoAudio());
		expect(failed.result.status).toBe(500);
		const later = 'Sorry, that did not work. Please try again later.';
		expect(await failed.result.json()).toEqual({ notice: later });
		expect(failed.paid).toEqual([]);
	});
});
