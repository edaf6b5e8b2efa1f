import { readAudioFile } from '../../support/media/audioFiles.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** A form that transcribes in the language that it finds, or asks. */
describeExample('form-in-any-language', () => {
	const german = 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.';
	const polish = 'Dzień dobry, chciałbym umówić się na wizytę w przyszłym tygodniu, dziękuję.';
	// The emulator's response then names the language with which the recording was sent.
	beforeEach(async () => await runner.changeSettings({ extraResponseFields: true }));

	/** @param language the answer if the form asks for the language */
	async function submit(Recording: File, language?: string) {
		const further = language ? [{ Language: language }] : [];
		const page = await runner.submit('transcribe-in-any-language', { Recording }, further);
		const [transcribed] = page.execution.items('Transcribe in Language');
		const isAsked = page.execution.nodes().includes('Ask for Language');
		return { ...page, sentAs: transcribed?.json.language, isAsked };
	}

	it.each([
		{ what: 'an expected language', text: german, language: undefined, sentAs: 'de' },
		{ what: 'one that its sender chooses', text: polish, language: 'fr', sentAs: 'fr' },
	])('a recording is transcribed in $what', async ({ text, language, sentAs }) => {
		expect(await submit(await runner.createRecording(text), language)).toMatchObject({
			title: 'Transcript',
			message: text,
			sentAs,
			paid: ['language-detection', 'speech-to-text'],
		});
	});

	const readFile = (name: string) => new File([readAudioFile(name)], name, { type: 'audio/mpeg' });

	it('the person is asked in all audio formats where detection does not answer', async () => {
		const recording = await runner.createRecording(german);
		await runner.changeSettings({ undocumentedPayload: 'text' });
		const expected = { message: german, sentAs: 'de', paid: ['speech-to-text'] };
		expect(await submit(recording, 'de')).toMatchObject(expected);
		const names = ['zeros-in-front.mp3', 'ape-in-front.mp3', 'free-in-front.m4a', 'bw64.wav'];
		for (const name of names) {
			const { isAsked } = await submit(readFile(name), 'de');
			expect({ name, isAsked }).toEqual({ name, isAsked: true });
		}
	});

	it('a file that is not a recording costs nothing, and the page has the reason, without a question', async () => {
		await runner.changeSettings({ undocumentedPayload: 'text' });
		const page = await submit(readFile('paper.pdf'));
		expect(page).toMatchObject({ title: 'No transcript', paid: [], isAsked: false });
		expect(page.message).toContain("The file 'paper.pdf' is not audio: its content is PDF");
	});
});
