import { toMinioEvent, startObjectStore, type ObjectStore } from './objectStore.mts';
import { describeExample, runner } from './exampleRunner.mts';

const authorization = 'Bearer shared-secret';

/** Recordings are uploaded to a bucket; the events that stores send for them arrive at n8n. */
describeExample('bucket-upload-to-transcript', (example) => {
	let store: ObjectStore;

	beforeAll(async () => {
		store = await startObjectStore('recordings');
		const { url, keys } = store;
		const header = { name: 'Authorization', value: authorization };
		await runner.publish(example, { storeAddress: url, streamAboveMegabytes: 1 }, [
			{ nodeType: 'webhook', type: 'httpHeaderAuth', data: header },
			{ nodeType: 's3', type: 's3', data: { ...keys, endpoint: url, forcePathStyle: true } },
			{ nodeType: 'httpRequest', type: 'aws', data: keys },
		]);
	});
	afterAll(async () => await store?.stop());

	const post = async (event: object, headers = {}) =>
		(await runner.post('bucket-upload', event, { authorization, ...headers })).status;

	/** Sends events at the same moment; returns their executions and what was paid. */
	const deliver = async (events: object[], headers?: object) =>
		await runner.startAllAndWait(
			example,
			async () => {
				const statuses = await Promise.all(events.map(async (event) => await post(event, headers)));
				expect(statuses).toEqual(events.map(() => 200));
			},
			events.length,
		);

	/** Puts a recording of this text into the bucket; returns what the store reports about it. */
	const upload = async (key: string, text: string) => {
		const padding = Buffer.alloc(key.startsWith('large') ? 1e6 : 0);
		return await store.put(key, Buffer.concat([await runner.speak(text), padding]));
	};

	it('uploads of any name and size get their transcripts next to them', async () => {
		const keys = [
			'Anrufe 2026/Grüße & (Küsse).WAV',
			'a+b 100% #1?.wav',
			'%41/%2F.wav',
			'large recording.wav',
		];
		const events = [];
		for (const key of keys) events.push(toMinioEvent(await upload(key, `Hallo, hier ist ${key}.`)));
		const { result, paid } = await deliver(events);
		expect(paid).toEqual(keys.map(() => 'speech-to-text'));
		const used = result.map((execution) => execution.nodes().includes('Stream Large Recording'));
		expect(used.filter(Boolean)).toHaveLength(1);
		for (const key of keys) {
			const text = `Hallo, hier ist ${key}.`;
			expect(await store.get(`${key}.txt`)).toBe(text);
			expect(JSON.parse((await store.get(`${key}.json`))!)).toMatchObject({ text });
			expect(await store.get(`${key}.error.txt`)).toBeUndefined();
		}
	});

	it('an event about several uploads pays each once, and a failure leaves its reason until a new upload', async () => {
		const [one, two] = [await upload('one.wav', 'One.'), await upload('two.wav', 'Two.')];
		const broken = await store.put('broken.wav', 'no audio at all');
		const { paid } = await deliver([{ Records: [broken, one, one, two] }]);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
		expect(await store.get('one.wav.txt')).toBe('One.');
		expect(await store.get('two.wav.txt')).toBe('Two.');
		expect(await store.get('broken.wav.error.txt')).toMatch(/audio[^]*upload it again/);

		const again = { Records: [await upload('broken.wav', 'Repaired.')] };
		expect((await deliver([again])).paid).toEqual(['speech-to-text']);
		expect(await store.get('broken.wav.txt')).toBe('Repaired.');
		expect(await store.get('broken.wav.error.txt')).toBeUndefined();
	});

	it('an event that comes again, even at the same moment, and all other events cost nothing', async () => {
		const event = { Records: [await upload('twice.wav', 'Once.')] };
		// As Amazon SNS sends it: JSON declared as text.
		const headers = { 'content-type': 'text/plain; charset=UTF-8' };
		expect((await deliver([event, event, event], headers)).paid).toEqual(['speech-to-text']);

		await upload('deleted.wav', 'Deleted.');
		const Records = [await store.delete('deleted.wav')];
		for (const key of ['own.wav.txt', 'own.wav.json', 'own.wav.error.txt', 'wav']) {
			Records.push(await store.put(key, 'x'));
		}
		const test = { Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'recordings' };
		expect((await deliver([event])).paid).toEqual([]);
		const { result, paid } = await deliver([test, { Records }]);
		expect(paid).toEqual([]);
		for (const execution of result) expect(execution.nodes()).not.toContain('Upload');
		expect(await post(event, { authorization: 'Bearer guessed' })).toBe(403);
	});
});
