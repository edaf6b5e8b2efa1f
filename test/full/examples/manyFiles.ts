import type { Stage } from './stage';

/** A form that takes several recordings at once. */
export function manyFiles(stage: () => Stage): void {
	async function upload(files: File[]) {
		const { message, paid } = await stage().submit('transcribe-recordings', { Recordings: files });
		return { lines: message.split('\n\n'), paid };
	}

	it('each file is transcribed, and one that is refused does not stop the others', async () => {
		const texts = ['The first, "quoted" one.', 'The second one: äöü.', 'And the third.'];
		const [first, ...others] = await Promise.all(
			texts.map(async (text, index) => await stage().recordingOf(text, `call ${index}.wav`)),
		);
		const bill = new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' });
		const { lines, paid } = await upload([first!, bill, ...others]);
		const refused = /^bill\.pdf: .+ is PDF, not WAV, MP3, M4A or FLAC\. .+ nothing was debited/;
		expect(lines).toEqual([
			`call 0.wav: ${texts[0]}`,
			expect.stringMatching(refused),
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
