/** The header of a frame of MPEG audio, layer II or III (ISO/IEC 11172-3, 2.4.1.3). */
export interface MpegFrame {
	layer: 2 | 3;
	/** In kbit/s. */
	bitRate: number;
	samplingRate: number;
	channels: number;
	/** Samples of one channel in each frame. */
	samples: number;
	/** Where a header for variable rates would stand, from the beginning of the frame. */
	xing: number;
	/** In bytes. */
	length: number;
}

/** In kbit/s, by the index in the frame's header. */
const bitRates = {
	layer2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
	layer3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	/** MPEG 2 and 2.5, both layers. */
	low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

const samplingRates = [44_100, 48_000, 32_000];

/** By the version in the frame's header: MPEG 2.5, none, MPEG 2, MPEG 1. */
const rateDivisors = [4, undefined, 2, 1];

/**
 * Reads the four bytes of a frame's header, which must be there.
 *
 * @returns undefined for what is none; a "free" bit rate is not supported, and next to nobody uses it
 */
function mpegFrameAt(view: DataView, place: number): MpegFrame | undefined {
	const header = view.getUint32(place);
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

/** The frames that follow one another from here, as far as the bytes go; empty where something else comes between. */
function framesFrom(view: DataView, start: number): MpegFrame[] {
	const frames: MpegFrame[] = [];
	let place = start;
	while (place + 4 <= view.byteLength) {
		const frame = mpegFrameAt(view, place);
		const [first = frame] = frames;
		const isSame = frame?.layer === first?.layer && frame?.samplingRate === first?.samplingRate;
		if (frame === undefined || !isSame) return frames.length > 2 ? frames : [];
		frames.push(frame);
		place += frame.length;
	}
	return frames;
}

/** How many frames in a row show that something in front of them does not belong to them. */
const enough = 3;

/**
 * The first frames of MPEG audio: at the beginning, or behind something else, as in a recording that was cut out of
 * a stream. A header alone may be chance.
 *
 * @returns the frames that follow one another, the first of them also by itself, and where it begins
 */
export function firstFrames(
	view: DataView,
): { first: MpegFrame; frames: MpegFrame[]; place: number } | undefined {
	for (let place = 0; place + 4 <= view.byteLength; place++) {
		if (view.getUint8(place) !== 0xff) continue;
		const frames = framesFrom(view, place);
		const [first] = frames;
		const isSure = place === 0 || frames.length >= enough;
		if (first !== undefined && isSure) return { first, frames, place };
	}
	return undefined;
}
