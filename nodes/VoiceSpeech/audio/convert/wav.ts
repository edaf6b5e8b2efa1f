import type { ForwardReader } from './forwardReader';
import { OpusDecoder } from './opusDecoder';
import { opusRate } from './opusPackets';
import { ConversionError } from '../conversionError';
import type { OpusTrack, SpeechRate } from './track';

const headerBytes = 44;
const bytesPerSample = 2;

/** Number of packets that are decoded before the event loop may turn. They take up to 10 ms. */
const packetsPerTurn = 10;

/** How much is decoded before it is passed on, in bytes. */
const blockBytes = 64 * 1024;

/** A file that is made from the second reading of a recording. */
export interface ConvertedFile {
	/** Exact length. */
	bytes: number;
	seconds: number;
	/** @param reader at the start of another reading of the same recording */
	chunks(reader: ForwardReader): AsyncGenerator<Uint8Array>;
}

/** The header of a file with one channel of 16-bit samples (Microsoft's RIFF specification). */
function createHeader(samples: number, samplingRate: number): Buffer {
	const dataBytes = samples * bytesPerSample;
	const header = Buffer.alloc(headerBytes);
	header.write('RIFF', 0, 'latin1');
	header.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(16, 16);
	// PCM, one channel.
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(samplingRate, 24);
	header.writeUInt32LE(samplingRate * bytesPerSample, 28);
	header.writeUInt16LE(bytesPerSample, 32);
	header.writeUInt16LE(8 * bytesPerSample, 34);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(dataBytes, 40);
	return header;
}

/** Collects bytes in blocks. A full one is taken before more is added, so that the last one is never empty. */
class BlockWriter {
	private block = Buffer.allocUnsafe(blockBytes);
	private length = 0;

	get isFull(): boolean {
		return this.length === blockBytes;
	}

	take(): Buffer {
		const taken = this.block.subarray(0, this.length);
		this.block = Buffer.allocUnsafe(blockBytes);
		this.length = 0;
		return taken;
	}

	writeHeader(header: Buffer): void {
		this.block.set(header);
		this.length = header.length;
	}

	/** @returns how many of these samples fitted, from `start` to before `end` */
	writeSamples(samples: Float32Array, start: number, end: number, gain: number): number {
		const count = Math.min(end - start, (blockBytes - this.length) / bytesPerSample);
		const factor = 32_768 * gain;
		const { block } = this;
		let offset = this.length;
		for (let index = start; index < start + count; index++) {
			const value = Math.max(-32_768, Math.min(32_767, Math.round(samples[index]! * factor)));
			block[offset] = value;
			block[offset + 1] = value >> 8;
			offset += bytesPerSample;
		}
		this.length = offset;
		return count;
	}

	/** @returns how many of these samples fitted */
	writeSilence(samples: number): number {
		const count = Math.min(samples, (blockBytes - this.length) / bytesPerSample);
		const end = this.length + count * bytesPerSample;
		this.block.fill(0, this.length, end);
		this.length = end;
		return count;
	}
}

/** Starts a segment in the decoder, or in a new one if damaged packets have corrupted its memory. */
async function startSegment(
	decoder: OpusDecoder,
	head: Buffer,
	samplingRate: SpeechRate,
): Promise<OpusDecoder> {
	try {
		decoder.startSegment(head, samplingRate);
		return decoder;
	} catch {
		const fresh = await OpusDecoder.create();
		fresh.startSegment(head, samplingRate);
		return fresh;
	}
}

/** Decodes an Opus track to a WAV file with one channel of 16-bit samples. */
export function writeWav(track: OpusTrack, samplingRate: SpeechRate): ConvertedFile {
	const factor = opusRate / samplingRate;
	let samplesBefore = 0;
	/** Where each segment ends, in samples of the file. Only the sum is rounded. */
	const ends = track.segments.map(({ length }) => {
		samplesBefore += length;
		return Math.round(samplesBefore / factor);
	});
	const total = ends.at(-1) ?? 0;

	async function* chunks(reader: ForwardReader): AsyncGenerator<Uint8Array> {
		let decoder = await OpusDecoder.create();
		const packets = track.readPackets(reader);
		const writer = new BlockWriter();
		writer.writeHeader(createHeader(total, samplingRate));
		let packetBytes = 0;
		let decoded = 0;
		for (const [index, { head, packets: count, skip }] of track.segments.entries()) {
			decoder = await startSegment(decoder, head, samplingRate);
			let skipped = Math.round(skip / factor);
			let missing = ends[index]! - (ends[index - 1] ?? 0);
			for (let number = 0; number < count; number++) {
				const next = await packets.next();
				if (next.done === true) throw new ConversionError({ reason: 'changed' });
				packetBytes += next.value.length;
				decoded++;
				if (decoded % packetsPerTurn === 0) await reader.yieldTurn();
				const samples = decoder.decode(next.value);
				let start = Math.min(skipped, samples);
				skipped -= start;
				const end = Math.min(samples, start + missing);
				while (start < end) {
					if (writer.isFull) yield writer.take();
					const written = writer.writeSamples(decoder.samples, start, end, decoder.gain);
					start += written;
					missing -= written;
				}
			}
			while (missing > 0) {
				if (writer.isFull) yield writer.take();
				missing -= writer.writeSilence(missing);
			}
		}
		const isAtEnd = (await packets.next()).done === true;
		if (!isAtEnd || packetBytes !== track.bytes) {
			throw new ConversionError({ reason: 'changed' });
		}
		yield writer.take();
	}

	const bytes = headerBytes + total * bytesPerSample;
	return { bytes, seconds: total / samplingRate, chunks };
}
