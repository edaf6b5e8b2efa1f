import type { Beginning, Measures } from './header';

/**
 * Reads STREAMINFO, always the first block of a FLAC file (RFC 9639, 8.2).
 *
 * @param start where `fLaC` stands
 */
export async function readFlac(file: Beginning, start: number): Promise<Measures> {
	const view = await file.at(start + 8, 18);
	if (view.byteLength < 18) return {};
	// 20 bits sampling rate, 3 bits channels less one, 5 bits sample size, 36 bits number of samples.
	const packed = view.getBigUint64(10);
	const samplingRate = Number(packed >> 44n);
	const channels = Number((packed >> 41n) & 7n) + 1;
	const samples = Number(packed & 0xfffffffffn);
	if (samplingRate === 0) return {};
	return {
		samplingRate,
		channels,
		...(samples > 0 ? { seconds: samples / samplingRate } : {}),
	};
}
