import type { Stage } from './stage';

/** A form that transcribes in the language that it finds, or asks. */
export function languages(stage: () => Stage): void {
	const german = 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.';
	const polish = 'Dzień dobry, chciałbym umówić się na wizytę w przyszłym tygodniu, dziękuję.';
	// With the language that the recording was sent with.
	beforeAll(async () => await stage().emulate({ extraResponseFields: true }));
	afterEach(async () => await stage().emulate({ undocumentedPayload: 'either' }));
	afterAll(async () => await stage().emulate({ extraResponseFields: false }));

	/** @param language what is answered where the form asks for it */
	async function submit(recording: File, language?: string) {
		const further = language ? [{ Language: language }] : [];
		const form = 'transcribe-in-any-language';
		const page = await stage().submit(form, { Recording: recording }, further);
		const [transcribed] = page.execution.items('Transcribe in Language');
		return { ...page, sentAs: transcribed?.json.language as string };
	}

	it.each([
		['is found, and the recording transcribed in it', german, undefined, 'de'],
		['is not expected: the person who sent the recording is asked', polish, 'fr', 'fr'],
	])('the language %s', async (_what, text, language, sentAs) => {
		expect(await submit(await stage().recordingOf(text), language)).toMatchObject({
			...{ title: 'Transcript', message: text, sentAs },
			paid: ['language-detection', 'speech-to-text'],
		});
	});

	it('where detection does not answer, the person is asked too', async () => {
		const recording = await stage().recordingOf(german);
		await stage().emulate({ undocumentedPayload: 'text' });
		expect(await submit(recording, 'de')).toMatchObject({
			...{ message: german, sentAs: 'de', paid: ['speech-to-text'] },
		});
	});

	it('a file that is not a recording costs nothing, and the page has the reason, without a question', async () => {
		const { title, message, paid } = await submit(stage().notAudio());
		expect({ title, paid }).toEqual({ title: 'No transcript', paid: [] });
		expect(message).toMatch(/WAV, MP3, M4A/);
	});
}
