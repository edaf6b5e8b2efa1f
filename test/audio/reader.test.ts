import { RecordingReader } from '../../nodes/VoiceSpeech/audio/reader';
import { countedReader } from '../support/audioFiles';

const headLength = 4096;

const still = { moved() {}, uploaded() {} };

/** A reader over these chunks as they are; says how often it was closed. */
function over(chunks: AsyncIterable<Uint8Array>) {
	const closed = { times: 0 };
	const announced = { name: '', mimeType: '' };
	const source = {
		size: undefined,
		announced,
		chunks,
		copies: 0,
		close: () => void closed.times++,
	};
	const recording = { identity: [], open: async () => source };
	const reader = RecordingReader.open(recording, headLength, new AbortController().signal);
	return { reader, closed };
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

it('a chunk that brings it all is not copied: it may be a whole file', async () => {
	const chunk = Buffer.alloc(5 * headLength);
	const reader = await over(each(chunk)).reader;
	expect(await reader.peek(headLength + 1)).toBe(chunk);
});

it.each([
	[64 * 1024, [64]],
	[128 * 1024, [64, 64]],
	[130 * 1024, [64, 64, 2]],
])('a chunk of %i bytes is handed over in pieces, none of them empty', async (length, kib) => {
	const reader = await over(each(Buffer.alloc(length))).reader;
	const pieces: number[] = [];
	for await (const piece of reader.bytes(still)) pieces.push(piece.length / 1024);
	expect(pieces).toEqual(kib);
});

it('what can not be read at its beginning is closed, and the reason is told', async () => {
	const reason = new Error('the disk is gone');
	async function* broken(): AsyncGenerator<Uint8Array> {
		yield Buffer.alloc(1);
		throw reason;
	}
	const { reader, closed } = over(broken());
	await expect(reader).rejects.toBe(reason);
	expect(closed.times).toBe(1);
});
