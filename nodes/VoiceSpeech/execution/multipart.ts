import { fileNameFor } from '../audio/fileName';
import type { Format } from '../audio/format';
import { withoutParameters } from '../text/decode';
import type { Field } from './fields';
import type { CallTimeouts } from './timeouts';
import type { Upload } from './upload';

/**
 * A file whose bytes are read only while they are sent, so that memory does not grow with it. n8n's HTTP client reads
 * name, type and size for the part's header and Content-Length, then iterates over `stream()`.
 */
function streamedFile(
	{ reader }: Upload,
	name: string,
	type: string,
	timeouts: CallTimeouts,
): File {
	return Object.defineProperties(new File([], name, { type }), {
		// Not a number if the length is unknown: the client then sends in chunks, without Content-Length.
		size: { value: reader.size ?? NaN },
		stream: { value: () => reader.bytes(timeouts.uploading, timeouts.uploaded) },
	});
}

const validType = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=[\w.+-]+)*$/;

/** The type of the part: what the bytes are, else what the file is declared as. */
function partType(format: Format | undefined, declared: string): string {
	if (format !== undefined) return format.mimeType;
	// With its parameters, if they are valid: without its sampling rate, raw PCM is noise.
	const type = [declared, withoutParameters(declared)].find((text) => validType.test(text));
	// Without one, the client sends application/octet-stream.
	return type ?? '';
}

/**
 * The body of an upload. The client adds the content type, with a boundary of its own.
 *
 * @param fileFieldName name of the part with the audio; an extra field of that name replaces it
 */
export function multipartBody(
	upload: Upload,
	fileFieldName: string,
	fields: Field[],
	timeouts: CallTimeouts,
): FormData {
	const form = new FormData();
	const { name, mimeType } = upload.reader.declared;
	if (fields.some(([field]) => field === fileFieldName)) {
		timeouts.uploaded();
	} else {
		const fileName = fileNameFor(name, upload.format, 'recording');
		const type = partType(upload.format, mimeType);
		// Without a third argument: a name given here would replace the file by a copy of its (no) bytes.
		form.append(fileFieldName, streamedFile(upload, fileName, type, timeouts));
	}
	for (const [field, value] of fields) {
		form.append(field, typeof value === 'string' ? value : value.text);
	}
	return form;
}
