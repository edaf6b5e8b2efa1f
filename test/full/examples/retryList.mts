import {
	respondWithBytes,
	respondWithJson,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { describeExample, runner } from './exampleRunner.mts';

type Row = Record<'recordingId' | 'input' | 'message' | 'description', string> & { tries: number };

/** Recordings from a server that may be down; what failed is in a data table of n8n's. */
describeExample('failures-to-retry-list', (example) => {
	const names = ['one', 'two', 'three'];
	/** The third is MP3 by its name: what the service refuses there does not begin like a WAV file. */
	const createPath = (name: string) => (name === 'three' ? '/three.mp3' : `/${name}.wav`);
	/** By their paths. */
	const recordings: Record<string, Responder> = {};
	const missing = respondWithBytes('down', 'text/plain', 503);

	beforeAll(async () => {
		for (const name of names) {
			const recording = await runner.speak(`This is ${name}.`);
			recordings[createPath(name)] = respondWithBytes(recording, 'audio/wav');
		}
		const transcriptAddress = runner.createAddress('/transcripts');
		await runner.publish(example, { mostTries: 2, transcriptAddress });
	});

	beforeEach(async () => {
		await runner.writeRows('retryListId', []);
		runner.responders = { ...recordings };
	});

	const readRows = async () => await runner.readRows<Row>('retryListId');
	const listDelivered = () => runner.listArrivals('/transcripts');
	const createAddress = (name: string) => runner.createAddress(createPath(name));
	const createInput = (name: string) => ({
		recordingId: name,
		address: createAddress(name),
		note: 'ä"b',
	});

	const send = async (recordings: object[]) =>
		await runner.send(example, 'recordings-to-transcribe', { recordings });
	const tryAgain = async () => (await runner.run(example, 'Every Morning')).paid;

	it('what fails goes to the list, and trying again sends and pays only for that', async () => {
		const refused = respondWithBytes(Buffer.alloc(4_000, 0x81), 'audio/mpeg');
		Object.assign(runner.responders, { '/two.wav': missing, '/three.mp3': refused });
		const { paid } = await send(names.map(createInput));
		expect(paid).toEqual(['speech-to-text']);
		expect(listDelivered()).toEqual([{ recordingId: 'one', text: 'This is one.' }]);
		const listed = await readRows();
		expect(listed).toMatchObject([
			{ recordingId: 'two', tries: 0 },
			{ recordingId: 'three', tries: 1 },
		]);
		for (const row of listed) {
			expect(JSON.parse(row.input)).toEqual(createInput(row.recordingId));
			expect(row.message + row.description).toMatch(/503|415/);
		}

		runner.scriptedServer.requests.length = 0;
		runner.responders['/two.wav'] = recordings['/two.wav']!;
		expect(await tryAgain()).toEqual(['speech-to-text']);
		expect(listDelivered()).toEqual([{ recordingId: 'two', text: 'This is two.' }]);
		expect(runner.scriptedServer.requests.map(({ url }) => url)).not.toContain('/one.wav');
		const { requestCount } = runner.scriptedServer;
		// After the last try, a recording is left to a person, who may allow one more.
		runner.responders = { ...recordings };
		expect(await tryAgain()).toEqual([]);
		expect(runner.scriptedServer.requestCount).toBe(requestCount);
		expect(await readRows()).toMatchObject([{ recordingId: 'three', tries: 2 }]);
		await runner.publish(example, { mostTries: 3 });
		expect(await tryAgain()).toEqual(['speech-to-text']);
		expect(await readRows()).toEqual([]);
	});

	it('an empty wallet uses up no tries', async () => {
		const address = createAddress('one');
		const inputs = [...'1234567'].map((recordingId) => ({ recordingId, address }));
		const setPrice = async (credits: number) =>
			await runner.changeSettings({ creditCosts: { 'speech-to-text': credits } });
		await setPrice(1_000_000);
		await send(inputs);
		await tryAgain();
		await tryAgain();
		expect(await readRows()).toMatchObject(inputs.map(() => ({ tries: 0 })));
		await setPrice(2);
		expect(await tryAgain()).toHaveLength(inputs.length);
		expect(await readRows()).toEqual([]);
	});

	it('only a transcript that cannot be delivered is sent again, and none is paid again', async () => {
		let failures = 2;
		runner.responders['/transcripts'] = (request, response, index) => {
			const fails = request.body.includes('This is two.') && failures-- > 0;
			return respondWithJson({}, fails ? 500 : 200)(request, response, index);
		};
		expect((await send(names.map(createInput))).paid).toHaveLength(3);
		const order = ['one', 'two', 'two', 'two', 'three'];
		const expected = order.map((name) => ({ recordingId: name, text: `This is ${name}.` }));
		expect(listDelivered()).toEqual(expected);
		expect(await tryAgain()).toEqual([]);
	});

	it('recordings with the same recordingId, without one, or without an address have different rows', async () => {
		Object.assign(runner.responders, { '/two.wav': missing, '/three.mp3': missing });
		const [one, two, three] = names.map(createAddress);
		const failing = [
			{ recordingId: '9', address: two },
			{ recordingId: '9', address: three },
			{ address: two },
			{ note: 'no address' },
			{ note: 'none either' },
		];
		await send([{ address: one }, ...failing]);
		expect(listDelivered()).toEqual([{ recordingId: one, text: 'This is one.' }]);
		const listed = await readRows();
		const ids = listed.map(({ recordingId }) => recordingId);
		expect(ids).toEqual(['9', '9', two, 'no address', 'no address']);
		expect(listed.map(({ input }) => JSON.parse(input) as object)).toEqual(failing);
		runner.responders = { ...recordings };
		expect(await tryAgain()).toHaveLength(3);
		expect(await readRows()).toHaveLength(2);
	});
});
