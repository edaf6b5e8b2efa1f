import { sniffFormat } from '../../nodes/VoiceSpeech/audio/format';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probe';
import { AudioReader } from '../../nodes/VoiceSpeech/audio/reader';
import { headLength } from '../../nodes/VoiceSpeech/limits';
import { countedReader } from '../support/audioFiles';

const ignore = () => {};

/** A reader over these chunks as they are, after reading the first bytes. */
function over(chunks: AsyncIterable<Uint8Array>) {
	const closed = { times: 0 };
	const declared = { name: '', mimeType: '' };
	const audio = { size: undefined, declared, chunks, close: () => void closed.times++ };
	const onBytes = jest.fn();
	const reader = new AudioReader(audio, onBytes);
	return { reader: reader.peek(headLength).then(() => reader), closed, onBytes };
}

async function* each(...chunks: Uint8Array[]) {
	yield* chunks;
}

it.each([
	['shorter than one chunk', 1024],
	['one chunk', headLength],
	['longer than one chunk', headLength + 1],
])('the first bytes are there as soon as it is open, %s', async (_what, chunkSize) => {
	const bytes = Buffer.alloc(3 * headLength).map((_, at) => at % 251);
	const { reader, taken } = await countedReader(bytes, chunkSize);
	expect(Buffer.compare(reader.head, bytes.subarray(0, headLength))).toBe(0);
	// And no chunk more.
	expect(taken.bytes).toBe(Math.max(headLength, chunkSize));
});

it('a first chunk that is long enough is not copied: it may be the entire file', async () => {
	const chunk = Buffer.alloc(5 * headLength);
	const reader = await over(each(chunk)).reader;
	expect((await reader.peek(headLength + 1)).buffer).toBe(chunk.buffer);
});

it.each([
	[64 * 1024, [64]],
	[128 * 1024, [64, 64]],
	[130 * 1024, [64, 64, 2]],
])('a chunk of %i bytes is split into pieces, none of them empty', async (length, kib) => {
	const reader = await over(each(Buffer.alloc(length))).reader;
	const pieces: number[] = [];
	for await (const piece of reader.bytes(ignore, ignore)) pieces.push(piece.length / 1024);
	expect(pieces).toEqual(kib);
});

it('a source that fails at its beginning is closed, and its error is passed on', async () => {
	const reason = new Error('the disk is gone');
	async function* broken(): AsyncGenerator<Uint8Array> {
		yield Buffer.alloc(1);
		throw reason;
	}
	const { reader, closed } = over(broken());
	await expect(reader).rejects.toBe(reason);
	expect(closed.times).toBe(1);
});

it('reports each wait for the source, while bytes are peeked at and while they are sent', async () => {
	const chunks = each(Buffer.alloc(headLength), Buffer.alloc(10), Buffer.alloc(10));
	const { reader: opening, onBytes } = over(chunks);
	const reader = await opening;
	expect(onBytes).toHaveBeenCalledTimes(1);
	await reader.peek(headLength + 1);
	expect(onBytes).toHaveBeenCalledTimes(2);
	for await (const piece of reader.bytes(ignore, ignore)) expect(piece.length).toBeGreaterThan(0);
	// The third chunk, and the end.
	expect(onBytes).toHaveBeenCalledTimes(4);
});

it.each([1, 7, 4096, 100_000])('hands out each byte once, in chunks of %i', async (chunkSize) => {
	const bytes = Buffer.alloc(250_000).map((_, at) => at % 251);
	const { reader } = await countedReader(bytes, chunkSize);
	for (const length of [5000, 100, 70_000, 70_001, 130_000]) {
		const peeked = await reader.peek(length);
		expect(peeked.length).toBeGreaterThanOrEqual(length);
		expect(Buffer.compare(peeked, bytes.subarray(0, peeked.length))).toBe(0);
		expect(reader.head).toHaveLength(headLength);
	}
	const pieces: Uint8Array[] = [];
	for await (const piece of reader.bytes(ignore, ignore)) pieces.push(piece);
	expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
	expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
});

/** Number of bytes copied into buffers meanwhile, by either way that copies several bytes. */
async function copiedBytes(action: () => Promise<unknown>): Promise<number> {
	const set = jest.spyOn(Uint8Array.prototype, 'set');
	const concat = jest.spyOn(Buffer, 'concat');
	await action();
	const lengths = [
		...set.mock.calls.map(([source]) => source.length),
		...concat.mock.results.map(({ value }) => (value as Buffer).length),
	];
	jest.restoreAllMocks();
	return lengths.reduce((sum, length) => sum + length, 0);
}

/** A WAV file that consists of chunks of this length without audio. */
function chunksOnly(size: number, chunkLength: number): Buffer {
	const bytes = Buffer.alloc(size);
	bytes.write('RIFF\0\0\0\0WAVE', 'latin1');
	for (let offset = 12; offset + 8 <= size; offset += chunkLength) {
		bytes.write('junk', offset, 'latin1');
		bytes.writeUInt32LE(chunkLength - 8, offset + 4);
	}
	return bytes;
}

it.each([8, 1024, 4096])(
	'a WAV file of chunks of %i bytes is copied less than three times',
	async (chunkLength) => {
		const bytes = chunksOnly(8 * 1024 * 1024, chunkLength);
		const { reader, taken } = await countedReader(bytes, 4096);
		const copied = await copiedBytes(
			async () => await probeAudio(reader, await sniffFormat(reader)),
		);
		expect(copied).toBeLessThan(3 * taken.bytes);
		expect(taken.peeks).toBeLessThan(2010);
	},
);
