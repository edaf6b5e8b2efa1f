import { beginningOf } from './beginning';
import { formatOf, headLength, type Format } from './format';
import type { RecordingReader } from './reader';
import { endOfTags } from './tags';

/** Tags longer than this, in bytes, are not read past: only MP3 is known to carry such tags. */
const longestTags = 1024 * 1024;

/** Knows a recording by its first bytes; past tags in front, behind which MP3, AAC or FLAC may stand. */
export async function recognise(reader: RecordingReader): Promise<Format | undefined> {
	const end = await endOfTags(beginningOf(reader, longestTags));
	return formatOf(await reader.peek(end < longestTags ? end + headLength : headLength));
}
