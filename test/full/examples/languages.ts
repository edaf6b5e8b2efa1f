import { expectSuccess, type Stage } from './stage';

/** A form that transcribes in the language that it finds, or asks. */
export function languages(stage: () => Stage): void {
	const german = 'Guten Tag, ich möchte bitte einen Termin für nächste Woche vereinbaren.';
	// With the language that the recording was sent with.
	beforeAll(async () => await stage().emulate({ extraResponseFields: true }));
	afterEach(async () => await stage().emulate({ undocumentedPayload: 'either' }));
	afterAll(async () => await stage().emulate({ extraResponseFields: false }));

	/** @param further what is answered where the form asks for the language */
	async function submit(recording: File, further?: Array<Record<string, string>>) {
		const { tools, demo } = stage();
		const form = `${demo.n8n.url}/form/transcribe-in-any-language`;
		const { result, paid } = await stage().paidFor(
			async () => await tools.submitForm(form, { Recording: recording }, 60_000, further),
		);
		const execution = await tools.finishedExecution(demo.rest, result.executionId);
		expectSuccess(execution);
		const [transcribed] = execution.items('Transcribe in Language');
		return { ...result, sentAs: transcribed?.json.language as string, paid };
	}

	it('the language is found, and the recording transcribed in it', async () => {
		expect(await submit(await stage().recordingOf(german))).toMatchObject({
			...{ title: 'Transcript', message: german, sentAs: 'de' },
			paid: ['language-detection', 'speech-to-text'],
		});
	});

	it('a language that is not expected: the person who sent the recording is asked', async () => {
		const polish = 'Dzień dobry, chciałbym umówić się na wizytę w przyszłym tygodniu, dziękuję.';
		const recording = await stage().recordingOf(polish);
		expect(await submit(recording, [{ Language: 'fr' }])).toMatchObject({
			...{ title: 'Transcript', message: polish, sentAs: 'fr' },
			paid: ['language-detection', 'speech-to-text'],
		});
	});

	it('where detection does not answer, the person is asked too', async () => {
		const recording = await stage().recordingOf(german);
		await stage().emulate({ undocumentedPayload: 'text' });
		expect(await submit(recording, [{ Language: 'de' }])).toMatchObject({
			...{ message: german, sentAs: 'de', paid: ['speech-to-text'] },
		});
	});

	it('a file that is no recording costs nothing, and the page says why', async () => {
		const file = new File(['no audio at all'], 'broken.wav', { type: 'audio/wav' });
		const { title, message, paid } = await submit(file, [{ Language: 'en' }]);
		expect({ title, paid }).toEqual({ title: 'No transcript', paid: [] });
		expect(message).toMatch(/WAV, MP3, M4A/);
	});
}
