import {
	respondWithBytes,
	respondWithJson,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

type Row = Record<'recordingId' | 'input' | 'message' | 'description', string> & { tries: number };

/** Recordings from a server that may be down; what failed is in a data table of n8n's. */
describeExample('failures-to-retry-list', (example) => {
	const readRows = async () => await runner.readRows<Row>('retryListId');
	const listDelivered = () => runner.listArrivals('/transcripts');
	const listDownloaded = () =>
		runner.scriptedServer.requests.map(({ url }) => url).filter((url) => url !== '/transcripts');
	const tryAgain = async () => (await runner.run(example, 'Every Morning')).paid;
	const setPrice = async (credits: number) =>
		await runner.changeSettings({ creditCosts: { 'speech-to-text': credits } });
	const respondWithSpeech = async (text: string) =>
		respondWithBytes(await runner.speak(text), 'audio/wav');
	const containing = (text: string) => expect.stringContaining(text) as string;

	it('lists what failed as it was sent, and tries only that again, until it succeeds', async () => {
		const transcriptAddress = runner.createAddress('/transcripts');
		await runner.publish(example, { mostTries: 2, transcriptAddress });
		await runner.writeRows('retryListId', []);
		const three = await respondWithSpeech('This is three.');
		const four = await respondWithSpeech('This is four.');
		const statuses = [200, 500, 500];
		const receive: Responder = (...request) =>
			respondWithJson({}, statuses.shift() ?? 200)(...request);
		runner.responders = {
			'/one.wav': await respondWithSpeech('This is one.'),
			'/two.wav': await respondWithSpeech('This is two.'),
			'/three.wav': respondWithBytes('down', 'text/plain', 503),
			// MP3 by its name: what the service refuses there does not begin like a WAV file.
			'/four.mp3': respondWithBytes(Buffer.alloc(4_000, 0x81), 'audio/mpeg'),
			'/transcripts': receive,
		};
		const address = runner.createAddress('/three.wav');
		const failing = [
			{ recordingId: '9', address, note: 'ä"b' },
			{ recordingId: '9', address: runner.createAddress('/four.mp3') },
			{ address },
			{ note: 'no address' },
			{ note: 'none either' },
		];
		const one = runner.createAddress('/one.wav');
		const two = { recordingId: '2', address: runner.createAddress('/two.wav') };
		const recordings = [{ address: one }, two, ...failing];
		const sent = await runner.send(example, 'recordings-to-transcribe', { recordings });
		expect(sent.paid).toEqual(['speech-to-text', 'speech-to-text']);
		// Only the transcript that was not received is sent again.
		const delivered = { recordingId: '2', text: 'This is two.' };
		expect(listDelivered()).toEqual([
			{ recordingId: one, text: 'This is one.' },
			...[delivered, delivered, delivered],
		]);
		const listed = await readRows();
		expect(listed).toMatchObject([
			{ recordingId: '9', tries: 0, message: containing('503') },
			{ recordingId: '9', tries: 1, message: containing('(415)') },
			{ recordingId: address, tries: 0 },
			{ recordingId: 'no address', tries: 0 },
			{ recordingId: 'no address', tries: 0 },
		]);
		expect(listed.map(({ input }) => JSON.parse(input) as object)).toEqual(failing);
		for (const { description } of listed) expect(description).not.toBe('');

		// An empty wallet uses up no tries.
		runner.responders['/three.wav'] = three;
		await setPrice(1_000_000);
		expect(await tryAgain()).toEqual([]);
		const unpaid = await readRows();
		expect(unpaid.map(({ tries }) => tries)).toEqual([0, 1, 0, 0, 0]);
		expect(unpaid[0]!.message).toContain('(402)');

		await setPrice(2);
		runner.scriptedServer.requests.length = 0;
		expect(await tryAgain()).toEqual(['speech-to-text', 'speech-to-text']);
		expect(listDownloaded()).toEqual(['/three.wav', '/four.mp3', '/three.wav']);
		expect(listDelivered()).toEqual([
			{ recordingId: '9', text: 'This is three.' },
			{ recordingId: address, text: 'This is three.' },
		]);
		const left = [{ tries: 2 }, { recordingId: 'no address' }, { recordingId: 'no address' }];
		expect(await readRows()).toMatchObject(left);

		// After the last try, a recording is left to a person, who may allow one more.
		runner.responders['/four.mp3'] = four;
		expect(await tryAgain()).toEqual([]);
		await runner.publish(example, { mostTries: 3 });
		expect(await tryAgain()).toEqual(['speech-to-text']);
		expect(await readRows()).toHaveLength(2);
	});
});
