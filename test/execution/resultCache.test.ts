import type { CallOptions } from '../../nodes/VoiceSpeech/descriptions/options';
import { ResultCache, type Success } from '../../nodes/VoiceSpeech/execution/resultCache';

const success = { result: { json: { text: 'hello' } }, options: {} as CallOptions };

describe('ResultCache', () => {
	it.each<[string, index: number, fingerprint: unknown[], isFound: boolean]>([
		['the same request', 0, ['a', 1], true],
		['another request', 0, ['b', 1], false],
		['a request with more parts', 0, ['a', 1, 2], false],
		['a request with fewer parts', 0, ['a'], false],
		['another item', 1, ['a', 1], false],
	])('%s', async (_what, index, fingerprint, isFound) => {
		const cache = new ResultCache();
		cache.set(0, ['a', 1], Promise.resolve(success));
		expect(await cache.find(index, fingerprint)).toBe(isFound ? success : undefined);
	});

	it('returns the latest result of an item whose request cannot be prepared any more', async () => {
		const cache = new ResultCache();
		cache.set(0, ['a'], Promise.resolve(success));
		expect(await cache.find(0, undefined)).toBe(success);
	});

	it('returns nothing at once for an item without a call', () => {
		expect(new ResultCache().find(0, ['a'])).toBeUndefined();
	});

	it('waits for a call that is still in progress', async () => {
		const cache = new ResultCache();
		let finish: (value: Success) => void = () => {};
		cache.set(0, ['a'], new Promise((resolve) => (finish = resolve)));
		const found = cache.find(0, ['a']);
		finish(success);
		expect(await found).toBe(success);
	});

	it.each<[string, () => Promise<undefined>]>([
		['failed', async () => await Promise.reject(new Error('no'))],
		['was not made', async () => undefined],
	])('has no result of a call that %s', async (_what, call) => {
		const cache = new ResultCache();
		cache.set(0, ['a'], call());
		expect(await cache.find(0, ['a'])).toBeUndefined();
	});

	it('keeps the latest call of an item', async () => {
		const cache = new ResultCache();
		cache.set(0, ['a'], Promise.reject(new Error('no')));
		cache.set(0, ['a'], Promise.resolve(success));
		expect(await cache.find(0, ['a'])).toBe(success);
	});
});
