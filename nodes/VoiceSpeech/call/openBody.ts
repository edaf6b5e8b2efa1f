import { UserError } from 'n8n-workflow';

import { fileNameFor } from '../audio/fileName';
import { isAccepted, sniffFormat, type Format } from '../audio/format';
import { probeAudio } from '../audio/probe';
import { AudioReader } from '../audio/reader';
import { sampleFindings } from '../audio/sample';
import type { Endpoint } from '../endpoint';
import { audioNotReadableError } from '../errors/audioError';
import {
	emptyFile,
	formatNotAccepted,
	notAudioAt,
	sampleNotRecommended,
} from '../errors/inputError';
import { reasonOf } from '../errors/reason';
import { quoteVisibleStart } from '../errors/serviceSentence';
import { headLength } from '../limits';
import { withoutParameters } from '../text/decode';
import type { Field } from './fields';
import type { PreparedRequest } from './item';
import { orAborted } from './pause';
import type { CallTimeouts } from './timeouts';

/** The body of a request; its audio is open and checked. */
export interface RequestBody {
	content: FormData | Buffer;
	/** Must be closed; undefined without audio. */
	reader?: AudioReader;
	/** How a voice sample differs from the recommendations. */
	sampleWarnings: string[];
}

/** What a URL leads to if it is not audio: mostly a login page. */
function pageInsteadOfAudio(declaredType: string, format: Format | undefined): string | undefined {
	if (format) return format.kind === 'other' ? format.name : undefined;
	const type = withoutParameters(declaredType).toLowerCase();
	return /(text|image)\/|json|xml|pdf/.test(type) ? type : undefined;
}

const validType = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=[\w.+-]+)*$/;

/**
 * A file whose bytes are read only while they are sent, so that memory does not grow with it. n8n's HTTP client reads
 * name, type and size for the part's header and Content-Length, then iterates over `stream()`.
 */
function streamedFile(reader: AudioReader, format: Format | undefined, timeouts: CallTimeouts) {
	const { name, mimeType } = reader.declared;
	// Declared parameters, if they are valid, are kept: without its sampling rate, raw PCM is noise.
	const declared = [mimeType, withoutParameters(mimeType)].find((text) => validType.test(text));
	// Without a type, the client sends application/octet-stream.
	const type = format?.mimeType ?? declared ?? '';
	return Object.defineProperties(new File([], fileNameFor(name, format, 'recording'), { type }), {
		// Not a number if the length is unknown: the client then sends in chunks, without Content-Length.
		size: { value: reader.size ?? NaN },
		stream: { value: () => reader.bytes(timeouts.onUploadProgress, timeouts.onUploadEnd) },
	});
}

function withFields(body: FormData, fields: Field[]): FormData {
	for (const [name, value] of fields) {
		body.append(name, typeof value === 'string' ? value : value.text);
	}
	return body;
}

/**
 * Opens the audio, checks it, and builds the body.
 *
 * @param signal stops the reading
 * @throws UserError if the audio cannot be read, or fails a check
 */
export async function openBody(
	{ payload, options }: PreparedRequest,
	endpoint: Endpoint,
	timeouts: CallTimeouts,
	signal: AbortSignal,
): Promise<RequestBody> {
	// As bytes, so that no part of n8n's client parses, trims or escapes the text again.
	if (payload.kind === 'json') return { content: Buffer.from(payload.text), sampleWarnings: [] };
	const { audio, fields } = payload;
	if (audio === undefined) {
		return { content: withFields(new FormData(), fields), sampleWarnings: [] };
	}
	let reader: AudioReader | undefined;
	try {
		const opened = await orAborted(audio.open(signal), signal);
		reader = new AudioReader(opened, timeouts.onAudioRead);
		await reader.peek(headLength);
		const format = await sniffFormat(reader);
		const { name, mimeType } = reader.declared;
		if (reader.head.length === 0) throw emptyFile(name);
		const page = payload.isFromUrl ? pageInsteadOfAudio(mimeType, format) : undefined;
		if (page !== undefined) throw notAudioAt(page, quoteVisibleStart(reader.head));
		const isChecked = endpoint.body === 'audio' && options.formatCheck === 'reject';
		if (isChecked && format && !isAccepted(format)) throw formatNotAccepted(format, name);
		const sampleCheck = endpoint.voiceSample === true ? options.sampleCheck : 'off';
		const findings = sampleCheck === 'off' ? [] : sampleFindings(await probeAudio(reader, format));
		const sampleWarnings = findings.map(({ text }) => text);
		const isRefused = sampleCheck === 'reject' && findings.some(({ isHint }) => isHint !== true);
		if (isRefused) throw sampleNotRecommended(sampleWarnings);
		const body = new FormData();
		// Without a third argument: a name given here would replace the file by a copy of its (no) bytes.
		body.append(options.fileFieldName, streamedFile(reader, format, timeouts));
		return { content: withFields(body, fields), reader, sampleWarnings };
	} catch (error) {
		reader?.close();
		throw error instanceof UserError ? error : audioNotReadableError(reasonOf(error));
	}
}
