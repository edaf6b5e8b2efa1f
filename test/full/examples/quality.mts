import { describeExample, runner } from './exampleRunner.mts';

/** Someone uploads recordings of calls, and a language model that follows a script scores them. */
describeExample('calls-to-quality-scores', (example) => {
	const text = 'This is Ada. What do you need? I send it.';
	const answers = 'Yes: This is Ada.\n- **yes**: What do you need?\nno: nothing';

	beforeAll(async () => {
		const checklist = 'A name?\nA question?\nA next step?\n';
		const settings = { model: 'scripted', checklist };
		await runner.publish(example, settings, [runner.modelCredential]);
	});

	/** Uploads recordings; returns the last page, what was paid, and the new rows of the table. */
	async function upload(...files: File[]) {
		const before = (await runner.readRows('qualityTableId')).length;
		const { message, paid } = await runner.submit('score-calls', { Recordings: files });
		const rows = await runner.readRows<{ recording: string }>('qualityTableId');
		return { message, paid, rows: rows.slice(before) };
	}

	it('a call gets a score and a row, and the model gets the questions', async () => {
		const recording = await runner.createRecording(text, 'call.wav');
		runner.model.answer = answers;
		const { message, paid, rows } = await upload(recording);
		const row = { recording: 'call.wav', score: 67, answers, transcript: text, check: '' };
		expect(rows).toMatchObject([row]);
		expect(message).toBe(`call.wav: 67 %\n${answers}`);
		expect(paid).toEqual(['speech-to-text']);
		const [instruction, transcript] = runner.readLastPrompt();
		expect(instruction).toMatch(/\n- A name\?\n- A question\?\n- A next step\?$/);
		expect(transcript).toBe(text);
	});

	it('a call without a score keeps its transcript, and another one does not stop', async () => {
		runner.model.answer = 'The call is good.';
		const recording = await runner.createRecording(text, 'call.wav');
		const { message, paid, rows } = await upload(recording, runner.createNoAudio());
		const check = 'The language model did not answer each question';
		const failure = expect.stringMatching(/^No transcript: .*not audio/) as string;
		const sorted = rows.sort((one, other) => (one.recording < other.recording ? -1 : 1));
		expect(sorted).toMatchObject([
			{ recording: 'broken.wav', score: null, check: failure },
			{ recording: 'call.wav', score: null, transcript: text, check },
		]);
		expect(message).toMatch(/^broken\.wav: no score\. .*: \d+\s+call\.wav: no score\. .*: \d+$/);
		expect(paid).toEqual(['speech-to-text']);
	});
});
