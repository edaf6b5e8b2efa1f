import { toMinioEvent, startObjectStore, type ObjectStore } from './objectStore.mts';
import { describeExample, n8n, runner } from './exampleRunner.mts';

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

	/** Puts a recording that says its key into the bucket; returns what the store reports about it. */
	const upload = async (key: string) => {
		const padding = Buffer.alloc(key.startsWith('large') ? 1e6 : 0);
		return await store.put(key, Buffer.concat([await runner.speak(`Hallo: ${key}.`), padding]));
	};

	it('each upload is paid once and gets its transcript next to it, or the reason until a new upload', async () => {
		const keys = [
			'Anrufe 2026/Grüße & (Küsse).WAV',
			'a+b 100% #1?.wav',
			'%41/%2F.wav',
			...(n8n.signsForAnyStore === true ? ['large recording.wav'] : []),
		];
		const events = [];
		for (const key of keys) events.push(toMinioEvent(await upload(key)));
		const broken = await store.put('broken.wav', 'no audio at all');
		const [one, two] = [await upload('one.wav'), await upload('two.wav')];
		const several = { Records: [broken, one, one, two] };
		await upload('deleted.wav');
		const Records = [await store.delete('deleted.wav')];
		for (const key of ['own.wav.txt', 'own.wav.json', 'own.wav.error.txt', 'wav']) {
			Records.push(await store.put(key, 'x'));
		}
		const test = { Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'recordings' };
		events.push(several, several, several, { Records }, test);

		const { result, paid } = await deliver(events);
		const transcribed = [...keys, 'one.wav', 'two.wav'];
		expect(paid).toEqual(transcribed.map(() => 'speech-to-text'));
		for (const key of transcribed) {
			const text = `Hallo: ${key}.`;
			expect(await store.get(`${key}.txt`)).toBe(text);
			expect(JSON.parse((await store.get(`${key}.json`))!)).toMatchObject({ text });
			expect(await store.get(`${key}.error.txt`)).toBeUndefined();
		}
		const count = (node: string) => result.filter((run) => run.nodes().includes(node)).length;
		expect(count('Stream Large Recording')).toBe(n8n.signsForAnyStore === true ? 1 : 0);
		expect(count('Upload')).toBe(events.length - [{ Records }, test].length);
		expect(await store.get('broken.wav.error.txt')).toMatch(/audio[^]*upload it again/);

		// As Amazon SNS sends it: JSON declared as text.
		const headers = { 'content-type': 'text/plain; charset=UTF-8' };
		const again = await deliver([{ Records: [await upload('broken.wav')] }, several], headers);
		expect(again.paid).toEqual(['speech-to-text']);
		expect(await store.get('broken.wav.txt')).toBe('Hallo: broken.wav.');
		expect(await store.get('broken.wav.error.txt')).toBeUndefined();
		expect(await post(several, { authorization: 'Bearer guessed' })).toBe(403);
	});
});
