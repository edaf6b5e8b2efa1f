/** The header of an MPEG audio frame, layer II or III (ISO/IEC 11172-3, 2.4.1.3). */
export interface MpegFrame {
	layer: 2 | 3;
	/** In kbit/s. */
	bitRate: number;
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Number of samples per channel. */
	samples: number;
	/** Offset of a Xing header in the frame, in bytes. */
	xing: number;
	/** In bytes. */
	length: number;
}

/** In kbit/s, by the index in the frame header; 0: free format. */
const bitRates = {
	layer2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
	layer3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	/** MPEG 2 and 2.5, both layers. */
	low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** In Hz, by the index in the frame header. */
const samplingRates = [44_100, 48_000, 32_000];

/** By the version in the frame header: MPEG 2.5, reserved, MPEG 2, MPEG 1. */
const rateDivisors = [4, undefined, 2, 1];

/** @returns undefined if no frame begins here; free format is not supported, because hardly any file uses it */
export function mpegFrameAt(view: DataView, offset: number): MpegFrame | undefined {
	if (offset + 4 > view.byteLength) return undefined;
	const header = view.getUint32(offset);
	const version = (header >>> 19) & 3;
	const layer = 4 - ((header >>> 17) & 3);
	if (header >>> 21 !== 0x7ff || (layer !== 2 && layer !== 3)) return undefined;
	const isMpeg1 = version === 3;
	const rates = isMpeg1 ? bitRates[`layer${layer}`] : bitRates.low;
	const bitRate = rates[(header >>> 12) & 15];
	const fullRate = samplingRates[(header >>> 10) & 3];
	const divisor = rateDivisors[version];
	if (!bitRate || fullRate === undefined || divisor === undefined) return undefined;
	const samplingRate = fullRate / divisor;
	const channels = ((header >>> 6) & 3) === 3 ? 1 : 2;
	const samples = layer === 3 && !isMpeg1 ? 576 : 1152;
	const sideInfo = isMpeg1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
	const padding = (header >>> 9) & 1;
	const length = Math.floor(((samples / 8) * 1000 * bitRate) / samplingRate) + padding;
	return { layer, bitRate, samplingRate, channels, samples, xing: 4 + sideInfo, length };
}

/**
 * Counts frames of one layer and sampling rate that follow one another.
 *
 * @returns their number; `isToEnd` if nothing else is between them and the end of the bytes
 */
export function countFrames(
	view: DataView,
	start: number,
	first: MpegFrame,
	isAlike: (frame: MpegFrame) => boolean = () => true,
): { count: number; isToEnd: boolean } {
	const { layer, samplingRate } = first;
	let count = 0;
	let offset = start;
	while (offset + 4 <= view.byteLength) {
		const frame = mpegFrameAt(view, offset);
		const isSame = frame?.layer === layer && frame.samplingRate === samplingRate;
		if (!isSame || !isAlike(frame)) return { count, isToEnd: false };
		count++;
		offset += frame.length;
	}
	return { count, isToEnd: true };
}

/** Number of frames in a row that is not a coincidence, where something else is in front of or behind them. */
const minFrames = 3;

/**
 * Finds the first frame of MPEG audio: at the beginning, or behind something else, as in a file cut out of a stream.
 * A single header may be a coincidence, except where the bytes begin and end with frames.
 *
 * @returns the frame and its offset in bytes
 */
export function firstFrame(view: DataView): { frame: MpegFrame; offset: number } | undefined {
	for (let offset = 0; offset + 4 <= view.byteLength; offset++) {
		const frame = mpegFrameAt(view, offset);
		if (frame === undefined) continue;
		const { count, isToEnd } = countFrames(view, offset, frame);
		if (count >= minFrames || (offset === 0 && isToEnd)) return { frame, offset };
	}
	return undefined;
}
