import { createWav } from '../../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
} from '../../support/servers/scriptedServer.mts';
import { expectExecutionNumberWithoutReason } from './formExamples.mts';
import { describeExample, runner } from './exampleRunner.mts';

const readFileName = ({ parts }: RecordedRequest) =>
	parts.find(({ fileName }) => fileName !== undefined)?.fileName;

/** A form that transcribes a long recording part by part. */
describeExample('long-recording-in-parts', (example) => {
	/** Uploads a recording of four parts. */
	async function upload() {
		const wav = new Uint8Array(createWav(18, 8_000));
		const recording = new File([wav], 'board.meeting.wav', { type: 'audio/wav' });
		return await runner.submit('transcribe-a-long-recording', { Recording: recording });
	}

	it('the texts of all parts are joined in one file; a part that fails is tried again alone', async () => {
		// The service in place of the emulator, which cannot refuse a single part.
		const settings = { partMinutes: 0.1, waitSeconds: 0 };
		await runner.publish(example, settings, [runner.scriptedCredential]);
		const [one, two, three, four] = [1, 2, 3, 4].map((number) => `board.meeting-0${number}.wav`);
		const sorry = respondWithJson({ error: 'Sorry' }, 500);
		const responders = new Map([
			[one, [sorry]],
			// It was paid for, so it is not sent again.
			[two, [respondWithBytes('No JSON', 'text/plain')]],
			[three, [sorry, sorry]],
		]);
		runner.responders['/ai/speech-to-text'] = (request, response, index) => {
			const part = readFileName(request);
			const respond = responders.get(part)?.shift() ?? respondWithJson({ text: `Wörter: ${part}` });
			return respond(request, response, index);
		};

		const page = await upload();
		const sent = runner.scriptedServer.requests.map(readFileName).sort();
		expect(sent).toEqual([one, one, two, three, three, four]);
		expectExecutionNumberWithoutReason(page, '2 of 4 parts failed');
		const time = String.raw`\[00:00:\d\d\]`;
		expect(page.message).toMatch(new RegExp(`are missing: ${time}, ${time}$`, 'm'));
		expect(page.downloads.map(({ fileName }) => fileName)).toEqual(['board.meeting.txt']);
		const missing = new RegExp(String.raw`^${time}\n\(This part is missing\.\)$`);
		expect(page.downloads[0]!.bytes.toString('utf8').split('\n\n')).toEqual([
			`[00:00:00]\nWörter: ${one}`,
			expect.stringMatching(missing),
			expect.stringMatching(missing),
			expect.stringMatching(new RegExp(`^${time}\nWörter: ${four}$`)),
		]);
		// The person who runs the form finds the file of the part here.
		const again = page.execution.items('Transcribe Again');
		expect(again.map(({ binary }) => binary?.data?.fileName)).toContain(three);

		const complete = await upload();
		expect(complete.title).toBe('The transcript is ready');
		expect(complete.message).toBe(
			"The text is in your browser's downloads folder: board.meeting.txt",
		);
	});
});
