/** An ID3v2 tag of this length in bytes: its header, and zeros. */
export function createId3Tag(length: number, { version = 4, flags = 0 } = {}): Buffer {
	const bytes = Buffer.alloc(length);
	const size = [21, 14, 7, 0].map((shift) => ((length - 10) >> shift) & 127);
	bytes.set([...Buffer.from('ID3'), version, 0, flags, ...size]);
	return bytes;
}

/** An APEv2 tag of this length in bytes, with a header. */
export function createApeTag(length: number): Buffer {
	const bytes = Buffer.alloc(length, 1);
	bytes.write('APETAGEX', 'latin1');
	bytes.writeUInt32LE(2000, 8);
	bytes.writeUInt32LE(length - 32, 12);
	return bytes;
}
