/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Readable } from 'node:stream';

import { AnswerBody } from '../../nodes/VoiceSpeech/answer/body';

/** A body that comes in chunks of 10 bytes, and counts how many were asked for. */
function chunked(count: number) {
	const asked = { chunks: 0 };
	const whole = Buffer.from(Array.from({ length: count * 10 }, (_, at) => at));
	async function* chunks() {
		for (; asked.chunks < count; ) yield whole.subarray(asked.chunks * 10, ++asked.chunks * 10);
		asked.chunks++;
	}
	return { whole, asked, stream: Object.assign(chunks(), { destroy() {} }) };
}

async function opened(count: number, headLength: number) {
	const { stream, ...more } = chunked(count);
	return { ...more, body: await AnswerBody.open(stream, headLength, () => {}) };
}

it.each([
	[9, 1],
	[10, 1],
	[11, 2],
])('of the first %i bytes, no chunk is read that is not needed', async (headLength, chunks) => {
	const { body, asked, whole } = await opened(5, headLength);
	expect(asked.chunks).toBe(chunks);
	expect(body.head).toEqual(whole.subarray(0, headLength));
});

describe('a body that may be short', () => {
	it.each([30, 31])('is there in one piece, 30 bytes of at most %i', async (limit) => {
		const { body, whole } = await opened(3, 5);
		expect(await body.readShort(limit)).toEqual(whole);
	});

	it.each([
		[29, 3],
		[20, 3],
		[19, 2],
		[9, 1],
	])('is not read on where it is longer than %i bytes', async (limit, chunks) => {
		const { body, asked, whole } = await opened(5, 5);
		expect(await body.readShort(limit)).toBeUndefined();
		expect(asked.chunks).toBe(chunks);
		expect(await body.read()).toEqual(whole);
	});
});

it.each([
	[9, 1],
	[10, 1],
	[11, 2],
])('of a beginning of %i bytes, no chunk is read that is not needed', async (limit, chunks) => {
	const { body, asked, whole } = await opened(5, 5);
	expect(await body.readBeginning(limit)).toEqual(whole.subarray(0, limit));
	expect(asked.chunks).toBe(chunks);
});

describe('a body over a stream', () => {
	it('goes out as a stream of bytes, each chunk counted', async () => {
		const source = Readable.from([Buffer.from('ab'), Buffer.from('cde')], { objectMode: false });
		const body = await AnswerBody.open(source, 1, () => {});
		const counts: number[] = [];
		const stream = body.asStream((count) => counts.push(count)) as Readable;
		expect(stream.readableObjectMode).toBe(false);
		expect(Buffer.concat((await stream.toArray()) as Buffer[]).toString()).toBe('abcde');
		expect(counts).toEqual([2, 3]);
	});

	it('ends it when it is closed', async () => {
		const source = Readable.from([Buffer.from('ab')], { objectMode: false });
		const body = await AnswerBody.open(source, 1, () => {});
		body.close();
		expect(source.destroyed).toBe(true);
		expect(() => body.close()).not.toThrow();
	});
});
