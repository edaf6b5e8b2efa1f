import type { CallOptions } from '../../nodes/VoiceSpeech/descriptions/options';
import { ResultCache } from '../../nodes/VoiceSpeech/execution/resultCache';

const success = { result: { json: { text: 'hello' } }, options: {} as CallOptions };

describe('ResultCache', () => {
	it.each<[string, index: number, fingerprint: unknown[] | undefined, isFound: boolean]>([
		['the same request', 0, ['a', 1], true],
		['another request', 0, ['b', 1], false],
		['a request with more parts', 0, ['a', 1, 2], false],
		['a request with fewer parts', 0, ['a'], false],
		['a request that cannot be prepared any more', 0, undefined, true],
		['another item', 1, ['a', 1], false],
		['another item whose request cannot be prepared', 1, undefined, false],
	])('%s', async (_what, index, fingerprint, isFound) => {
		const cache = new ResultCache();
		cache.set(0, ['a', 1], Promise.resolve(success));
		expect(await cache.find(index, fingerprint)).toBe(isFound ? success : undefined);
	});

	it('has no result of a call that failed, and keeps the latest call of an item', async () => {
		const cache = new ResultCache();
		cache.set(0, ['a'], Promise.reject(new Error('no')));
		expect(await cache.find(0, ['a'])).toBeUndefined();
		cache.set(0, ['a'], Promise.resolve(success));
		expect(await cache.find(0, ['a'])).toBe(success);
	});
});
