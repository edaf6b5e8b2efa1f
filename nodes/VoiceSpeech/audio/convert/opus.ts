import { ConversionError, createDamagedError } from '../../errors/audioError';
import { rethrow } from '../../errors/bases';

/** Samples per second of everything that Opus counts in samples, regardless of the decoded rate (RFC 7845, 4). */
export const opusRate = 48_000;

/** Longest valid packet in samples, 120 ms (RFC 6716, 3.2.5). */
const maxPacketSamples = 5760;

/**
 * Longest packet in bytes that can be valid. It has 48 frames of 2.5 ms, each with 1,275 bytes and its length (RFC 6716,
 * 3.2).
 */
export const maxPacketBytes = 48 * (1275 + 2) + 2;

/** Lengths of the frames that speech is coded in, 10, 20, 40 and 60 ms, in samples. */
const silkFrames = [480, 960, 1920, 2880];

/** Samples of one frame, by the configuration number (RFC 6716, table 2). */
function countFrameSamples(configuration: number): number {
	if (configuration < 12) return silkFrames[configuration & 3]!;
	if (configuration < 16) return configuration & 1 ? 960 : 480;
	return 120 << (configuration & 3);
}

/** Number of frames of a packet (RFC 6716, 3.2). */
function countPacketFrames(packet: Uint8Array): number {
	const code = packet[0]! & 3;
	if (code === 0) return 1;
	if (code < 3) return 2;
	return (packet[1] ?? 0) & 63;
}

/** @returns the duration of a packet in samples; 0 if it has none that is valid */
export function countSamples(packet: Uint8Array): number {
	const toc = packet[0];
	if (toc === undefined) return 0;
	const samples = countPacketFrames(packet) * countFrameSamples(toc >> 3);
	return samples > maxPacketSamples ? 0 : samples;
}

/** What the identification header contains (RFC 7845, 5.1). */
interface OpusHead {
	/** Samples to drop at the start. */
	preSkip: number;
	/** Factor for all samples. */
	gain: number;
}

/** @throws {ConversionError} if the header is damaged, or describes more than two channels, or more than one stream */
export function readOpusHead(head: Buffer): OpusHead {
	if (head.length < 19 || head.toString('latin1', 0, 8) !== 'OpusHead' || head[8]! > 15) {
		throw createDamagedError();
	}
	const channels = head[9]!;
	const mappingFamily = head[18]!;
	if (channels === 0) throw createDamagedError();
	if (channels > 2) {
		throw new ConversionError({ kind: 'codec', codec: 'Opus with more than two channels' });
	}
	// Family 0 has no table, and one stream. All others name the number of streams.
	const streams = mappingFamily === 0 ? 1 : (head[19] ?? 0);
	if (streams === 0) throw createDamagedError();
	if (streams > 1) {
		throw new ConversionError({ kind: 'codec', codec: 'Opus with several streams' });
	}
	// In decibels, with 8 bits after the point.
	const gain = 10 ** (head.readInt16LE(16) / 256 / 20);
	return { preSkip: head.readUInt16LE(10), gain };
}

/**
 * The part of WebAssembly that is used. TypeScript declares it with the types of the DOM, which n8n does not use to
 * compile nodes.
 */
declare const WebAssembly: {
	compile(bytes: Uint8Array): Promise<object>;
	instantiate(module: object, imports: object): Promise<{ exports: object }>;
};

/** The WebAssembly's exports. Their names are Emscripten's, in the release that dev/scripts/opusWasm.cjs names. */
interface OpusExports {
	/** The memory, whose size is fixed. */
	g: { buffer: ArrayBuffer };
	/** Initializes the runtime. */
	h(): void;
	/** Exports `opus_frame_decoder_create` of opus-decoder, which returns the address of a decoder. */
	i(
		samplingRate: number,
		channels: number,
		streams: number,
		coupledStreams: number,
		mapping: number,
		preSkip: number,
		forceStereo: number,
	): number;
	/** Exports `malloc`, which returns the address of these bytes, or 0 if the memory is exhausted. */
	j(bytes: number): number;
	/**
	 * Exports `opus_frame_decode_float_deinterleaved`, which returns the number of samples, or a negative error code.
	 */
	k(decoder: number, packet: number, bytes: number, output: number): number;
	/** Exports `opus_frame_decoder_destroy`. */
	l(decoder: number): void;
}

