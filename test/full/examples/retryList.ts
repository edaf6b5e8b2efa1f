import { bytes, json } from '../../support/scriptedServer';
import type { Stage } from './stage';

interface Row {
	recordingId: string;
	input: string;
	message: string;
	description: string;
	tries: number;
}

/** Recordings from a server that may be down; what failed is in a data table of n8n's. */
export function retryList(stage: () => Stage): void {
	const example = 'failures-to-retry-list';
	const names = ['one', 'two', 'three'];
	const recordings = new Map<string, Buffer>();
	const missing = new Set<string>();
	let isArchiveDown = false;

	beforeAll(async () => {
		const { outside } = stage();
		for (const name of names) {
			recordings.set(`/${name}.wav`, await stage().speak(`This is ${name}.`));
		}
		const transcriptAddress = `${outside.baseUrl}/transcripts`;
		await stage().publish(example, { mostTries: 2, transcriptAddress });
	});

	beforeEach(() => {
		stage().outside.reset((request, response, index) => {
			const recording = recordings.get(request.url);
			const answer = missing.has(request.url)
				? bytes('down', 'text/plain', 503)
				: recording
					? bytes(recording, 'audio/wav')
					: json({}, isArchiveDown ? 500 : 200);
			answer(request, response, index);
		});
	});

	const rows = async () => await stage().rowsOf<Row>('retryListId');
	const delivered = () => stage().arrivedAt('transcripts');
	const addressOf = (name: string) => `${stage().outside.baseUrl}/${name}.wav`;

	const send = async (recordings: object[]) =>
		await stage().send(example, 'recordings-to-transcribe', { recordings });
	const tryAgain = async (status?: string) =>
		(await stage().run(example, 'Every Morning', {}, status)).paid;

	it('what fails goes to the list, the rest is delivered', async () => {
		missing.add('/two.wav').add('/three.wav');
		const input = (name: string) => ({ recordingId: name, address: addressOf(name), note: 'ä"b' });
		const { paid } = await send(names.map(input));
		expect(paid).toEqual(['speech-to-text']);
		expect(delivered()).toEqual([{ recordingId: 'one', text: 'This is one.' }]);
		const listed = await rows();
		expect(listed.map(({ recordingId, tries }) => [recordingId, tries])).toEqual([
			['two', 1],
			['three', 1],
		]);
		for (const row of listed) {
			expect(JSON.parse(row.input)).toEqual(input(row.recordingId));
			expect(row.message).toContain('503');
			expect(row.description).not.toBe('');
		}
	});

	it('trying again sends and pays only for what failed', async () => {
		missing.delete('/two.wav');
		expect(await tryAgain()).toEqual(['speech-to-text']);
		expect(delivered()).toEqual([{ recordingId: 'two', text: 'This is two.' }]);
		const asked = stage().outside.requests.map(({ url }) => url);
		expect(asked).not.toContain('/one.wav');
		expect(await rows()).toMatchObject([{ recordingId: 'three', tries: 2 }]);
	});

	it('after the last try a recording is left to a person', async () => {
		missing.clear();
		expect(await tryAgain()).toEqual([]);
		expect(stage().outside.arrived).toBe(0);
		expect(await rows()).toMatchObject([{ recordingId: 'three', tries: 2 }]);
	});

	it('without a recordingId, the address stands for it', async () => {
		await stage().publish(example, { mostTries: 3 });
		missing.add('/two.wav').add('/three.wav');
		const listed = async () => (await rows()).map(({ recordingId }) => recordingId);
		const before = await listed();
		const recordings = names.map((name) => ({ address: addressOf(name) }));
		await send(recordings);
		expect(delivered()).toEqual([{ recordingId: addressOf('one'), text: 'This is one.' }]);
		expect(await listed()).toEqual([...before, addressOf('two'), addressOf('three')]);
		missing.clear();
		await tryAgain();
		expect(await listed()).toEqual([]);
		await stage().publish(example, { mostTries: 2 });
	});

	it('a transcript that cannot be delivered is not paid again the next morning', async () => {
		missing.add('/two.wav');
		await send([{ recordingId: 'two', address: addressOf('two') }]);
		missing.clear();
		isArchiveDown = true;
		expect(await tryAgain('error')).toEqual(['speech-to-text']);
		isArchiveDown = false;
		expect(await tryAgain()).toEqual([]);
	});
}
