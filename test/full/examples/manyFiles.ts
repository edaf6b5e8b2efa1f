import { expectSuccess, type Stage } from './stage';

/** A form that takes several recordings at once. */
export function manyFiles(stage: () => Stage): void {
	const form = () => `${stage().demo.n8n.url}/form/transcribe-recordings`;

	async function upload(files: File[]) {
		const { tools, demo } = stage();
		const { result, paid } = await stage().paidFor(
			async () => await tools.submitForm(form(), { Recordings: files }),
		);
		expectSuccess(await tools.finishedExecution(demo.rest, result.executionId));
		return { lines: result.message.split('\n\n'), paid };
	}

	it('each file is transcribed, and one that is refused does not stop the others', async () => {
		const texts = ['The first, "quoted" one.', 'The second one: äöü.', 'And the third.'];
		const spoken = await Promise.all(
			texts.map(async (text, index) => await stage().recordingOf(text, `call ${index}.wav`)),
		);
		const bill = new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' });
		const { lines, paid } = await upload([spoken[0]!, bill, spoken[1]!, spoken[2]!]);
		expect(lines).toEqual([
			`call 0.wav: ${texts[0]}`,
			expect.stringMatching(
				/^bill\.pdf: .+ is PDF, not WAV, MP3, M4A or FLAC\. .+ nothing was debited/,
			),
			`call 1.wav: ${texts[1]}`,
			`call 2.wav: ${texts[2]}`,
		]);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text', 'speech-to-text']);
	});

	it('a single file is transcribed too', async () => {
		const { lines, paid } = await upload([await stage().recordingOf('Only me.', 'only.wav')]);
		expect(lines).toEqual(['only.wav: Only me.']);
		expect(paid).toEqual(['speech-to-text']);
	});
}