/** Replaces functions of Emscripten's runtime that end it or set timers. Decoding calls none of them. */
function refuse(): never {
	throw new Error('The Opus decoder called a function that it does not have');
}

const imports = {
	a: Math.cos,
	b: refuse,
	c: refuse,
	d: refuse,
	e: refuse,
	/** Without more memory, malloc returns 0. */
	f: () => 0,
};

let compiled: Promise<object> | undefined;

async function compile(): Promise<object> {
	const { opusWasm } = await import('./opusWasm.js');
	return await WebAssembly.compile(Buffer.from(opusWasm, 'base64'));
}

/** Compiles the WebAssembly once for the process, and again after a failure, which may be a lack of memory. */
async function compileOnce(): Promise<object> {
	compiled ??= compile();
	try {
		return await compiled;
	} catch (error) {
		compiled = undefined;
		return rethrow(error);
	}
}

/** Decodes the links of one track, one after the other, to one channel. */
export class OpusDecoder {
	/** The samples of the last packet, from -1 to 1. */
	readonly samples: Float32Array;

	private readonly input: Uint8Array;
	private readonly inputAddress: number;
	private readonly outputAddress: number;
	private readonly mappingAddress: number;

	/** Address of the decoder of this link; 0 before the first. */
	private decoderAddress = 0;

	/** Samples at 48 kHz for each sample of the output. */
	private factor = 1;

	private constructor(private readonly wasm: OpusExports) {
		wasm.h();
		this.inputAddress = wasm.j(maxPacketBytes);
		this.outputAddress = wasm.j(maxPacketSamples * Float32Array.BYTES_PER_ELEMENT);
		this.mappingAddress = wasm.j(1);
		this.input = new Uint8Array(wasm.g.buffer, this.inputAddress, maxPacketBytes);
		this.samples = new Float32Array(wasm.g.buffer, this.outputAddress, maxPacketSamples);
		// The only channel of the output is the first one of the decoder.
		new Uint8Array(wasm.g.buffer)[this.mappingAddress] = 0;
	}

	/**
	 * Creates a decoder with a memory of its own, which is freed with it.
	 *
	 * @throws what WebAssembly throws, e.g. without enough memory
	 */
	static async create(): Promise<OpusDecoder> {
		const { exports } = await WebAssembly.instantiate(await compileOnce(), { a: imports });
		return new OpusDecoder(exports as OpusExports);
	}

	/**
	 * Resets the decoder, because each link starts with a decoder of its own (RFC 7845, 3).
	 *
	 * @param samplingRate in Hz
	 * @throws {Error} if damaged packets have corrupted the memory, or if it is exhausted
	 */
	startLink(samplingRate: number): void {
		if (this.decoderAddress !== 0) this.wasm.l(this.decoderAddress);
		// A decoder with one channel mixes both channels of a stereo packet.
		this.decoderAddress = this.wasm.i(samplingRate, 1, 1, 0, this.mappingAddress, 0, 0);
		if (this.decoderAddress === 0) throw new Error('The Opus decoder has no memory left');
		this.factor = opusRate / samplingRate;
	}

	/** Makes silence of a packet, of its own duration. */
	skip(packet: Uint8Array): number {
		const expected = countSamples(packet) / this.factor;
		this.samples.fill(0, 0, expected);
		return expected;
	}

	/**
	 * Decodes a packet into {@link samples}. A damaged one becomes silence of its own duration, so that what follows stays
	 * in its place.
	 *
	 * @returns the number of samples
	 */
	decode(packet: Uint8Array): number {
		const expected = countSamples(packet) / this.factor;
		// The decoder would fill 120 ms for an empty packet.
		if (expected === 0) return 0;
		if (packet.length <= maxPacketBytes) {
			this.input.set(packet);
			const { wasm, decoderAddress, inputAddress, outputAddress } = this;
			try {
				const decoded = wasm.k(decoderAddress, inputAddress, packet.length, outputAddress);
				if (decoded === expected) return expected;
			} catch {
				// A damaged packet has made the WebAssembly access memory that it does not have.
			}
		}
		return this.skip(packet);
	}
}
