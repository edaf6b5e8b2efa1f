import { createWav } from '../../support/media/recordings.mts';
import { respondWithJson, type RecordedRequest } from '../../support/servers/scriptedServer.mts';
import { expectExecutionNumberWithoutReason } from './formExamples.mts';
import { describeExample, runner } from './exampleRunner.mts';

/** A form that transcribes a long recording part by part. */
describeExample('long-recording-in-parts', (example) => {
	/** The service in place of the emulator, which cannot refuse a single part. */
	beforeAll(async () => {
		const settings = { partMinutes: 0.1, waitSeconds: 0 };
		await runner.publish(example, settings, [runner.scriptedCredential]);
	});

	const readFileName = ({ parts }: RecordedRequest) =>
		parts.find(({ fileName }) => fileName !== undefined)?.fileName;

	/** Uploads a recording of three parts; the service fails at the second one. */
	async function upload(failures: number) {
		let left = failures;
		runner.responders['/ai/speech-to-text'] = (request, response, index) => {
			const part = readFileName(request);
			const fails = part === 'board.meeting-02.wav' && left-- > 0;
			const respond = fails
				? respondWithJson({ error: 'Sorry' }, 500)
				: respondWithJson({ text: `Wörter of ${part}` });
			return respond(request, response, index);
		};
		const wav = new Uint8Array(createWav(15, 8_000));
		const recording = new File([wav], 'board.meeting.wav', { type: 'audio/wav' });
		const page = await runner.submit('transcribe-a-long-recording', { Recording: recording });
		expect(page.downloads.map(({ fileName }) => fileName)).toEqual(['board.meeting.txt']);
		const sent = runner.scriptedServer.requests.map(readFileName).sort();
		const [one, two, three] = [1, 2, 3].map((number) => `board.meeting-0${number}.wav`);
		expect(sent).toEqual([one, two, two, three]);
		return { ...page, blocks: page.downloads[0]!.bytes.toString('utf8').split('\n\n') };
	}

	const time = String.raw`\[00:00:\d\d\]`;
	const matchBlock = (text: string) =>
		expect.stringMatching(new RegExp(`^${time}\n${text}$`)) as string;
	const first = '[00:00:00]\nWörter of board.meeting-01.wav';
	const third = matchBlock('Wörter of board.meeting-03.wav');

	it('a part that fails is tried again alone, and the texts are joined in order', async () => {
		const { title, message, blocks } = await upload(1);
		expect(title).toBe('The transcript is ready');
		expect(message).toBe("The text is in your browser's downloads folder: board.meeting.txt");
		expect(blocks).toEqual([first, matchBlock('Wörter of board.meeting-02.wav'), third]);
	});

	it('a part that fails twice is named, and the others are kept', async () => {
		const page = await upload(2);
		expectExecutionNumberWithoutReason(page, '1 of 3 parts failed');
		expect(page.message).toMatch(new RegExp(`are missing: ${time}$`, 'm'));
		expect(page.blocks).toEqual([first, matchBlock('\\(This part is missing\\.\\)'), third]);
		// The person who runs the form finds the file of the part here.
		const [part] = page.execution.items('Transcribe Again');
		expect(part?.binary?.data?.fileName).toBe('board.meeting-02.wav');
	});
});
