import {
	convertAudio,
	type ConversionOptions,
	type ConvertedAudio,
} from '../../../nodes/VoiceSpeech/audio/convert/convertAudio.ts';
import {
	ForwardReader,
	type ReadAgain,
	type Reading,
} from '../../../nodes/VoiceSpeech/streams/forwardReader.ts';
import type { Container } from '../../../nodes/VoiceSpeech/audio/format.ts';

async function* splitIntoChunks(bytes: Uint8Array, chunkBytes: number) {
	for (let start = 0; start < bytes.length; start += chunkBytes) {
		yield bytes.subarray(start, start + chunkBytes);
	}
}

/** @param chunkBytes length of the chunks in which the bytes arrive */
export const startReading = (bytes: Uint8Array, chunkBytes = 4096): Reading => ({
	chunks: splitIntoChunks(bytes, chunkBytes),
	close() {},
});

/** @param chunkBytes length of the chunks in which the bytes arrive */
export const createReader = (
	bytes: Uint8Array,
	chunkBytes?: number,
	yieldToEventLoop = async () => {},
) => new ForwardReader(startReading(bytes, chunkBytes), { yieldToEventLoop });

/** Scans bytes, which the scanner may read again. */
export async function scanBytes<Track>(
	scan: (reader: ForwardReader, readAgain: ReadAgain) => Promise<Track>,
	bytes: Uint8Array,
	chunkBytes?: number,
): Promise<Track> {
	const open = () => createReader(bytes, chunkBytes);
	return await scan(open(), async (use) => await use(open()));
}

/** Starts a conversion, and expects that the recording is not sent as it is. */
export async function startConversion(
	container: Container,
	startReading: () => Promise<Reading>,
	options: Partial<ConversionOptions> = {},
): Promise<ConvertedAudio> {
	const audio = await convertAudio(container, startReading, {
		wavRate: 16_000,
		yieldToEventLoop: async () => {},
		...options,
	});
	if (audio.kind === 'unchanged') throw new Error('The recording is not converted');
	return audio;
}

/** Why a recording is not converted; the result if it is. */
export async function readObstacle(conversion: Promise<unknown>): Promise<unknown> {
	return await conversion.catch((error: { obstacle?: object }) => error.obstacle ?? error);
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
	const all: Item[] = [];
	for await (const item of items) all.push(item);
	return all;
}
