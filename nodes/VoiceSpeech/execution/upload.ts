import { UserError } from 'n8n-workflow';

import { isAccepted, sniffFormat, type Format } from '../audio/format';
import { probeAudio } from '../audio/probe';
import { AudioReader } from '../audio/reader';
import { sampleFindings } from '../audio/sample';
import { formatsAreDocumented, type Endpoint } from '../endpoint';
import { audioNotReadable } from '../errors/audioError';
import {
	emptyFile,
	formatNotAccepted,
	notAudioAt,
	sampleNotRecommended,
} from '../errors/inputError';
import { quoteStart } from '../errors/quote';
import { reasonOf } from '../errors/reason';
import { withoutParameters } from '../text/decode';
import type { CallOptions } from './options';
import type { MultipartPayload, PreparedRequest } from './prepareRequest';
import type { CallTimeouts } from './timeouts';

/** Audio that is open and checked. */
export interface Upload {
	reader: AudioReader;
	format: Format | undefined;
	/** What a voice sample lacks. */
	sampleWarnings: string[];
}

/** What a URL leads to if it is not audio: mostly a login page. */
function pageInsteadOfAudio(reader: AudioReader, format: Format | undefined): string | undefined {
	if (format?.kind === 'other') return format.name;
	const type = withoutParameters(reader.declared.mimeType).toLowerCase();
	return format === undefined && /(text|image)\/|json|xml|pdf/.test(type) ? type : undefined;
}

function checkFormat(
	reader: AudioReader,
	format: Format | undefined,
	{ isFromUrl }: MultipartPayload,
	{ formatCheck }: CallOptions,
	endpoint: Endpoint,
): void {
	const { name } = reader.declared;
	if (reader.head.length === 0) throw emptyFile(name);
	const page = isFromUrl ? pageInsteadOfAudio(reader, format) : undefined;
	if (page !== undefined) throw notAudioAt(page, quoteStart(reader.head));
	const isChecked = formatsAreDocumented(endpoint) && formatCheck === 'reject';
	if (isChecked && format !== undefined && !isAccepted(format)) {
		throw formatNotAccepted(format, name);
	}
}

/**
 * @returns what a voice sample lacks against the recommendations
 * @throws UserError if 'Sample Check' refuses it
 */
async function checkSample(
	reader: AudioReader,
	format: Format | undefined,
	{ sampleCheck }: CallOptions,
	endpoint: Endpoint,
): Promise<string[]> {
	if (endpoint.voiceSample !== true || sampleCheck === 'off') return [];
	const findings = sampleFindings(await probeAudio(reader, format));
	const texts = findings.map((finding) => finding.text);
	const isRefused = findings.some((finding) => finding.isHint !== true);
	if (sampleCheck === 'reject' && isRefused) throw sampleNotRecommended(texts);
	return texts;
}

/**
 * Opens the audio and refuses what its first bytes show to fail. The reader must be closed.
 *
 * @returns undefined for a request without audio
 * @throws UserError that says what the file is instead, or why it cannot be read
 */
export async function openUpload(
	{ payload, options }: PreparedRequest,
	endpoint: Endpoint,
	timeouts: CallTimeouts,
): Promise<Upload | undefined> {
	if (payload.kind !== 'multipart') return undefined;
	let reader: AudioReader | undefined;
	try {
		reader = await AudioReader.open(payload.audio, timeouts.signal, timeouts.opened);
		const format = await sniffFormat(reader);
		checkFormat(reader, format, payload, options, endpoint);
		return { reader, format, sampleWarnings: await checkSample(reader, format, options, endpoint) };
	} catch (error) {
		reader?.close();
		throw error instanceof UserError ? error : audioNotReadable(reasonOf(error));
	}
}
