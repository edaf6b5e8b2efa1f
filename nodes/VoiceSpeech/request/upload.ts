import { UserError } from 'n8n-workflow';

import { headLength, isAccepted, type Format } from '../audio/format';
import { measure } from '../audio/measure';
import { RecordingReader } from '../audio/reader';
import { recognise } from '../audio/recognise';
import { sampleFindings } from '../audio/sample';
import { formatsAreDocumented, type Endpoint } from '../endpoint';
import { emptyFile, formatNotAccepted, noRecordingAt, sampleNotRecommended } from '../errors/input';
import { recordingUnreadable } from '../errors/network';
import { beginningOf } from '../errors/unusable';
import { withoutParameters } from '../text/mediaType';
import type { Field } from './fields';
import type { CallOptions } from './options';
import type { MultipartPayload, Plan } from './plan';
import type { CallWatch } from './watch';

/** A recording about to be sent: opened, and looked at. */
export interface Upload {
	reader: RecordingReader;
	format: Format | undefined;
	/** What is sent beside it. */
	fields: Field[];
	/** What a voice sample lacks, where it is sent all the same. */
	warnings: string[];
}

/** What an address leads to when it does not lead to the audio: a login page, mostly. */
function pageInsteadOfAudio(
	reader: RecordingReader,
	format: Format | undefined,
): string | undefined {
	if (format?.kind === 'other') return format.name;
	const type = withoutParameters(reader.announced.mimeType).toLowerCase();
	return format === undefined && /(text|image)\/|json|xml|pdf/.test(type) ? type : undefined;
}

function check(
	reader: RecordingReader,
	format: Format | undefined,
	{ fromUrl }: MultipartPayload,
	{ formatCheck }: CallOptions,
	endpoint: Endpoint,
) {
	const { name } = reader.announced;
	if (reader.head.length === 0) throw emptyFile(name);
	const page = fromUrl ? pageInsteadOfAudio(reader, format) : undefined;
	if (page !== undefined) throw noRecordingAt(page, beginningOf(reader.head));
	if (formatsAreDocumented(endpoint) && formatCheck === 'reject' && !isAccepted(format)) {
		throw formatNotAccepted(format, name);
	}
}

/**
 * Looks at a voice sample's header.
 *
 * @returns what it lacks against the recommendations
 * @throws UserError where such a sample is to be refused
 */
async function checkSample(
	reader: RecordingReader,
	format: Format | undefined,
	{ options }: Plan,
	endpoint: Endpoint,
): Promise<string[]> {
	if (endpoint.voiceSample !== true || options.sampleCheck === 'off') return [];
	const findings = sampleFindings(await measure(reader, format));
	const texts = findings.map((finding) => finding.text);
	const isRefused = findings.some((finding) => finding.isHint !== true);
	if (options.sampleCheck === 'reject' && isRefused) throw sampleNotRecommended(texts);
	return texts;
}

/**
 * Opens the recording, and refuses what can be known to fail by its first bytes. The reader must be closed.
 *
 * @returns undefined where no recording is to be sent
 * @throws UserError that names what the file is instead
 */
export async function openUpload(
	plan: Plan,
	endpoint: Endpoint,
	watch: CallWatch,
): Promise<Upload | undefined> {
	const { payload } = plan;
	if (payload.kind !== 'multipart') return undefined;
	watch.opening();
	let reader: RecordingReader | undefined;
	try {
		reader = await RecordingReader.open(payload.recording, headLength, watch.signal);
		const format = await recognise(reader);
		check(reader, format, payload, plan.options, endpoint);
		const warnings = await checkSample(reader, format, plan, endpoint);
		watch.moved();
		return { reader, format, fields: payload.fields, warnings };
	} catch (error) {
		reader?.close();
		return await Promise.reject(error instanceof UserError ? error : recordingUnreadable(error));
	}
}
