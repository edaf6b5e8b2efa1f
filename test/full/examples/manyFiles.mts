import { runner } from './exampleRunner.mts';

/** A form that takes several recordings at once. */
export function testManyFiles(): void {
	const submit = async (files: File[]) =>
		await runner.submit('transcribe-recordings', { Recordings: files });
	async function upload(files: File[]) {
		const { message, paid } = await submit(files);
		return { lines: message.split('\n\n'), paid };
	}

	it('each file is transcribed, sorted by name, and one that is refused does not stop the others', async () => {
		const texts = {
			'call 2': 'The first, "quoted" one.',
			'call: 9': 'The second one: äöü.',
			'call: 10': 'And the third.',
		};
		const recordings = await Promise.all(
			Object.entries(texts).map(
				async ([name, text]) => await runner.createRecording(text, `${name}.wav`),
			),
		);
		const bill = new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' });
		// n8n outputs the files in the order in which it has stored them.
		const { lines, paid } = await upload([...recordings.reverse(), bill]);
		expect(lines).toEqual([
			"bill.pdf: The file 'bill.pdf' is not audio: its content is PDF.",
			`call 2.wav: ${texts['call 2']}`,
			`call: 9.wav: ${texts['call: 9']}`,
			`call: 10.wav: ${texts['call: 10']}`,
		]);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text', 'speech-to-text']);
	});
}
