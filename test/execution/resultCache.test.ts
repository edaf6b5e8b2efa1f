import type { PreparedRequest } from '../../nodes/VoiceSpeech/execution/prepareRequest';
import { ResultCache } from '../../nodes/VoiceSpeech/execution/resultCache';

/** A request that sends this text. */
function sending(text: string): PreparedRequest {
	return {
		access: { baseUrl: 'http://127.0.0.1', apiKey: 'one', environment: 'sandbox' },
		options: { outputFileName: '' },
		payload: { kind: 'json', text },
	} as PreparedRequest;
}

const path = '/ai/amd';

describe('ResultCache', () => {
	it('returns the result of the same request of the same item, and of no other', async () => {
		const cache = new ResultCache();
		const result = { json: { text: 'hello' } };
		cache.set(0, sending('a'), path, Promise.resolve(result));
		expect(await cache.find(0, sending('a'), path)?.result).toBe(result);
		expect(await cache.find(0, sending('b'), path)?.result).toBeUndefined();
		expect(await cache.find(0, sending('a'), '/ai/intent')?.result).toBeUndefined();
		expect(await cache.find(1, sending('a'), path)?.result).toBeUndefined();
	});

	it('returns the latest result of an item whose request cannot be prepared any more', async () => {
		const cache = new ResultCache();
		cache.set(0, sending('a'), path, Promise.resolve({ json: {} }));
		expect(await cache.find(0, undefined, path)?.result).toEqual({ json: {} });
	});

	it('waits for a call that is still in progress', async () => {
		const cache = new ResultCache();
		const result = { json: {} };
		let finish: (value: typeof result) => void = () => {};
		cache.set(0, sending('a'), path, new Promise((resolve) => (finish = resolve)));
		const cached = cache.find(0, sending('a'), path)?.result;
		finish(result);
		expect(await cached).toBe(result);
	});

	it.each<[string, () => Promise<undefined>]>([
		['failed', async () => await Promise.reject(new Error('no'))],
		['was not made', async () => undefined],
	])('has no result of a call that %s', async (_what, call) => {
		const cache = new ResultCache();
		cache.set(0, sending('a'), path, call());
		expect(await cache.find(0, sending('a'), path)?.result).toBeUndefined();
	});

	it('keeps the latest call of an item', async () => {
		const cache = new ResultCache();
		cache.set(0, sending('a'), path, Promise.reject(new Error('no')));
		cache.set(0, sending('a'), path, Promise.resolve({ json: { try: 2 } }));
		expect(await cache.find(0, sending('a'), path)?.result).toEqual({ json: { try: 2 } });
	});
});
