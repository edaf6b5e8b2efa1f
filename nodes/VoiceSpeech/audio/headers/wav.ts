import { nameAt, type Beginning, type Measures } from './header';

/** Written for a length that was not known yet, or stands in the chunk `ds64`. */
const unknownLength = 0xffffffff;

interface Format {
	channels: number;
	samplingRate: number;
	bytesPerSecond: number;
}

/**
 * Reads the header of a WAV file: RIFF, RF64 and BW64, plain and WAVE_FORMAT_EXTENSIBLE, whose fields stand at the
 * same places (Microsoft's RIFF specification, EBU Tech 3306).
 */
export async function readWav(file: Beginning): Promise<Measures> {
	let format: Format | undefined;
	let longLength: number | undefined;
	let place = 12;
	for (;;) {
		const chunk = await file.at(place, 40);
		const name = nameAt(chunk, 0);
		if (name === '' || chunk.byteLength < 8) break;
		const length = chunk.getUint32(4, true);
		if (name === 'fmt ' && chunk.byteLength >= 24) {
			format = {
				channels: chunk.getUint16(10, true),
				samplingRate: chunk.getUint32(12, true),
				bytesPerSecond: chunk.getUint32(16, true),
			};
		}
		// The data's length is the second number of ds64.
		if (name === 'ds64' && chunk.byteLength >= 24)
			longLength = Number(chunk.getBigUint64(16, true));
		if (name === 'data') {
			const announced = length === unknownLength ? longLength : length || undefined;
			return measuresOf(format, announced, file.fileSize, place + 8);
		}
		place += 8 + length + (length % 2);
	}
	return measuresOf(format, undefined, undefined, 0);
}

function measuresOf(
	format: Format | undefined,
	announced: number | undefined,
	fileSize: number | undefined,
	start: number,
): Measures {
	if (format === undefined) return {};
	const { channels, samplingRate, bytesPerSecond } = format;
	// A recorder that was cut off leaves a wrong length behind: what is not there can't be heard.
	const there = fileSize === undefined ? undefined : Math.max(0, fileSize - start);
	const bytes = Math.min(announced ?? there ?? NaN, there ?? Infinity);
	const seconds = bytes / bytesPerSecond;
	return {
		samplingRate,
		channels,
		...(Number.isFinite(seconds) ? { seconds } : {}),
	};
}
