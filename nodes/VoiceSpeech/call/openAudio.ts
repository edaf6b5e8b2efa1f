import { decodeDataAddress } from '../audio/dataAddress';
import { cleanBaseName } from '../audio/fileName';
import {
	type Container,
	findContainer,
	type Format,
	getFormat,
	isAccepted,
	sniffFormat,
} from '../audio/format';
import { findMissingStart, isDeclaredAudio } from '../audio/missingStart';
import { findAudioGap } from '../audio/probeAudio';
import { AudioReader, type AudioSource, type OpenAudio } from '../audio/reader';
import { RepeatableAudio } from '../audio/repeatableAudio';
import { computeContainerStart } from '../audio/tags';
import type { CallOptions } from '../descriptions/options';
import {
	findObstacle,
	createEmptyFileError,
	createDeclaredTypeError,
	createFormatNotAcceptedError,
	createMissingStartError,
	createNotAudioError,
	createNotConvertibleError,
} from '../errors/audioError';
import { rethrow, toError } from '../errors/bases';
import { quoteVisibleStart } from '../errors/quote';
import { headBytes, maxKeptFileBytes, maxKeptUrlBytes } from '../limits';
import { documentsFormats, type Endpoint } from '../service/endpoint';
import { EventLoopYielder, rejectOnAbort } from '../streams/waiting';
import { removeParameters } from '../text/decode';
import type { CallTimeouts } from './timeouts';

/** Open audio that may be sent, as it is or converted while it is read. */
interface OpenedAudio {
	/** Must be closed. */
	reader: AudioReader;
	format: Format | undefined;
	/** Whether the file is shorter than its header specifies, for example because it is still being copied. */
	isCutOff: boolean;
}

/** What opening audio needs of its call. */
export interface OpeningContext {
	audio: AudioSource;
	options: Pick<CallOptions, 'otherFormats'>;
	endpoint: Pick<Endpoint, 'input' | 'takesVoiceSample'>;
	timeouts: Pick<CallTimeouts, 'onAudioRead'>;
	/** Stops the reading. */
	signal: AbortSignal;
}

/** Types of files that are not samples without a header. Linux declares those named `.raw` as pictures of a camera. */
const otherTypes = /^font\/|^image\/(?!.*raw|.*panasonic)|pdf|postscript|zip|zstd|compressed/i;

/** @throws {UserError} if a URL leads to something other than audio, mostly a login page */
function validateRemoteContent(
	{ head, declared }: AudioReader,
	format: Format | undefined,
	{ otherFormats }: OpeningContext['options'],
): void {
	// Content that is recognized as something other than audio is rejected with any setting.
	if (format?.kind === 'other') {
		throw createNotAudioError(format.name, quoteVisibleStart(head), false);
	}
	// With 'Send As It Is', the declared type does not count, because servers may declare a wrong one for raw audio.
	if (format !== undefined || otherFormats === 'send') return;
	const type = removeParameters(declared.mimeType).toLowerCase();
	if (!/(text|image)\/|json|xml|pdf/.test(type)) return;
	throw createNotAudioError(type, quoteVisibleStart(head), true);
}

/** @throws {UserError} for a data address without its audio; otherwise what the source throws, or the signal's reason */
export async function openReader(context: OpeningContext): Promise<AudioReader> {
	const { audio, timeouts, signal } = context;
	const opened = await rejectOnAbort(audio.open(signal), signal);
	const reader = new AudioReader(opened, timeouts.onAudioRead);
	if (audio.isRemote) return reader;
	try {
		const decoded = await decodeDataAddress(reader, createYielder(context));
		return decoded === undefined ? reader : new AudioReader(decoded, timeouts.onAudioRead);
	} catch (error) {
		reader.close();
		return rethrow(error);
	}
}

/**
 * Passes on the chunks of audio.
 *
 * @throws what `explainError` returns for the error that they end with
 */
async function* mapErrors(
	chunks: AsyncIterable<Uint8Array>,
	explainError: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
	try {
		yield* chunks;
	} catch (error) {
		throw explainError(error);
	}
}

/** Audio that must be converted. */
interface Convertible {
	kind: 'convertible';
	format: Format;
	container: Container;
	/**
	 * Where the container starts in the file, in bytes. Offsets in the file count from there, because a program that puts a
	 * tag in front of a finished file does not adjust them.
	 */
	containerStart: number;
}

/** Lets audio that is open be read several times. */
export function createRepeatable(reader: AudioReader, context: OpeningContext): RepeatableAudio {
	const maxKeptBytes = context.audio.isRemote ? maxKeptUrlBytes : maxKeptFileBytes;
	return new RepeatableAudio(reader, async () => await openReader(context), maxKeptBytes);
}

/**
 * Creates a function that yields to the event loop while audio is read. It throws the reason of the signal once that has
 * aborted.
 */
export function createYielder({ signal }: OpeningContext): () => Promise<void> {
	const eventLoop = new EventLoopYielder();
	return async () => {
		await eventLoop.yieldIfDue(signal);
		// It may abort while all bytes are here, so that no read would end the conversion.
		if (signal.aborted) throw toError(signal.reason);
	};
}

/**
 * Converts audio, unless it turns out to be an M4A file that can be sent as it is.
 *
 * @returns the audio to send, which must be closed, and its format
 * @throws {ConversionError} if the audio cannot be converted, here or while its chunks are read; otherwise what reading the
 * audio throws
 */
