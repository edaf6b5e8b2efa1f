import { sniffFormat } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probeAudio.ts';
import { AudioReader } from '../../nodes/VoiceSpeech/audio/reader.ts';
import { headBytes, maxProbeReads, pieceBytes } from '../../nodes/VoiceSpeech/limits.ts';
import { createAudioReader } from '../support/media/audioFiles.mts';
import { collect } from '../support/media/conversion.mts';

/** A reader over these chunks as they are, after reading the first bytes. */
function openReader(...chunks: Array<Uint8Array | Error>) {
	async function* readChunks() {
		for (const chunk of chunks) {
			if (chunk instanceof Error) throw chunk;
			yield chunk;
		}
	}
	const close = jest.fn();
	const onRead = jest.fn();
	const declared = { name: '', mimeType: '' };
	const opened = { size: undefined, declared, chunks: readChunks(), close };
	const reader = new AudioReader(opened, onRead);
	return { opening: reader.peek(headBytes).then(() => reader), close, onRead };
}

it('does not copy a first chunk that is long enough, because it may be the entire file', async () => {
	const chunk = Buffer.alloc(5 * headBytes);
	const reader = await openReader(chunk).opening;
	expect((await reader.peek(headBytes + 1)).buffer).toBe(chunk.buffer);
});

it('closes a source that fails at its beginning, and passes its error on', async () => {
	const reason = new Error('the disk is gone');
	const { opening, close } = openReader(Buffer.alloc(1), reason);
	await expect(opening).rejects.toBe(reason);
	expect(close).toHaveBeenCalledTimes(1);
});

it('reports each wait for the source, while bytes are peeked at and while they are sent', async () => {
	const chunks = [Buffer.alloc(headBytes), Buffer.alloc(10), Buffer.alloc(10)];
	const { opening, onRead } = openReader(...chunks);
	const reader = await opening;
	expect(onRead).toHaveBeenCalledTimes(1);
	await reader.peek(headBytes + 1);
	expect(onRead).toHaveBeenCalledTimes(2);
	for await (const piece of reader.readPieces()) expect(piece.length).toBeGreaterThan(0);
	// The third read gets the last chunk, and the fourth finds the end.
	expect(onRead).toHaveBeenCalledTimes(4);
});

it.each([
	{ chunkSize: 1, size: 12_000 },
	{ chunkSize: 7, size: 100_000 },
	{ chunkSize: 4096, size: 250_000 },
	{ chunkSize: 2 * pieceBytes, size: 4 * pieceBytes },
])('hands out each of $size bytes once, in chunks of $chunkSize', async ({ chunkSize, size }) => {
	const bytes = Buffer.alloc(size).map((_, at) => at % 251);
	const { reader } = await createAudioReader(bytes, chunkSize);
	for (const length of [5000, 100, size / 4, size / 4 + 1, size / 2]) {
		const peeked = await reader.peek(length);
		expect(peeked.length).toBeGreaterThanOrEqual(length);
		expect(Buffer.compare(peeked, bytes.subarray(0, peeked.length))).toBe(0);
		expect(reader.head).toHaveLength(headBytes);
	}
	const pieces = await collect(reader.readPieces());
	const lengths = pieces.map(({ length }) => length);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(pieceBytes);
	expect(lengths).not.toContain(0);
	expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
});

it('copies the bytes that it keeps only when their buffer doubles', async () => {
	const size = 1024 * 1024;
	const { reader } = await createAudioReader(Buffer.alloc(size), headBytes);
	const buffers = new Set<unknown>();
	for (let length = 0; length < size; length += headBytes) {
		buffers.add((await reader.peek(length)).buffer);
	}
	expect(buffers.size).toBeLessThan(10);
});

it('reads a header made of many small chunks a limited number of times', async () => {
	const chunk = Buffer.from('junk\0\0\0\0');
	const chunks = Buffer.alloc(2 * maxProbeReads * chunk.length, chunk);
	const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), chunks]);
	const { reader, taken } = await createAudioReader(bytes);
	await probeAudio(reader, await sniffFormat(reader));
	expect(taken.peeks).toBeLessThan(maxProbeReads + 10);
});
