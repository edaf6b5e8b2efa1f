import { PassThrough, Readable } from 'node:stream';

import { pause } from '../../nodes/VoiceSpeech/streams/waiting.ts';
import type { NodeStream } from '../../nodes/VoiceSpeech/streams/forwardReader.ts';
import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts.ts';
import { headBytes, maxPaddingBytes, piecesPerWrite } from '../../nodes/VoiceSpeech/limits.ts';
import { ServiceResponse } from '../../nodes/VoiceSpeech/response/serviceResponse.ts';
import { useClock } from '../support/clock.mts';
import { isSettled, rejectWhenAborted, settleAll } from '../support/waiting.mts';

const chunkLength = headBytes / 4;

async function openStream(body: NodeStream, change: object = {}) {
	const timeouts = {
		onResponseProgress() {},
		onStoreStart() {},
		signal: new AbortController().signal,
		...change,
	};
	return await ServiceResponse.open({ headers: {}, statusCode: 200, body }, timeouts);
}

/** A body of this many chunks, which counts what happens to it; it breaks off where there is a fault. */
async function openBody(count: number, fault?: Error) {
	const counts = { chunks: 0, destroyed: 0, progress: 0 };
	const all = Buffer.from(
		Array.from({ length: count * chunkLength }, (_, index) => 33 + (index % 90)),
	);
	async function* readChunks() {
		while (counts.chunks < count) {
			const start = counts.chunks * chunkLength;
			counts.chunks++;
			yield all.subarray(start, start + chunkLength);
		}
		counts.chunks++;
		if (fault) throw fault;
	}
	const stream = Object.assign(readChunks(), { once() {}, destroy: () => counts.destroyed++ });
	const body = await openStream(stream, { onResponseProgress: () => counts.progress++ });
	return { all, counts, body };
}

describe('the first bytes', () => {
	it.each([
		{ what: 'longer', count: 9, chunks: 4 },
		{ what: 'shorter', count: 3, chunks: 4 },
	])('are read without the rest if the body is $what', async ({ count, chunks }) => {
		const { body, counts, all } = await openBody(count);
		expect(counts).toMatchObject({ chunks, progress: chunks });
		expect(Buffer.from(body.head)).toEqual(all.subarray(0, headBytes));
		expect(await body.peek(Infinity)).toEqual(all);
	});

	it.each([
		['{"a":1}', 'has no white space', ['{"a":1}']],
		['{"a":1}', 'begins with white space of every kind', [' \t\r\n{"a":1}']],
		['{"a":1}', 'begins with chunks of white space', [' ', '\n', ' {"a"', ':1}']],
		['{"a":1}', 'begins with a long chunk of white space', [' '.repeat(3 * headBytes), '{"a":1}']],
		['ab', 'has them just after the length of a start', [' '.repeat(headBytes - 1), 'ab']],
		['', 'is white space', [' '.repeat(9)]],
		['', 'is empty', []],
	])('are "%s" if the body %s', async (head, _, chunks) => {
		const body = await openStream(Readable.from(chunks.map((text) => Buffer.from(text))));
		expect(Buffer.from(body.head).toString()).toBe(head);
		// The white space is still in the body.
		expect((await body.peek(Infinity)).toString()).toBe(chunks.join(''));
	});

	it('are not looked for after endless white space', async () => {
		const asked = { bytes: 0 };
		async function* readEndlessly() {
			for (;;) {
				asked.bytes += headBytes;
				yield Buffer.alloc(headBytes, ' ');
			}
		}
		const stream = Object.assign(readEndlessly(), { once() {}, destroy() {} });
		const body = await openStream(stream);
		expect(body.head).toHaveLength(0);
		expect(asked.bytes).toBeLessThanOrEqual(maxPaddingBytes + 3 * headBytes);
	});
});

it.each([
	{ limit: 9, chunks: 4 },
	{ limit: 5 * chunkLength, chunks: 5 },
	{ limit: 5 * chunkLength + 1, chunks: 6 },
])('reads only $chunks chunks for a start of $limit bytes', async ({ limit, chunks }) => {
	const { body, counts, all } = await openBody(8);
	expect(await body.readStart(limit)).toEqual(all.subarray(0, limit));
	expect(counts).toMatchObject({ chunks, destroyed: 1 });
});

