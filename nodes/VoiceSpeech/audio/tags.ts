import { textAt } from './bytes';
import { bytesOf, type Beginning } from './headers/header';

/** Length of the head of an ID3v2 tag, in bytes. */
const tagHead = 10;

/** More tags than any real file has in front. */
const mostTags = 8;

/** Length of the ID3v2 tag that begins here, in bytes (ID3v2.4 structure, 3.1); 0 where none does. */
function tagLength(bytes: Uint8Array): number {
	if (textAt(bytes, 0, 3) !== 'ID3' || bytes.length < tagHead) return 0;
	const [version = 0, , flags = 0, ...size] = bytes.subarray(3, tagHead);
	if (version < 2 || version > 4 || size.some((byte) => byte > 127)) return 0;
	const footer = flags & 0x10 ? tagHead : 0;
	return tagHead + size.reduce((sum, byte) => sum * 128 + byte, 0) + footer;
}

/** Where the tags in front end and the audio begins, in bytes; beyond the bytes at hand where a tag is longer. */
export function endOfTagsIn(head: Uint8Array): number {
	let place = 0;
	for (let count = 0; count < mostTags; count++) {
		const length = tagLength(head.subarray(place, place + tagHead));
		if (length === 0) break;
		place += length;
	}
	return place;
}

/** Where the tags in front end, as far as the file may be read. */
export async function endOfTags(file: Beginning): Promise<number> {
	let place = 0;
	for (let count = 0; count < mostTags; count++) {
		const length = tagLength(bytesOf(await file.at(place, tagHead)));
		if (length === 0) break;
		place += length;
	}
	return place;
}
