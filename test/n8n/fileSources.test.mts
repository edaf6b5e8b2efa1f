import type { IBinaryData } from 'n8n-workflow';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { pieceBytes } from '../../nodes/VoiceSpeech/limits.ts';
import { createFileSource } from '../../nodes/VoiceSpeech/n8n/inputFiles.ts';

const signal = new AbortController().signal;

const stored: IBinaryData = {
	id: 'filesystem:1',
	data: 'filesystem',
	mimeType: 'audio/wav',
	fileName: 'call.wav',
};

/** n8n's storage with one file, which records how it is opened. */
function createStorage(size: number, stream: Readable) {
	const openings: unknown[][] = [];
	return {
		openings,
		getBinaryMetadata: async () => ({ fileSize: size }),
		async getBinaryStream(...args: unknown[]) {
			openings.push(args);
			return stream;
		},
	};
}

describe('a file in storage', () => {
	it.each([
		['while it is read', false],
		['before it is open', true],
	])('is closed if its stream returns nothing and the call is stopped %s', async (_, isEarly) => {
		const stream = new Readable({ read() {} });
		const stop = new AbortController();
		const closed = once(stream, 'close');
		if (isEarly) stop.abort();
		const source = createFileSource(stored, createStorage(100, stream));
		const { chunks } = await source.open(stop.signal);
		const read = chunks[Symbol.asyncIterator]().next();
		if (!isEarly) stop.abort();
		await Promise.all([closed, expect(read).rejects.toThrow('Premature close')]);
	});

	it('is opened with its size, name and type, and closed', async () => {
		const stream = Readable.from([Buffer.from('RIFF')]);
		const source = createFileSource(stored, createStorage(4, stream));
		expect(source.fileName).toBe('call.wav');
		const opened = await source.open(signal);
		expect(opened.size).toBe(4);
		expect(opened.declared).toEqual({ name: 'call.wav', mimeType: 'audio/wav' });
		expect(await buffer(opened.chunks)).toEqual(Buffer.from('RIFF'));
		opened.close();
		expect(stream.destroyed).toBe(true);
	});

	it.each([
		{ size: 100, chunk: 100 },
		{ size: 10 * pieceBytes, chunk: pieceBytes },
		{ size: 0, chunk: pieceBytes },
	])('is read in chunks of at most $chunk bytes if it has $size bytes', async ({ size, chunk }) => {
		const reads = createStorage(size, Readable.from([]));
		await createFileSource(stored, reads).open(signal);
		expect(reads.openings).toEqual([['filesystem:1', chunk]]);
	});

	it('reports that it cannot be opened when it is read, also if it failed long before', async () => {
		const stream = createReadStream('/no/such/file');
		const { chunks } = await createFileSource(stored, createStorage(4, stream)).open(signal);
		await new Promise<void>((resolve) => stream.once('close', resolve));
		await expect(buffer(chunks)).rejects.toThrow('ENOENT');
	});
});

describe('the identity of a file', () => {
	const readIdentity = (data: IBinaryData) =>
		createFileSource(data, createStorage(0, Readable.from([]))).identity;

	it.each([
		{ what: 'another file in storage', change: { id: 'filesystem:2' } },
		{ what: 'another content of the item', change: { id: undefined, data: 'AAAA' } },
		{ what: 'another name', change: { fileName: 'b.wav' } },
		{ what: 'another type', change: { mimeType: 'audio/mpeg' } },
	])('is the same for the same file, and differs for $what', ({ change }) => {
		expect(readIdentity({ ...stored })).toEqual(readIdentity(stored));
		expect(readIdentity({ ...stored, ...change })).not.toEqual(readIdentity(stored));
	});
});