describe('a body that breaks off', () => {
	const fault = new Error('aborted');

	it('is opened if it breaks off early, and says why', async () => {
		const { body, all } = await openBody(2, fault);
		expect(body.fault).toBe(fault);
		expect(Buffer.from(body.head)).toEqual(all);
		expect(await body.readStart(headBytes)).toEqual(all);
		await expect(body.peek(Infinity)).rejects.toBe(fault);
	});

	it('says why when it is read, if it breaks off later', async () => {
		const { body } = await openBody(6, fault);
		expect(body.fault).toBeUndefined();
		await expect(body.peek(Infinity)).rejects.toBe(fault);
		expect(body.fault).toBe(fault);
	});
});

describe('a body over a stream', () => {
	it('becomes a stream of bytes again, and counts them', async () => {
		const source = Readable.from([Buffer.from('ab'), Buffer.from('cde')], { objectMode: false });
		const body = await openStream(source);
		const stream = body.toStream() as Readable;
		expect(stream.readableObjectMode).toBe(false);
		expect(Buffer.concat((await stream.toArray()) as Buffer[]).toString()).toBe('abcde');
		expect(body.receivedBytes).toBe(5);
	});

	it('gives n8n several of its pieces at a time', async () => {
		const piece = Buffer.alloc(65_536);
		const body = await openStream(Readable.from(Array<Buffer>(2 * piecesPerWrite + 1).fill(piece)));
		const writes = (await (body.toStream() as Readable).toArray()) as Buffer[];
		const written = piecesPerWrite * piece.length;
		expect(writes.map(({ length }) => length)).toEqual([written, written, piece.length]);
	});

	// n8n's client passes a body on that it decompresses through a stream that can be written to, too.
	it.each([
		{ what: 'a body as it arrives', source: new Readable({ read() {} }) },
		{ what: 'a body that n8n decompresses', source: new PassThrough() },
	])('ends the storing of $what when the response is closed', async ({ source }) => {
		source.push(Buffer.alloc(headBytes));
		const body = await openStream(source);
		const stored = (body.toStream() as Readable).toArray();
		await settleAll();
		body.close();
		body.close();
		await expect(stored).rejects.toThrow(/close/i);
	});

	describe('that storage reads slowly', () => {
		const clock = useClock();

		/** Stores a body of two chunks, and takes longer for each piece than the service may stall. */
		async function storeSlowly(readSecond: (signal: AbortSignal) => Promise<Buffer>) {
			const timeouts = new CallTimeouts({ responseStart: 0, response: 60 }, undefined);
			timeouts.onResponseProgress();
			async function* readChunks() {
				yield Buffer.alloc(100_000);
				yield await readSecond(timeouts.signal);
			}
			const body = await openStream(Readable.from(readChunks()), timeouts);
			const never = new AbortController().signal;
			let length = 0;
			async function store(stream: Readable): Promise<void> {
				await pause(61_000, never);
				for await (const piece of stream) {
					length += (piece as Buffer).length;
					await pause(61_000, never);
				}
			}
			const stored = store(body.toStream() as Readable).catch(() => {});
			await clock.advance(400_000);
			expect(await isSettled(stored)).toBe(true);
			const { reason } = timeouts;
			timeouts.finish();
			return { length, message: reason?.message };
		}

		it('does not count as stalled while it is stored', async () => {
			const stored = await storeSlowly(async () => Buffer.alloc(100_000));
			expect(stored).toEqual({ length: 200_000, message: undefined });
		});

		it('counts as stalled while storage waits for it', async () => {
			const stored = await storeSlowly(rejectWhenAborted);
			expect(stored.message).toBe('The response stalled for 60 seconds and was stopped');
		});
	});
});

it('closes a response that is discarded without reading it', () => {
	let reads = 0;
	const body = new Readable({ read: () => reads++ });
	ServiceResponse.discard({ headers: {}, statusCode: 429, body });
	expect(body.destroyed).toBe(true);
	expect(reads).toBe(0);
});
