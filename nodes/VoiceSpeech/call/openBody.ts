import { UserError } from 'n8n-workflow';

import { chooseFileName } from '../audio/fileName';
import type { Format } from '../audio/format';
import { probeAudio, compareSample } from '../audio/sample';
import type { AudioReader } from '../audio/reader';
import type { Endpoint } from '../endpoint';
import { createAudioNotReadableError } from '../errors/audioReadError';
import { createUnknownLengthError } from '../errors/audioUrlError';
import { createSampleNotRecommendedError } from '../errors/inputError';
import { formatReason } from '../errors/quote';
import { removeParameters } from '../text/decode';
import type { Field } from './fields';
import type { PreparedRequest, RequestBody } from './preparedRequest';
import { checkRecording, openRecording } from './openRecording';
import type { CallTimeouts } from './timeouts';

/** The body of a request that may be sent, whose audio is open and checked. */
export interface SendableBody {
	body: RequestBody;
	/** Must be closed; undefined without audio. */
	reader: AudioReader | undefined;
	/** How a voice sample differs from the recommendations. */
	sampleWarnings: string[];
}

const validType = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=[\w.+-]+)*$/;

/** The declared type, with its parameters if they are valid; empty if the type itself is not. */
function findValidType(declaredType: string): string {
	// Raw PCM is noise without the sampling rate, which is a parameter.
	if (validType.test(declaredType)) return declaredType;
	const type = removeParameters(declaredType);
	// Without a type, the client sends application/octet-stream.
	return validType.test(type) ? type : '';
}

/**
 * Creates a file whose bytes are read only while they are sent, so that memory does not grow with it. n8n's HTTP client
 * reads name, type and size for the part's header and Content-Length, then iterates over `stream()`.
 */
function createStreamedFile(
	reader: AudioReader,
	format: Format | undefined,
	timeouts: CallTimeouts,
): File {
	const { name, mimeType } = reader.declared;
	const type = format?.mimeType ?? findValidType(mimeType);
	return Object.defineProperties(
		new File([], chooseFileName(name, format, 'recording'), { type }),
		{
			// The size is not a number if the length is unknown. The client then sends in chunks, without Content-Length.
			size: { value: reader.size ?? NaN },
			stream: {
				value: () => reader.readPieces(timeouts.onUploadProgress, timeouts.onUploadEnd),
				// n8n's client drops a body that is an object without enumerable properties.
				enumerable: true,
			},
		},
	);
}

function appendFields(form: FormData, fields: Field[]): void {
	for (const [name, value] of fields) {
		form.append(name, typeof value === 'string' ? value : value.text);
	}
}

/** A form without audio. */
function createForm(fields: Field[]): RequestBody {
	const form = new FormData();
	appendFields(form, fields);
	return { content: form, contentType: undefined };
}

/** A form with audio in front of its other fields. */
function createAudioForm(file: File, fileFieldName: string, fields: Field[]): RequestBody {
	const form = new FormData();
	// There is no third argument, because a name given here would replace the file by a copy without bytes.
	form.append(fileFieldName, file);
	appendFields(form, fields);
	return { content: form, contentType: undefined };
}

/** JSON as bytes, so that no part of n8n's client parses, trims or escapes the text again. */
function createJsonBody(text: string): RequestBody {
	return { content: Buffer.from(text), contentType: 'application/json' };
}

/**
 * Compares a voice sample with the recommendations.
 *
 * @returns how it differs, in sentences
 * @throws {UserError} if 'Sample Check' refuses it
 */
async function checkSample(
	reader: AudioReader,
	format: Format | undefined,
	endpoint: Endpoint,
	{ sampleCheck }: PreparedRequest['options'],
): Promise<string[]> {
	if (endpoint.voiceSample !== true || sampleCheck === 'off') return [];
	const findings = compareSample(await probeAudio(reader, format));
	const warnings = findings.map(({ text }) => text);
	const isRefused = sampleCheck === 'reject' && findings.some(({ isHint }) => isHint !== true);
	if (isRefused) throw createSampleNotRecommendedError(warnings);
	return warnings;
}

/** The error of an opening or a check. Errors for the user stay as they are. */
function toReadingError(error: unknown): UserError {
	return error instanceof UserError ? error : createAudioNotReadableError(formatReason(error));
}

/**
 * Opens the audio, checks it, and builds the body.
 *
 * @param signal stops the reading
 * @throws {UserError} if the audio cannot be read, or fails a check
 */
export async function openBody(
	{ payload, options }: PreparedRequest,
	endpoint: Endpoint,
	timeouts: CallTimeouts,
	signal: AbortSignal,
): Promise<SendableBody> {
	if (payload.kind === 'json') {
		return { body: createJsonBody(payload.text), reader: undefined, sampleWarnings: [] };
	}
	if (payload.kind === 'form') {
		return { body: createForm(payload.fields), reader: undefined, sampleWarnings: [] };
	}
	const { audio, isFromUrl } = payload;
	let reader: AudioReader | undefined;
	try {
		const context = { audio, isFromUrl, options, endpoint, timeouts, signal };
		const recording = await openRecording(context);
		reader = recording.reader;
		const { format } = recording;
		const sampleWarnings = await checkSample(reader, format, endpoint, options);
		const file = createStreamedFile(reader, format, timeouts);
		if (payload.kind === 'audioForm') {
			const body = createAudioForm(file, options.fileFieldName, payload.fields);
			return { body, reader, sampleWarnings };
		}
		if (reader.size === undefined) throw createUnknownLengthError();
		const contentType = file.type || 'application/octet-stream';
		return { body: { content: file, contentType }, reader, sampleWarnings };
	} catch (error) {
		reader?.close();
		throw toReadingError(error);
	}
}

/**
 * Checks that the audio of a request exists and is not empty, and reads the first bytes of a file to recognize its format.
 * Audio from a URL is not fetched, because it may be available only once.
 *
 * @param signal stops the reading
 * @throws {UserError} if the audio cannot be read, or fails a check
 */
export async function checkAudio(
	{ payload, options }: PreparedRequest,
	endpoint: Endpoint,
	timeouts: CallTimeouts,
	signal: AbortSignal,
): Promise<void> {
	if (payload.kind === 'json' || payload.kind === 'form') return;
	const { audio, isFromUrl } = payload;
	try {
		await audio.check();
		if (isFromUrl) return;
		await checkRecording({ audio, isFromUrl, options, endpoint, timeouts, signal });
	} catch (error) {
		throw toReadingError(error);
	}
}
