import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import { respondWithJson } from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** Someone uploads recordings of calls, and a language model that follows a script scores them. */
describeExample('calls-to-quality-scores', (example) => {
	it('each call gets a score and a row, and one without a score keeps its transcript or the reason', async () => {
		const good = 'This is Ada. What do you need? I send it.';
		const vague = 'Well, hm.';
		const answers = 'Yes: This is Ada.\n- **yes**: What do you need?\nno: nothing';
		const checklist = 'A name?\nA question?\nA next step?\n';
		const settings = { model: 'scripted', checklist };
		await runner.publish(example, settings, [runner.modelCredential]);
		runner.model.server.respond = (request, response, index) => {
			const answer = request.body.includes(good) ? answers : 'The call is good.';
			respondWithJson(createCompletion(answer))(request, response, index);
		};
		const rowsBefore = (await runner.readRows('qualityTableId')).length;

		const Recordings = [
			await runner.createRecording(vague, 'vague.wav'),
			await runner.createRecording(good, 'call.wav'),
			runner.createNoAudio(),
		];
		const { message, paid } = await runner.submit('score-calls', { Recordings });
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
		const [instruction] = runner.readLastPrompt();
		expect(instruction).toMatch(/\n- A name\?\n- A question\?\n- A next step\?$/);
		expect(message).toContain(`\n\ncall.wav: 67 %\n${answers}\n\n`);
		expect(message).toMatch(/^broken\.wav: no score\. .*: \d+$/m);
		expect(message).toMatch(/^vague\.wav: no score\. .*: \d+$/m);
		const check = 'The language model did not answer each question';
		const failure = expect.stringMatching(/^No transcript: .*not audio/) as string;
		const rows = (await runner.readRows<{ recording: string }>('qualityTableId')).slice(rowsBefore);
		expect(rows.sort((one, other) => (one.recording < other.recording ? -1 : 1))).toMatchObject([
			{ recording: 'broken.wav', score: null, transcript: '', check: failure },
			{ recording: 'call.wav', score: 67, answers, transcript: good, check: '' },
			{ recording: 'vague.wav', score: null, transcript: vague, check },
		]);
	});
});
