import { UserError } from 'n8n-workflow';

import { chooseFileName } from '../audio/fileName';
import type { Format } from '../audio/format';
import { probeAudio } from '../audio/probeAudio';
import type { AudioReader, AudioProperties } from '../audio/reader';
import type { CallOptions } from '../descriptions/options';
import {
	createAudioNotReadableError,
	createSampleNotRecommendedError,
	createUnknownLengthError,
} from '../errors/audioError';
import { formatReason, formatSeconds } from '../errors/quote';
import { maxVoiceSampleSeconds, minVoiceSampleSeconds } from '../limits';
import {
	type Endpoint,
	minVoiceSampleRate,
	recommendedVoiceSampleSeconds,
} from '../service/endpoint';
import { removeParameters } from '../text/decode';
import { validateAudioFormat, openAudio } from './openAudio';
import type { PreparedRequest, RequestBody, Upload } from './request';
import type { CallTimeouts } from './timeouts';

/** The body of a request that may be sent, whose audio is open and checked. */
export interface SendableBody {
	body: RequestBody;
	/** Must be closed; undefined without audio. */
	reader: AudioReader | undefined;
	/** How a voice sample differs from the recommendations. */
	sampleWarnings: string[];
	/** Whether the node did not recognize the format of the audio. */
	isUnrecognized?: boolean;
	/** Whether the audio is shorter than its header specifies. */
	isCutOff?: boolean;
}

const validType = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=[\w.+-]+)*$/;

/** The declared type, with its parameters if they are valid; empty if the type itself is not. */
function toValidType(declaredType: string): string {
	// Raw PCM is noise without the sampling rate, which is a parameter.
	if (validType.test(declaredType)) return declaredType;
	const type = removeParameters(declaredType);
	return validType.test(type) ? type : '';
}

/** Describes open audio as it is sent. Reading it reports the progress of the upload. */
function createUpload(
	reader: AudioReader,
	format: Format | undefined,
	timeouts: CallTimeouts,
): Upload {
	const { name, mimeType } = reader.declared;
	return {
		fileName: chooseFileName(name, format, 'recording'),
		mimeType: format?.mimeType || toValidType(mimeType),
		size: reader.size,
		read: () => reader.readPieces(timeouts.onUploadProgress, timeouts.onUploadEnd),
	};
}

/** How a voice sample differs from what the service asks for. */
interface VoiceSampleFinding {
	text: string;
	/** Whether it is only a hint, and not a reason to reject a sample. */
	isHint?: boolean;
}

/** Compares a sample with what the service asks for. Unknown properties give no finding. */
export function compareVoiceSample({
	seconds = minVoiceSampleSeconds,
	samplingRate = minVoiceSampleRate,
	channels = 1,
}: AudioProperties): VoiceSampleFinding[] {
	const findings: VoiceSampleFinding[] = [];
	// Rounded first, so that a sample of 30.04 s is not said to last 30 seconds, which are allowed.
	const rounded = Math.round(seconds * 10) / 10;
	if (rounded < minVoiceSampleSeconds || rounded > maxVoiceSampleSeconds) {
		const text = `It lasts ${formatSeconds(rounded)}; about ${recommendedVoiceSampleSeconds} are recommended.`;
		findings.push({ text });
	}
	if (samplingRate < minVoiceSampleRate) {
		const text = `Its sampling rate is ${samplingRate} Hz; the service asks for ${minVoiceSampleRate} Hz or higher.`;
		findings.push({ text });
	}
	if (channels > 1) {
		const text = `It has ${channels} channels: make sure that only one person speaks in it.`;
		findings.push({ text, isHint: true });
	}
	return findings;
}

/**
 * Compares a voice sample with the recommendations.
 *
 * @returns how it differs, in sentences
 * @throws {UserError} if 'Sample Check' rejects it
 */
async function findSampleWarnings(
	reader: AudioReader,
	format: Format | undefined,
	endpoint: Endpoint,
	{ sampleCheck }: CallOptions,
): Promise<string[]> {
	if (endpoint.takesVoiceSample !== true || sampleCheck === 'off') return [];
	const findings = compareVoiceSample(await probeAudio(reader, format));
	const warnings = findings.map(({ text }) => text);
	const isRejected = sampleCheck === 'reject' && findings.some(({ isHint }) => isHint !== true);
	if (isRejected) throw createSampleNotRecommendedError(warnings);
	return warnings;
}

/** The error of an opening or a check. Errors for the user stay as they are. */
export function toReadingError(error: unknown): UserError {
	return error instanceof UserError ? error : createAudioNotReadableError(formatReason(error));
}

/**
 * Opens the audio, checks it, and builds the body.
 *
 * @param signal stops the reading
 * @throws {UserError} if the audio cannot be read, or fails a check
 */
export async function openBody(
	{ endpoint, payload, options }: PreparedRequest,
	timeouts: CallTimeouts,
	signal: AbortSignal,
): Promise<SendableBody> {
	if (payload.kind === 'json' || payload.kind === 'form') {
		return { body: payload, reader: undefined, sampleWarnings: [] };
	}
	const { audio } = payload;
	let reader: AudioReader | undefined;
	try {
		const context = { audio, options, endpoint, timeouts, signal };
		const checkedAudio = await openAudio(context);
		reader = checkedAudio.reader;
		const { format, isCutOff } = checkedAudio;
		const sampleWarnings = await findSampleWarnings(reader, format, endpoint, options);
		const upload = createUpload(reader, format, timeouts);
		const opened = { reader, sampleWarnings, isCutOff, isUnrecognized: format === undefined };
		if (payload.kind === 'audioForm') {
			const { kind, fields } = payload;
			const { fileFieldName } = options;
			return { body: { kind, fields, fileFieldName, upload }, ...opened };
		}
		const { size } = upload;
		if (size === undefined) throw createUnknownLengthError();
		return { body: { kind: payload.kind, upload: { ...upload, size } }, ...opened };
	} catch (error) {
		reader?.close();
		throw toReadingError(error);
	}
}

/**
 * Reads the first bytes of the file of a request, and rejects it if {@link openBody} would reject it because of them. Audio
 * from a URL is not fetched, because it may be available only once.
 *
 * @param signal stops the reading
 * @throws {UserError} if the audio cannot be read, or fails a check
 */
export async function checkAudio(
	{ endpoint, payload, options }: PreparedRequest,
	timeouts: CallTimeouts,
	signal: AbortSignal,
): Promise<void> {
	if (payload.kind === 'json' || payload.kind === 'form') return;
	const { audio } = payload;
	if (audio.isRemote) return;
	try {
		await validateAudioFormat({ audio, options, endpoint, timeouts, signal });
	} catch (error) {
		throw toReadingError(error);
	}
}
