import type { AudioProperties, AudioReader } from '../reader';

/** Reads STREAMINFO, always the first metadata block of a FLAC file (RFC 9639, 8.2), from the offset of `fLaC`. */
export async function probeFlac(reader: AudioReader, start: number): Promise<AudioProperties> {
	// After `fLaC` and the header of the block, of four bytes each.
	const block = await reader.peekAt(start + 8, 18);
	if (block.length < 18) return {};
	// 20 bits sampling rate, 3 bits channels less one, 5 bits sample size, 36 bits number of samples (0: unknown).
	const packed = block.readBigUInt64BE(10);
	const samplingRate = Number(packed >> 44n);
	const channels = Number((packed >> 41n) & 7n) + 1;
	const samples = Number(packed & 0xfffffffffn);
	if (samplingRate === 0) return {};
	return { samplingRate, channels, seconds: samples > 0 ? samples / samplingRate : undefined };
}
