/** Length of ALAC's magic cookie in bytes, without an optional layout of the channels. */
export const cookieBytes = 24;

/** What ALAC's magic cookie contains (Apple, ALACMagicCookieDescription.txt). */
interface AlacConfig {
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Samples in each packet but the last. */
	packetSamples: number;
}

/** @param cookie at least {@link cookieBytes} */
export function readAlacConfig(cookie: Buffer): AlacConfig {
	return {
		samplingRate: cookie.readUInt32BE(20),
		channels: cookie[9]!,
		packetSamples: cookie.readUInt32BE(0),
	};
}
