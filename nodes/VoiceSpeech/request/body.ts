import type { ReadProgress, RecordingReader } from '../audio/reader';
import type { Format } from '../audio/format';
import { fileNameFor } from '../audio/fileName';
import { withoutParameters } from '../text/mediaType';
import type { Field } from './fields';

/**
 * A file whose bytes are read only while they are sent, so that memory does not grow with it. n8n's HTTP client
 * takes name, type and size for the part's header and length, and then iterates over `stream()`.
 */
function streamedFile(
	reader: RecordingReader,
	name: string,
	type: string,
	progress: ReadProgress,
): File {
	return Object.defineProperties(new File([], name, { type }), {
		// Not a number where the length is unknown: the client then sends in chunks, without a length.
		size: { value: reader.size ?? NaN },
		stream: { value: () => reader.bytes(progress) },
	});
}

/** The type the part carries: what the bytes are, else what the file is announced as. */
function partType(found: Format | undefined, announced: string): string {
	if (found !== undefined) return found.mimeType;
	// With its parameters, if they may be: without its sampling rate, raw PCM is noise.
	const types = [announced, withoutParameters(announced)];
	const fitting = types.find((type) => /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=[\w.+-]+)*$/.test(type));
	// Without one, the client says application/octet-stream.
	return fitting ?? '';
}

/**
 * The body of an upload. No content type is set anywhere: the client adds it with the boundary of its own.
 *
 * @param found what the recording is by its first bytes
 * @param fileFieldName name of the part with the recording; a field of that name takes its place
 */
export function multipartBody(
	reader: RecordingReader,
	found: Format | undefined,
	fileFieldName: string,
	fields: Field[],
	progress: ReadProgress,
): FormData {
	const form = new FormData();
	const { name, mimeType } = reader.announced;
	if (fields.some(([field]) => field === fileFieldName)) {
		progress.uploaded();
	} else {
		const fileName = fileNameFor(name, found, 'recording');
		// Without a third argument: a name given here would replace the file by a copy of its (no) bytes.
		form.append(fileFieldName, streamedFile(reader, fileName, partType(found, mimeType), progress));
	}
	for (const [field, value] of fields) {
		form.append(field, typeof value === 'string' ? value : value.text);
	}
	return form;
}
