import { sleep } from 'n8n-workflow';

import { BucketStage } from './bucketStage';
import type { Stage } from './stage';
import { asMinio, created, testEvent } from './storeEvents';

/** Recordings are uploaded to a bucket; the events that stores send for them arrive at n8n. */
export function bucket(stage: () => Stage): void {
	const name = 'recordings';
	let load: (file: string) => Promise<object>;
	let here: BucketStage;

	beforeAll(async () => {
		load = ((await import('../import-module.cjs' as string)) as { default: typeof load }).default;
		here = await BucketStage.open(stage(), load);
	});
	afterAll(async () => await here?.close());

	const inBucket = async (key: string) => await here.store.get(key);

	it.each(['Anrufe 2026/Grüße & (Küsse).WAV', 'a+b 100% #1?.wav', '%41/%2F.wav'])(
		'%j gets its transcript next to it',
		async (key) => {
			const text = `Hallo, hier ist ${key}.`;
			const { paid } = await here.deliver([asMinio(await here.upload(key, text))]);
			expect(paid).toEqual(['speech-to-text']);
			expect(await inBucket(`${key}.txt`)).toBe(text);
			expect(JSON.parse((await inBucket(`${key}.json`))!)).toEqual({ text });
			expect(await inBucket(`${key}.error.txt`)).toBeUndefined();
		},
	);

	it('one event about several: each is paid once, and the failed ones have their reason', async () => {
		const [one, two] = [await here.upload('one.wav', 'One.'), await here.upload('two.wav', 'Two.')];
		await here.store.put('broken.wav', 'no audio at all');
		const failing = [created(name, 'broken.wav'), created(name, 'gone.wav')];
		const { paid } = await here.deliver([{ Records: [failing[0], one, one, failing[1], two] }]);
		expect(paid).toEqual(['speech-to-text', 'speech-to-text']);
		expect(await inBucket('one.wav.txt')).toBe('One.');
		expect(await inBucket('two.wav.txt')).toBe('Two.');
		expect(await inBucket('broken.wav.error.txt')).toMatch(/audio[^]*upload it again/);
		expect(await inBucket('gone.wav.error.txt')).toMatch(/not be found[^]*upload it again/);
	});

	it('a failed recording is sent again when it is uploaded again', async () => {
		const event = { Records: [await here.upload('broken.wav', 'Repaired.')] };
		expect((await here.deliver([event])).paid).toEqual(['speech-to-text']);
		expect(await inBucket('broken.wav.txt')).toBe('Repaired.');
		expect(await inBucket('broken.wav.error.txt')).toBeUndefined();
	});

	it('an event that is delivered again is not paid again, not even at the same moment', async () => {
		const event = { Records: [await here.upload('twice.wav', 'Once.')] };
		expect((await here.deliver([event, event, event])).paid).toEqual(['speech-to-text']);
		expect((await here.deliver([event])).paid).toEqual([]);
	});

	it('other events are ignored: tests, its own files, folders, deletions', async () => {
		const others = ['one.wav.txt', 'one.wav.json', 'broken.wav.error.txt', 'wav/', 'wav'];
		const removed = { ...created(name, 'one.wav'), eventName: 'ObjectRemoved:Delete' };
		const Records = [...others.map((key) => created(name, key)), removed];
		const { result, paid } = await here.deliver([testEvent(name), { Records }]);
		expect(paid).toEqual([]);
		for (const execution of result) expect(execution.nodes()).not.toContain('Upload');
	});

	it('the event as Amazon SNS sends it: JSON declared as text', async () => {
		const event = { Records: [await here.upload('sns.wav', 'By SNS.')] };
		const { paid } = await here.deliver([event], { 'content-type': 'text/plain; charset=UTF-8' });
		expect(paid).toEqual(['speech-to-text']);
	});

	it('without the secret, nothing is started', async () => {
		const event = { Records: [await here.upload('secret.wav', 'Secret.')] };
		const { result, paid } = await stage().paidFor(
			async () => await here.post(event, { authorization: 'Bearer guessed' }),
		);
		expect([result.status, paid]).toEqual([403, []]);
	});

	it('a recording of 300 MB needs little memory', async () => {
		const { watchProcess, usedBetween } = (await load(
			'dev/bench/process.mjs',
		)) as typeof import('../../../dev/bench/process.mjs');
		const event = { Records: [await here.upload('large recording.wav', 'Long.', 300e6)] };
		const stopWatching = watchProcess(stage().demo.n8n.pid);
		await sleep(1_000);
		const since = Date.now();
		const { paid, samples } = await here
			.deliver([event])
			.then((delivered) => ({ ...delivered, samples: stopWatching() }))
			.finally(stopWatching);
		const { growth } = usedBetween(samples, since, Date.now());
		expect(paid).toEqual(['speech-to-text']);
		expect(await inBucket('large recording.wav.txt')).toBe('Long.');
		// Without /proc, it is not measured.
		if (growth !== undefined) expect(growth / 1e6).toBeLessThan(150);
	}, 240_000);
}
