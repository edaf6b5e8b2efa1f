import { ConversionError, createDamagedError } from '../../errors/audioError';
import type { ForwardReader } from '../../streams/forwardReader';
import { findWaveFormatName, nameWaveFormat, readWaveFormatTag } from '../codecs';
import {
	computeWavSeconds,
	getDeclaredLength,
	maxTrailingShare,
	readWavHeader,
} from '../headers/wav';
import { OpusDecoder, opusRate, readOpusHead } from './opus';
import {
	chunkBytes,
	type ConvertedFile,
	type DecodedRate,
	type OpusTrack,
	type SampleFilter,
	type WavTrack,
} from './track';

/**
 * Skips the samples. A recorder that was switched off leaves a wrong length in the header. More samples follow then, where
 * a file that was finished has chunks.
 *
 * @returns their length in bytes
 */
async function skipSamples(reader: ForwardReader, declared: number): Promise<number> {
	const dataBytes = await reader.skip(declared);
	await reader.skip(dataBytes % 2);
	const isChunk = /^[\x20-\x7e]{4}/.test((await reader.peek(4)).toString('latin1'));
	const rest = await reader.skip(Infinity);
	const isWrong = !isChunk && rest > dataBytes * maxTrailingShare;
	return isWrong ? dataBytes + rest : dataBytes;
}

/**
 * Reads a WAV file to the end of its samples, which may be cut off, or whose length a recorder may not have written.
 *
 * @throws {ConversionError} if it is damaged, or has no samples
 */
export async function scanWav(reader: ForwardReader): Promise<WavTrack> {
	const header = await readWavHeader(reader, 0);
	const { format, dataOffset } = header;
	await reader.skip(dataOffset - reader.position);
	const bytes = await skipSamples(reader, getDeclaredLength(header) ?? Infinity);
	if (header.length === undefined || bytes === 0) throw new ConversionError({ kind: 'noAudio' });
	if (format === undefined) throw createDamagedError();
	const { formatChunk, samplingRate, channels, blockBytes, blockSamples } = format;
	if (channels === 0 || samplingRate === 0 || blockBytes === 0) throw createDamagedError();
	return {
		...format,
		kind: 'wav',
		codec: findWaveFormatName(formatChunk) ?? nameWaveFormat(0),
		dataOffset,
		dataBytes: blockSamples === undefined ? bytes : bytes - (bytes % blockBytes),
		seconds: computeWavSeconds(header, bytes),
	};
}

/** Length of the header of PCM in bytes. */
export const headerBytes = 44;
const bytesPerSample = 2;

/**
 * The chunk `fmt ` of one channel of 16-bit samples (Microsoft's RIFF specification).
 *
 * @param samplingRate in Hz
 */
export function createPcmFormat(samplingRate: number): Buffer {
	const format = Buffer.alloc(16);
	// PCM, one channel.
	format.writeUInt16LE(1, 0);
	format.writeUInt16LE(1, 2);
	format.writeUInt32LE(samplingRate, 4);
	format.writeUInt32LE(samplingRate * bytesPerSample, 8);
	format.writeUInt16LE(bytesPerSample, 12);
	format.writeUInt16LE(8 * bytesPerSample, 14);
	return format;
}

