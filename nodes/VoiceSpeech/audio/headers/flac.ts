import type { FileView } from '../fileView';
import type { AudioProperties } from './header';

/**
 * Reads STREAMINFO, always the first block of a FLAC file (RFC 9639, 8.2).
 *
 * @param start offset of `fLaC`, in bytes
 */
export async function readFlac(file: FileView, start: number): Promise<AudioProperties> {
	const view = await file.at(start + 8, 18);
	if (view.byteLength < 18) return {};
	// 20 bits sampling rate, 3 bits channels less one, 5 bits sample size, 36 bits number of samples (0: unknown).
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
