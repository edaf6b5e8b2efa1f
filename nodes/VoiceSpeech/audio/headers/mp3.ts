import { nameAt, type Beginning, type Measures } from './header';

/** How far into the file the first frame is looked for, past the tag, in bytes. */
const searched = 8192;

/** In kbit/s: MPEG 1 layer III, and MPEG 2 and 2.5 layer III, by the index in the frame's header. */
const bitRates = [
	[0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	[0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

const samplingRates = [44_100, 48_000, 32_000];

interface Frame {
	/** In kbit/s. */
	bitRate: number;
	samplingRate: number;
	channels: number;
	samples: number;
	/** Where a header for variable rates would stand, from the beginning of the frame. */
	xing: number;
	/** In bytes. */
	length: number;
}

/** Reads the four bytes of a layer III frame's header. */
function frameAt(view: DataView, place: number): Frame | undefined {
	if (view.byteLength < place + 4) return undefined;
	const header = view.getUint32(place);
	const version = (header >>> 19) & 3; // 0: 2.5, 2: 2, 3: 1
	const isLayer3 = ((header >>> 17) & 3) === 1;
	if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined;
	const bitRate = bitRates[version === 3 ? 0 : 1]?.[(header >>> 12) & 15];
	const fullRate = samplingRates[(header >>> 10) & 3];
	if (bitRate === undefined || fullRate === undefined) return undefined;
	const samplingRate = fullRate / ({ 3: 1, 2: 2, 0: 4 }[version] ?? 1);
	const channels = ((header >>> 6) & 3) === 3 ? 1 : 2;
	const samples = version === 3 ? 1152 : 576;
	const sideInfo = version === 3 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
	const padding = (header >>> 9) & 1;
	const length = Math.floor(((samples / 8) * 1000 * bitRate) / samplingRate) + padding;
	return { bitRate, samplingRate, channels, samples, xing: 4 + sideInfo, length };
}

/** The first frame that is followed by another one, or by the end: two bytes alone may be chance. */
function firstFrame(view: DataView): { frame: Frame; place: number } | undefined {
	for (let place = 0; place + 4 <= view.byteLength; place++) {
		const frame = frameAt(view, place);
		if (frame === undefined) continue;
		const next = place + frame.length;
		if (next + 4 > view.byteLength || frameAt(view, next) !== undefined) return { frame, place };
	}
	return undefined;
}

/** The number of frames that a header for variable rates tells (Xing, Info, VBRI). */
function frameCount(view: DataView, place: number, { xing }: Frame): number | undefined {
	const at = place + xing;
	if (/^(Xing|Info)$/.test(nameAt(view, at)) && view.byteLength >= at + 12) {
		const hasFrames = (view.getUint32(at + 4) & 1) === 1;
		return hasFrames ? view.getUint32(at + 8) : undefined;
	}
	const vbri = place + 36;
	if (nameAt(view, vbri) === 'VBRI' && view.byteLength >= vbri + 18)
		return view.getUint32(vbri + 14);
	return undefined;
}

/**
 * Reads the first frame of an MP3 file. The length comes from the header for variable rates, else from the bit rate
 * and the size of the file.
 *
 * @param start where a tag in front ends
 */
export async function readMp3(file: Beginning, start: number): Promise<Measures> {
	const view = await file.at(start, searched);
	const found = firstFrame(view);
	if (found === undefined) return {};
	const { frame, place } = found;
	const { samplingRate, channels } = frame;
	const frames = frameCount(view, place, frame);
	if (frames !== undefined) {
		return { samplingRate, channels, seconds: (frames * frame.samples) / samplingRate };
	}
	if (file.fileSize === undefined || frame.bitRate === 0) return { samplingRate, channels };
	const bytes = Math.max(0, file.fileSize - start - place);
	return { samplingRate, channels, seconds: (bytes * 8) / (frame.bitRate * 1000) };
}