/** @param length of the content, if not all of it is there yet */
function createChunk(name: string, content: Buffer, length = content.length): Buffer {
	const header = Buffer.alloc(8);
	header.write(name, 'latin1');
	header.writeUInt32LE(length, 4);
	// Chunks have an even length.
	return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

/**
 * Everything in front of the samples. It has lengths in 32 bits, which are enough for 12.4 hours of
 * {@link createPcmFormat} at 48 kHz, and so for the longest recording that is converted.
 *
 * @param formatChunk content of `fmt `
 * @param dataBytes length of the samples
 * @param sampleCount samples of each channel, which all codecs but PCM need
 */
export function createWavHeader(
	formatChunk: Buffer,
	dataBytes: number,
	sampleCount: number,
): Buffer {
	const chunks = [Buffer.from('WAVE'), createChunk('fmt ', formatChunk)];
	if (readWaveFormatTag(formatChunk) !== 1) {
		const samples = Buffer.alloc(4);
		samples.writeUInt32LE(sampleCount);
		chunks.push(createChunk('fact', samples));
	}
	chunks.push(createChunk('data', Buffer.alloc(0), dataBytes));
	const content = Buffer.concat(chunks);
	return createChunk('RIFF', content, content.length + dataBytes + (dataBytes % 2));
}

/** Collects bytes in chunks. A full one is flushed before more is added, so that the last one is never empty. */
class ChunkWriter {
	private chunk = Buffer.allocUnsafe(chunkBytes);
	private length = 0;

	get isFull(): boolean {
		return this.length === chunkBytes;
	}

	flush(): Buffer {
		const content = this.chunk.subarray(0, this.length);
		this.chunk = Buffer.allocUnsafe(chunkBytes);
		this.length = 0;
		return content;
	}

	writeHeader(header: Buffer): void {
		this.chunk.set(header);
		this.length = header.length;
	}

	/** @returns how many of these samples fitted, from `start` to before `end` */
	writeSamples(samples: Float32Array, start: number, end: number, gain: number): number {
		const count = Math.min(end - start, (chunkBytes - this.length) / bytesPerSample);
		const factor = 32_768 * gain;
		const { chunk } = this;
		let offset = this.length;
		for (let index = start; index < start + count; index++) {
			const value = Math.max(-32_768, Math.min(32_767, Math.round(samples[index]! * factor)));
			chunk[offset] = value;
			chunk[offset + 1] = value >> 8;
			offset += bytesPerSample;
		}
		this.length = offset;
		return count;
	}

	/** @returns how many of these samples fitted */
	writeSilence(sampleCount: number): number {
		const count = Math.min(sampleCount, (chunkBytes - this.length) / bytesPerSample);
		const end = this.length + count * bytesPerSample;
		this.chunk.fill(0, this.length, end);
		this.length = end;
		return count;
	}
}

/** Reads the packets of a track again, and decodes them. */
class PacketDecoder {
	/** Length of the packets that were read, in bytes. */
	packetBytes = 0;

	private readonly packets: AsyncGenerator<Buffer>;

	private constructor(
		private decoder: OpusDecoder,
		track: OpusTrack,
		private readonly reader: ForwardReader,
	) {
		this.packets = track.readPackets(reader);
	}

	static async create(track: OpusTrack, reader: ForwardReader): Promise<PacketDecoder> {
		return new PacketDecoder(await OpusDecoder.create(), track, reader);
	}

	get samples(): Float32Array {
		return this.decoder.samples;
	}

	async startLink(samplingRate: DecodedRate): Promise<void> {
		try {
			this.decoder.startLink(samplingRate);
		} catch {
			// Damaged packets have corrupted the memory of the decoder.
			this.decoder = await OpusDecoder.create();
			this.decoder.startLink(samplingRate);
		}
	}

	/**
	 * @param isWanted whether its samples are needed; otherwise they are silence
	 * @returns the number of samples
	 * @throws {ConversionError} if there is no packet left
	 */
	async decodeNext(isWanted: boolean): Promise<number> {
		const next = await this.packets.next();
		if (next.done === true) throw new ConversionError({ kind: 'changed' });
		this.packetBytes += next.value.length;
		await this.reader.yieldToEventLoop();
		return isWanted ? this.decoder.decode(next.value) : this.decoder.skip(next.value);
	}

	async isAtEnd(): Promise<boolean> {
		return (await this.packets.next()).done === true;
	}
}

/** A link of a track, in samples of the WAV file. */
interface PreparedLink {
	/** Output gain as a factor (RFC 7845, 5.1). */
	gain: number;
	packetCount: number;
	/** Samples to drop at the start. */
	skippedSamples: number;
	/** Where it ends in the file. */
	end: number;
}

function prepareLinks({ links }: OpusTrack, samplingRate: DecodedRate): PreparedLink[] {
	const factor = opusRate / samplingRate;
	let played = 0;
	return links.map(({ head, packetCount, skippedSamples, playedSamples }) => {
		played += playedSamples;
		// Only the sum is rounded.
		return {
			gain: readOpusHead(head).gain,
			packetCount,
			skippedSamples: Math.round(skippedSamples / factor),
			end: Math.round(played / factor),
		};
	});
}

/**
 * Prepares a WAV file with one channel of 16-bit samples, to which an Opus track is decoded when the file is read.
 *
 * @throws {ConversionError} if it would have no samples
 */
export function prepareWav(track: OpusTrack, samplingRate: DecodedRate): ConvertedFile {
	const links = prepareLinks(track, samplingRate);
	const total = links.at(-1)?.end ?? 0;
	if (total === 0) throw new ConversionError({ kind: 'noAudio' });

	async function* chunks(
		reader: ForwardReader,
		isWanted: SampleFilter = () => true,
	): AsyncGenerator<Uint8Array> {
		const decoder = await PacketDecoder.create(track, reader);
		const writer = new ChunkWriter();
		const format = createPcmFormat(samplingRate);
		writer.writeHeader(createWavHeader(format, total * bytesPerSample, total));
		let position = 0;
		for (const link of links) {
			await decoder.startLink(samplingRate);
			let toSkip = link.skippedSamples;
			for (let count = 0; count < link.packetCount; count++) {
				const decoded = await decoder.decodeNext(isWanted(position / samplingRate));
				let start = Math.min(toSkip, decoded);
				toSkip -= start;
				const end = Math.min(decoded, start + link.end - position);
				while (start < end) {
					if (writer.isFull) yield writer.flush();
					const written = writer.writeSamples(decoder.samples, start, end, link.gain);
					start += written;
					position += written;
				}
			}
			while (position < link.end) {
				if (writer.isFull) yield writer.flush();
				position += writer.writeSilence(link.end - position);
			}
		}
		const isSame = (await decoder.isAtEnd()) && decoder.packetBytes === track.packetBytes;
		if (!isSame) throw new ConversionError({ kind: 'changed' });
		yield writer.flush();
	}

	return { size: headerBytes + total * bytesPerSample, chunks };
}
