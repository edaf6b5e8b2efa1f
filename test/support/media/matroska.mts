/** A number of variable length (RFC 8794, 4) in this many bytes. */
export function createVint(value: number, length = value < 127 ? 1 : 4): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.writeUIntBE(value, Math.max(0, length - 6), Math.min(6, length));
	bytes[0]! |= 0x80 >> (length - 1);
	return bytes;
}

/** The size of an element that is not known when it is written. */
export const unknownSize = Buffer.from('01ffffffffffffff', 'hex');

/** @param id in hexadecimal */
export function createElement(
	id: string,
	content: Uint8Array[] | Uint8Array,
	size?: Buffer,
): Buffer {
	const bytes = content instanceof Uint8Array ? content : Buffer.concat(content);
	return Buffer.concat([Buffer.from(id, 'hex'), size ?? createVint(bytes.length), bytes]);
}

export const createUnsignedElement = (id: string, value: number) =>
	createElement(id, Buffer.from([value]));

export interface TrackOptions {
	number?: number;
	/** 1: video, 2: audio. */
	type?: number;
	codecId?: string;
	codecPrivate?: Buffer;
	channels?: number;
	/** More elements of the entry. */
	more?: Buffer[];
}

export function createTrackEntry(options: TrackOptions = {}): Buffer {
	const { number = 1, type = 2, codecId = 'A_OPUS', codecPrivate, channels, more = [] } = options;
	const content = [
		createUnsignedElement('d7', number),
		createUnsignedElement('83', type),
		createElement('86', Buffer.from(codecId)),
		...more,
	];
	if (codecPrivate !== undefined) content.push(createElement('63a2', codecPrivate));
	if (channels !== undefined) {
		content.push(createElement('e1', createUnsignedElement('9f', channels)));
	}
	return createElement('ae', content);
}

/** @param frames of one block, with what their lacing needs in front of them */
export const createBlockContent = (frames: Uint8Array, track = 1, flags = 0x80) =>
	Buffer.concat([createVint(track), Buffer.from([0, 0, flags]), frames]);

export const createSimpleBlock = (frames: Uint8Array, track = 1, flags = 0x80) =>
	createElement('a3', createBlockContent(frames, track, flags));

/** A block in a group, with the nanoseconds at its end that are not played. */
export function createDiscardingGroup(frames: Uint8Array, nanoseconds: number, track = 1): Buffer {
	const padding = Buffer.alloc(4);
	padding.writeInt32BE(nanoseconds);
	return createElement('a0', [
		createElement('a1', createBlockContent(frames, track, 0)),
		createElement('75a2', padding),
	]);
}

const ebmlHeader = createElement('1a45dfa3', createElement('4282', Buffer.from('webm')));

export const createCluster = (blocks: Buffer[], size?: Buffer) =>
	createElement('1f43b675', [createUnsignedElement('e7', 0), ...blocks], size);

export const createMatroskaFile = (tracks: Buffer[], clusters: Buffer[], size?: Buffer) =>
	Buffer.concat([
		ebmlHeader,
		createElement('18538067', [createElement('1654ae6b', tracks), ...clusters], size),
	]);
