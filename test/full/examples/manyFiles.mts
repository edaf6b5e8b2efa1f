import { describeExample, runner } from './exampleRunner.mts';

/** A form that takes several recordings at once. */
describeExample('many-files-to-transcripts', () => {
	it('each file is transcribed, sorted by name, and one that is refused does not stop the others', async () => {
		const texts = {
			'call 2': 'The first, "quoted" one.',
			'call: 9': 'The second one: äöü.',
			'call: 10': 'And the third.',
		};
		const files = [new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' })];
		// n8n outputs the files in the order in which it has stored them.
		for (const [name, text] of Object.entries(texts)) {
			files.unshift(await runner.createRecording(text, `${name}.wav`));
		}
		const { message, paid } = await runner.submit('transcribe-recordings', { Recordings: files });
		expect(message.split('\n\n')).toEqual([
			"bill.pdf: The file 'bill.pdf' is not audio: its content is PDF.",
			`call 2.wav: ${texts['call 2']}`,
			`call: 9.wav: ${texts['call: 9']}`,
			`call: 10.wav: ${texts['call: 10']}`,
		]);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text', 'speech-to-text']);
	});
});
