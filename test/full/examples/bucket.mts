import { sleep } from 'n8n-workflow';

import { watchProcess } from '../../../dev/lib/processUsage.mts';
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
		await runner.publish(example, { storeAddress: url }, [
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
	const upload = async (key: string, text: string, padding = 0) =>
		await store.put(key, Buffer.concat([await runner.speak(text), Buffer.alloc(padding)]));

	it('uploads of any name get their transcripts next to them', async () => {
		const keys = ['Anrufe 2026/Grüße & (Küsse).WAV', 'a+b 100% #1?.wav', '%41/%2F.wav'];
		const events = [];
		for (const key of keys) events.push(toMinioEvent(await upload(key, `Hallo, hier ist ${key}.`)));
		expect((await deliver(events)).paid).toEqual(keys.map(() => 'speech-to-text'));
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

	// With a recording that is in memory as a whole, n8n would grow by more than its size. Usually it grows by less than half
	// of it, but on a busy machine, V8 frees memory later.
	it('a recording of 300 MB needs less memory than its own size', async () => {
		const size = 300e6;
		const event = { Records: [await upload('large recording.wav', 'Long.', size)] };
		const endWatch = await watchProcess(runner.demo.n8n.pid);
		// The growth is measured from the level of this second (dev/lib/processUsage.mts).
		await sleep(1_000);
		const since = Date.now();
		const { paid } = await deliver([event]);
		const { growth } = endWatch(since, Date.now());
		expect(paid).toEqual(['speech-to-text']);
		expect(await store.get('large recording.wav.txt')).toBe('Long.');
		expect(growth).toBeLessThan(size);
	}, 240_000);
});
