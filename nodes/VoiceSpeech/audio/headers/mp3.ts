import { nameAt, type Beginning, type Measures } from './header';
import { firstFrames, type MpegFrame } from './mpegFrame';

/** How far into the file the first frames are looked for, past the tags, in bytes. */
const searched = 8192;

/** The number of frames that a header for variable rates tells (Xing, Info, VBRI); 0 where none does. */
function frameCount(view: DataView, place: number, { xing }: MpegFrame): number {
	const at = place + xing;
	if (/Xing|Info/.test(nameAt(view, at)) && view.byteLength >= at + 12) {
		const hasFrames = (view.getUint32(at + 4) & 1) === 1;
		return hasFrames ? view.getUint32(at + 8) : 0;
	}
	const vbri = place + 36;
	const hasVbri = nameAt(view, vbri) === 'VBRI' && view.byteLength >= vbri + 18;
	return hasVbri ? view.getUint32(vbri + 14) : 0;
}

/**
 * Reads the first frames of an MP3 file. Its length comes from the header for variable rates, else from the bit rate
 * and the size of the file; where the rate varies and no header tells, it is not known.
 *
 * @param start where the tags in front end
 */
export async function readMp3(file: Beginning, start: number): Promise<Measures> {
	const view = await file.at(start, searched);
	const found = firstFrames(view);
	if (found === undefined) return {};
	const { first, frames, place } = found;
	const { samplingRate, channels, bitRate } = first;
	const count = frameCount(view, place, first);
	if (count > 0) {
		return { samplingRate, channels, seconds: (count * first.samples) / samplingRate };
	}
	const isConstant = frames.every((frame) => frame.bitRate === bitRate);
	if (file.fileSize === undefined || !isConstant) return { samplingRate, channels };
	const bytes = Math.max(0, file.fileSize - start - place);
	return { samplingRate, channels, seconds: (bytes * 8) / (bitRate * 1000) };
}
