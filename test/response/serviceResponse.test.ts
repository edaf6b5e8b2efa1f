/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Readable } from 'node:stream';

import { headLength, maxPaddingBytes } from '../../nodes/VoiceSpeech/limits';
import { ServiceResponse } from '../../nodes/VoiceSpeech/response/serviceResponse';

const chunkLength = headLength / 4;

/** @param body any stream of bytes */
async function openStream(body: object, onBytes = () => {}) {
	return await ServiceResponse.open({ headers: {}, statusCode: 200, body } as never, onBytes);
}

/** A body of this many chunks, which counts how many were asked for; it breaks off where there is a fault. */
function chunked(count: number, fault?: Error) {
	const asked = { chunks: 0 };
	const all = Buffer.from(
		Array.from({ length: count * chunkLength }, (_, index) => 33 + (index % 90)),
	);
	async function* chunks() {
		while (asked.chunks < count) {
			const start = asked.chunks++ * chunkLength;
			yield all.subarray(start, start + chunkLength);
		}
		asked.chunks++;
		if (fault) throw fault;
	}
	return { all, asked, stream: Object.assign(chunks(), { destroy: jest.fn() }) };
}

async function opened(count: number, fault?: Error) {
	const { stream, ...others } = chunked(count, fault);
	const onBytes = jest.fn();
	return { ...others, stream, onBytes, body: await openStream(stream, onBytes) };
}

async function openedText(...chunks: string[]) {
	const stream = Readable.from(chunks.map((text) => Buffer.from(text)));
	return await openStream(stream);
}

describe('the first bytes', () => {
	it.each([
		['longer', 9, 4],
		['shorter', 3, 4],
	])('are read without the rest, of a body that is %s', async (_what, count, chunks) => {
		const { body, asked, all, onBytes } = await opened(count);
		expect(asked.chunks).toBe(chunks);
		expect(onBytes).toHaveBeenCalledTimes(Math.min(count, chunks));
		expect(Buffer.from(body.head)).toEqual(all.subarray(0, headLength));
		expect(await body.read()).toEqual(all);
	});

	it.each([
		[['{"a":1}'], '{"a":1}'],
		[[' \t\r\n{"a":1}'], '{"a":1}'],
		[[' ', '\n', ' {"a"', ':1}'], '{"a":1}'],
		[[' '.repeat(3 * headLength), '{"a":1}'], '{"a":1}'],
		[[' '.repeat(headLength - 1), 'ab'], 'ab'],
		[[' '.repeat(9)], ''],
		[[], ''],
	])('begin behind white space (%#)', async (chunks, head) => {
		const body = await openedText(...chunks);
		expect(Buffer.from(body.head).toString()).toBe(head);
		// Nothing is lost of it.
		expect((await body.read()).toString()).toBe(chunks.join(''));
	});

	it('are not looked for behind endless white space', async () => {
		const asked = { bytes: 0 };
		async function* endless() {
			for (;;) {
				asked.bytes += headLength;
				yield Buffer.alloc(headLength, ' ');
			}
		}
		const stream = Object.assign(endless(), { destroy() {} });
		const body = await openStream(stream);
		expect(body.head).toHaveLength(0);
		expect(asked.bytes).toBeLessThanOrEqual(maxPaddingBytes + 3 * headLength);
	});
});

it.each([
	[9, 4],
	[5 * chunkLength, 5],
	[5 * chunkLength + 1, 6],
])('of a start of %i bytes, no chunk is read that is not needed', async (limit, chunks) => {
	const { body, asked, all, stream } = await opened(8);
	expect(await body.readStart(limit)).toEqual(all.subarray(0, limit));
	expect(asked.chunks).toBe(chunks);
	expect(stream.destroy).toHaveBeenCalled();
});

describe('a body that breaks off', () => {
	const fault = new Error('aborted');

	it('early is opened, and says why', async () => {
		const { body, all } = await opened(2, fault);
		expect(body.fault).toBe(fault);
		expect(Buffer.from(body.head)).toEqual(all);
		expect(await body.readStart(headLength)).toEqual(all);
		await expect(body.read()).rejects.toBe(fault);
	});

	it('later says why when it is read', async () => {
		const { body } = await opened(6, fault);
		expect(body.fault).toBeUndefined();
		await expect(body.read()).rejects.toBe(fault);
		expect(body.fault).toBe(fault);
	});
});

describe('a body over a stream', () => {
	it('is a stream of bytes again, and counts them', async () => {
		const source = Readable.from([Buffer.from('ab'), Buffer.from('cde')], { objectMode: false });
		const body = await openStream(source);
		const stream = body.asStream() as Readable;
		expect(stream.readableObjectMode).toBe(false);
		expect(Buffer.concat((await stream.toArray()) as Buffer[]).toString()).toBe('abcde');
		expect(body.received).toBe(5);
	});

	it('ends it when it is closed', async () => {
		const source = Readable.from([Buffer.from('ab')], { objectMode: false });
		const body = await openStream(source);
		body.close();
		expect(source.destroyed).toBe(true);
		expect(() => body.close()).not.toThrow();
	});
});

it.each([
	[{ 'content-type': 'audio/wav; x=1' }, 'audio/wav; x=1'],
	[{}, ''],
])('the declared type of %j is %j', async (headers, contentType) => {
	const response = { headers, statusCode: 200, body: Readable.from([]) };
	const { contentType: declared } = await ServiceResponse.open(response as never, () => {});
	expect(declared).toBe(contentType);
});
