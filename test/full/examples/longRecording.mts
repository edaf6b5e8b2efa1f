import { createWav } from '../../support/media/recordings.mts';
import {
	respondWithJson,
	type RecordedRequest,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { expectExecutionNumberWithoutReason } from './formExamples.mts';
import { runner } from './exampleRunner.mts';

/** A form that transcribes a long recording part by part. */
export function testLongRecording(): void {
	const example = 'long-recording-in-parts';

	/** The service in place of the emulator, which cannot refuse a single part. */
	beforeAll(async () => {
		const { baseUrl } = runner.scriptedServer;
		const { apiKey } = runner.demo.emulator;
		const data = { apiKey, environment: 'sandbox', baseUrl };
		const settings = { partMinutes: 0.1, waitSeconds: 0 };
		await runner.publish(example, settings, [
			{ nodeType: 'voiceSpeech', type: 'voiceSpeechApi', data },
		]);
	});

	const readFileName = ({ parts }: RecordedRequest) =>
		parts.find(({ fileName }) => fileName !== undefined)?.fileName;
	const listSent = () => runner.scriptedServer.requests.map(readFileName).sort();
	const transcribe: Responder = (request, response, index) =>
		respondWithJson({ text: `Wörter of ${readFileName(request)}` })(request, response, index);
	const fail = respondWithJson({ error: 'Sorry' }, 500);

	/** Uploads a recording of three parts; the service fails at the second one. */
	async function upload(failures: number) {
		let left = failures;
		runner.scriptedServer.reset((request, response, index) => {
			const fails = readFileName(request) === 'board.meeting-02.wav' && left-- > 0;
			return (fails ? fail : transcribe)(request, response, index);
		});
		const wav = new Uint8Array(createWav(15, 8_000));
		const recording = new File([wav], 'board.meeting.wav', { type: 'audio/wav' });
		const page = await runner.submit('transcribe-a-long-recording', { Recording: recording });
		expect(page.downloads.map(({ fileName }) => fileName)).toEqual(['board.meeting.txt']);
		return { ...page, blocks: page.downloads[0]!.bytes.toString('utf8').split('\n\n') };
	}

	const time = String.raw`\[00:00:\d\d\]`;
	const first = '[00:00:00]\nWörter of board.meeting-01.wav';
	const third = expect.stringMatching(
		new RegExp(String.raw`^${time}\nWörter of board\.meeting-03\.wav$`),
	) as string;
	const sentOnce = ['board.meeting-01.wav', 'board.meeting-02.wav', 'board.meeting-03.wav'];

	it('a part that fails is tried again alone, and the texts are joined in order', async () => {
		const { title, message, blocks } = await upload(1);
		expect(title).toBe('The transcript is ready');
		expect(message).toBe("The text is in your browser's downloads folder: board.meeting.txt");
		const second = new RegExp(String.raw`^${time}\nWörter of board\.meeting-02\.wav$`);
		expect(blocks).toEqual([first, expect.stringMatching(second), third]);
		expect(listSent()).toEqual([...sentOnce, 'board.meeting-02.wav'].sort());
	});

	it('a part that fails twice is named, and the others are kept', async () => {
		const page = await upload(2);
		expectExecutionNumberWithoutReason(page, '1 of 3 parts failed');
		expect(page.message).toMatch(new RegExp(String.raw`are missing: ${time}$`, 'm'));
		const missing = new RegExp(String.raw`^${time}\n\(This part is missing\.\)$`);
		expect(page.blocks).toEqual([first, expect.stringMatching(missing), third]);
		expect(listSent()).toEqual([...sentOnce, 'board.meeting-02.wav'].sort());
		// The person who runs the form finds the file of the part here.
		const [part] = page.execution.items('Transcribe Again');
		expect(part?.binary?.data?.fileName).toBe('board.meeting-02.wav');
	});
}
