import { respondWithBytes, respondWithJson } from '../../support/servers/scriptedServer.mts';
import { runner } from './exampleRunner.mts';

type Row = Record<'recordingId' | 'input' | 'message' | 'description', string> & { tries: number };

/** Recordings from a server that may be down; what failed is in a data table of n8n's. */
export function testRetryList(): void {
	const example = 'failures-to-retry-list';
	const names = ['one', 'two', 'three'];
	/** The third is MP3 by its name: what the service refuses there does not begin like a WAV file. */
	const createPath = (name: string) => (name === 'three' ? '/three.mp3' : `/${name}.wav`);
	const recordings = new Map<string, Buffer>();
	/** What the server cannot send. */
	const missing = new Set<string>();
	/** What the service refuses. */
	const refused = new Set<string>();
	/** How many deliveries of the second transcript fail. */
	let failures = 0;

	beforeAll(async () => {
		for (const name of names) {
			recordings.set(createPath(name), await runner.speak(`This is ${name}.`));
		}
		const transcriptAddress = `${runner.scriptedServer.baseUrl}/transcripts`;
		await runner.publish(example, { mostTries: 2, transcriptAddress });
	});

	beforeEach(async () => {
		await runner.writeRows('retryListId', []);
		missing.clear();
		refused.clear();
		failures = 0;
		runner.scriptedServer.reset((request, response, index) => {
			const recording = recordings.get(request.url);
			const chooseResponder = () => {
				if (missing.has(request.url)) return respondWithBytes('down', 'text/plain', 503);
				if (refused.has(request.url)) {
					return respondWithBytes(Buffer.alloc(4_000, 0x81), 'audio/mpeg');
				}
				if (recording) return respondWithBytes(recording, 'audio/wav');
				const fails = request.body.includes('This is two.') && failures > 0;
				if (!fails) return respondWithJson({});
				failures--;
				return respondWithJson({}, 500);
			};
			chooseResponder()(request, response, index);
		});
	});

	const readRows = async () => await runner.readRows<Row>('retryListId');
	const listDelivered = () => runner.listArrivals('transcripts');
	const createAddress = (name: string) => `${runner.scriptedServer.baseUrl}${createPath(name)}`;
	const createInput = (name: string) => ({
		recordingId: name,
		address: createAddress(name),
		note: 'ä"b',
	});

	const send = async (recordings: object[]) =>
		await runner.send(example, 'recordings-to-transcribe', { recordings });
	const tryAgain = async () => (await runner.run(example, 'Every Morning')).paid;

	it('what fails goes to the list, and trying again sends and pays only for that', async () => {
		missing.add('/two.wav');
		refused.add(createPath('three'));
		const { paid } = await send(names.map(createInput));
		expect(paid).toEqual(['speech-to-text']);
		expect(listDelivered()).toEqual([{ recordingId: 'one', text: 'This is one.' }]);
		const listed = await readRows();
		expect(listed.map(({ recordingId, tries }) => [recordingId, tries])).toEqual([
			['two', 0],
			['three', 1],
		]);
		for (const row of listed) {
			expect(JSON.parse(row.input)).toEqual(createInput(row.recordingId));
			expect(row.message + row.description).toMatch(/503|415/);
		}

		runner.scriptedServer.requests.length = 0;
		missing.delete('/two.wav');
		expect(await tryAgain()).toEqual(['speech-to-text']);
		expect(listDelivered()).toEqual([{ recordingId: 'two', text: 'This is two.' }]);
		expect(runner.scriptedServer.requests.map(({ url }) => url)).not.toContain('/one.wav');
		const { requestCount } = runner.scriptedServer;
		// After the last try, a recording is left to a person, who may allow one more.
		refused.clear();
		expect(await tryAgain()).toEqual([]);
		expect(runner.scriptedServer.requestCount).toBe(requestCount);
		expect(await readRows()).toMatchObject([{ recordingId: 'three', tries: 2 }]);
		await runner.publish(example, { mostTries: 3 });
		expect(await tryAgain()).toEqual(['speech-to-text']);
		expect(await readRows()).toEqual([]);
	});

	it('an empty wallet uses up no tries', async () => {
		const ids = ['1', '2', '3', '4', '5', '6', '7'];
		const setPrice = async (credits: number) =>
			await runner.changeSettings({ creditCosts: { 'speech-to-text': credits } });
		await setPrice(1_000_000);
		await send(ids.map((recordingId) => ({ recordingId, address: createAddress('one') })));
		await tryAgain();
		await tryAgain();
		expect((await readRows()).map(({ tries }) => tries)).toEqual(ids.map(() => 0));
		await setPrice(2);
		expect(await tryAgain()).toHaveLength(ids.length);
		expect(await readRows()).toEqual([]);
	});

	it('only a transcript that cannot be delivered is sent again, and none is paid again', async () => {
		failures = 2;
		expect((await send(names.map(createInput))).paid).toHaveLength(3);
		const order = ['one', 'two', 'two', 'two', 'three'];
		const expected = order.map((name) => ({ recordingId: name, text: `This is ${name}.` }));
		expect(listDelivered()).toEqual(expected);
		expect(await tryAgain()).toEqual([]);
	});

	it('recordings with the same recordingId, without one, or without an address have different rows', async () => {
		missing.add('/two.wav').add(createPath('three'));
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
		missing.clear();
		expect(await tryAgain()).toHaveLength(3);
		expect(await readRows()).toHaveLength(2);
	});
}
