import { readAudioFile } from '../../support/media/audioFiles.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** A form that transcribes in the language that it finds, or asks. */
describeExample('form-in-any-language', (example) => {
	/** @param language the answer if the form asks for the language */
	async function submit(Recording: File, language?: string) {
		const further = language ? [{ Language: language }] : [];
		const page = await runner.submit('transcribe-in-any-language', { Recording }, further);
		const [transcribed] = page.execution.items('Transcribe in Language');
		const isAsked = page.execution.nodes().includes('Ask for Language');
		return { ...page, sentAs: transcribed?.json.language, isAsked };
	}

	const readFile = (name: string) => new File([readAudioFile(name)], name, { type: 'audio/mpeg' });

	it('a recording is transcribed in its language, and only its sender is asked for what is not found', async () => {
		const german = 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.';
		const polish = 'Dzień dobry, chciałbym umówić się na wizytę w przyszłym tygodniu, dziękuję.';
		const paid = ['language-detection', 'speech-to-text'];
		await runner.publish(example, { languages: 'EN, DE, fr' });
		// The emulator's response then names the language with which the recording was sent.
		await runner.changeSettings({ extraResponseFields: true });
		const found = { title: 'Transcript', message: german, sentAs: 'de', isAsked: false, paid };
		expect(await submit(await runner.createRecording(german))).toMatchObject(found);
		const unexpected = await submit(await runner.createRecording(polish), 'fr');
		expect(unexpected).toMatchObject({ message: polish, sentAs: 'fr', isAsked: true, paid });

		// The service may refuse audio here.
		await runner.changeSettings({ undocumentedPayload: 'text' });
		for (const name of ['ape-in-front.mp3', 'free-in-front.m4a']) {
			expect(await submit(readFile(name), 'DE')).toMatchObject({ isAsked: true });
		}
		const refused = await submit(readFile('paper.pdf'));
		expect(refused).toMatchObject({ title: 'No transcript', paid: [], isAsked: false });
		expect(refused.message).toContain("The file 'paper.pdf' is not audio: its content is PDF");
	});
});
