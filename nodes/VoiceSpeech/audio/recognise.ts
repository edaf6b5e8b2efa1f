import { endOfId3, formatOf, headLength, type Format } from './format';
import type { RecordingReader } from './reader';

/** A tag longer than this, in bytes, is not read past: only MP3 is known to carry such tags. */
const longestTag = 1024 * 1024;

/** Knows a recording by its first bytes; past a tag, behind which MP3 or FLAC may stand. */
export async function recognise(reader: RecordingReader): Promise<Format | undefined> {
	const end = endOfId3(reader.head) + 4;
	const needed = end > headLength && end <= longestTag ? end : headLength;
	return formatOf(await reader.peek(needed));
}