async function convert(
	reader: AudioReader,
	{ format, container, containerStart }: Convertible,
	context: OpeningContext,
): Promise<{ source: OpenAudio; format: Format }> {
	// Loaded only when it is needed, because n8n loads the node when it starts, and most workflows never convert.
	const { convertAudio } = await import('../audio/convert/onDemand.js');
	const { size, declared } = reader;
	const repeatable = createRepeatable(reader, context);
	const yieldToEventLoop = createYielder(context);
	try {
		const startReading = async () => await repeatable.startReading(containerStart);
		const converted = await convertAudio(container, startReading, {
			wavRate: context.endpoint.takesVoiceSample === true ? 48_000 : 16_000,
			yieldToEventLoop,
		});
		if (converted.kind === 'unchanged') {
			const { chunks } = await repeatable.startReading();
			const close = () => repeatable.close();
			return { source: { size, declared, chunks, close }, format };
		}
		const convertedFormat = getFormat(converted.format);
		const { mimeType, extensions } = convertedFormat;
		const name = `${cleanBaseName(declared.name, 'recording')}.${extensions[0]}`;
		const source = {
			size: converted.size,
			declared: { name, mimeType },
			chunks: converted.chunks(),
			close() {
				converted.close();
				repeatable.close();
			},
		};
		return { source, format: convertedFormat };
	} catch (error) {
		repeatable.close();
		return rethrow(error);
	}
}

/**
 * Opens the result of a conversion.
 *
 * @throws {UserError} if the audio cannot be converted; otherwise what reading it throws
 */
async function openConverted(
	reader: AudioReader,
	convertible: Convertible,
	context: OpeningContext,
): Promise<Omit<OpenedAudio, 'isCutOff'>> {
	const { name } = reader.declared;

	/** Returns an error of the conversion in words for the user. Others stay as they are. */
	function explainError(error: unknown): unknown {
		const obstacle = findObstacle(error);
		if (obstacle === undefined) return error;
		return createNotConvertibleError(obstacle, name);
	}

	try {
		const { source, format } = await convert(reader, convertible, context);
		const chunks = mapErrors(source.chunks, explainError);
		return { reader: new AudioReader({ ...source, chunks }, context.timeouts.onAudioRead), format };
	} catch (error) {
		throw explainError(error);
	}
}

/** What the first bytes of audio show. */
type ConversionDecision =
	/** The audio is sent as it is. Without a known signature, its format is undefined. */
	{ kind: 'unchanged'; format: Format | undefined } | Convertible;

/**
 * Recognizes the format of audio, and decides whether it is converted.
 *
 * @throws {UserError} if the file is empty, if a URL leads to something other than audio, and, unless 'Other Formats' is
 * 'Send As It Is', if the file lacks its beginning or its samples, or has a format that the service does not document and
 * the node does not convert
 */
export async function decideConversion(
	reader: AudioReader,
	{ audio, options, endpoint }: OpeningContext,
): Promise<ConversionDecision> {
	await reader.peek(headBytes);
	const format = await sniffFormat(reader, !audio.isRemote);
	const { name } = reader.declared;
	if (reader.head.length === 0) throw createEmptyFileError(name);
	if (audio.isRemote) validateRemoteContent(reader, format, options);
	if (options.otherFormats === 'send') return { kind: 'unchanged', format };
	if (format === undefined) {
		const missing = await findMissingStart(reader);
		if (missing !== undefined) throw createMissingStartError(missing, name);
		const type = removeParameters(reader.declared.mimeType);
		const isOther = !audio.isRemote && documentsFormats(endpoint) && otherTypes.test(type);
		if (isOther) throw createDeclaredTypeError(type, name);
		return { kind: 'unchanged', format };
	}
	const container = options.otherFormats === 'convert' ? findContainer(format) : undefined;
	if (container !== undefined) {
		// All of the tags are buffered, because the format was recognized after them.
		const containerStart = computeContainerStart(reader.buffered);
		return { kind: 'convertible', format, container, containerStart };
	}
	// Other containers are read to convert them.
	if (format.name === 'WAV' && (await findAudioGap(reader, format)) === 'all') {
		throw createNotConvertibleError({ kind: 'noAudio' }, name);
	}
	// Where the formats are not documented, the endpoint may take a document.
	const mayBeDocument =
		format.kind === 'other' && !documentsFormats(endpoint) && !isDeclaredAudio(reader.declared);
	if (!isAccepted(format) && !mayBeDocument) {
		throw createFormatNotAcceptedError(format, name, findContainer(format) !== undefined);
	}
	return { kind: 'unchanged', format };
}

/**
 * Opens audio, recognizes its format, and does what 'Other Formats' says if the service does not document the format.
 *
 * @throws {UserError} if the audio is rejected; otherwise what its source throws, or the reason of the signal
 */
export async function openAudio(context: OpeningContext): Promise<OpenedAudio> {
	const reader = await openReader(context);
	try {
		const checked = await decideConversion(reader, context);
		const isCutOff = (await findAudioGap(reader, checked.format)) === 'end';
		if (checked.kind === 'unchanged') return { reader, format: checked.format, isCutOff };
		return { ...(await openConverted(reader, checked, context)), isCutOff };
	} catch (error) {
		reader.close();
		return rethrow(error);
	}
}

/**
 * Rejects audio that {@link openAudio} would reject because of its first bytes, and closes it.
 *
 * @throws {UserError} if the audio is rejected; otherwise what its source throws, or the reason of the signal
 */
export async function validateAudioFormat(context: OpeningContext): Promise<void> {
	const reader = await openReader(context);
	try {
		await decideConversion(reader, context);
	} finally {
		reader.close();
	}
}
