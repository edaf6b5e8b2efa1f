import { type IDataObject, UserError } from 'n8n-workflow';

import type { RecordingProperties } from '../../audio/convert/recording';
import { type Format, sniffFormat } from '../../audio/format';
import { findAudioGap } from '../../audio/probeAudio';
import type { AudioReader } from '../../audio/reader';
import type { RepeatableAudio } from '../../audio/repeatableAudio';
import { computeContainerStart } from '../../audio/tags';
import {
	createRepeatable,
	createYielder,
	decideConversion,
	type OpeningContext,
	openReader,
} from '../../call/openAudio';
import { toReadingError } from '../../call/openBody';
import type { LocalInput, LocalOperation, LocalOutput } from '../../descriptions/operation';
import { audioInputParameters } from '../../descriptions/parameters';
import { createNotConvertibleError, findObstacle } from '../../errors/audioError';
import { rethrow } from '../../errors/bases';

/** What the other operations would send of a recording. */
interface SentAudio {
	/** Name of the format; undefined if it is not recognized. */
	sentAs: string | undefined;
	sentBytes: number;
}

/** What is known of a recording, as far as its format could be read. */
interface Inspection {
	format: Format | undefined;
	properties: RecordingProperties;
	isCutOff: boolean;
	/** What is sent, or why nothing can be. */
	sent: SentAudio | UserError;
}

/** Rounds seconds to milliseconds, as outputs have them. */
export function roundToMs(seconds: number): number {
	return Math.round(seconds * 1000) / 1000;
}

/** As an operation that takes recordings in the documented formats, with the default of 'Other Formats'. */
export function createContext({ audio, signal, onAudioRead }: LocalInput): OpeningContext {
	return {
		audio,
		signal,
		timeouts: { onAudioRead },
		options: { otherFormats: 'convert' },
		endpoint: { input: 'audio' },
	};
}

/** @throws {UserError} for a recording that cannot be sent; otherwise what reading it throws */
async function readSentAudio(
	reader: AudioReader,
	repeatable: RepeatableAudio,
	context: OpeningContext,
	inspection: Inspection,
): Promise<SentAudio> {
	// Also if it is not accepted.
	inspection.format = await sniffFormat(reader, !context.audio.isRemote);
	const { kind, format } = await decideConversion(reader, context);
	inspection.isCutOff = (await findAudioGap(reader, format)) === 'end';
	const sendUnchanged = async () => ({
		sentAs: format?.name,
		sentBytes: await repeatable.findSize(),
	});
	const container = format?.container;
	if (container === undefined) return await sendUnchanged();
	const containerStart = computeContainerStart(reader.buffered);
	const { readRecording } = await import('../../audio/convert/onDemand.js');
	try {
		const { properties, converted } = await readRecording(
			container,
			async () => await repeatable.startReading(containerStart),
			createYielder(context),
		);
		inspection.properties = properties;
		if (converted !== undefined) return { sentAs: converted.format, sentBytes: converted.size };
	} catch (error) {
		// What is not converted is sent even if the node cannot read it.
		if (kind === 'convertible' || findObstacle(error) === undefined) return rethrow(error);
	}
	return await sendUnchanged();
}

/** The fields of the output. A field without a value is null, so that each item has the same fields. */
function createFields(
	{ declared }: AudioReader,
	bytes: number,
	{ format, properties, sent }: Inspection,
): IDataObject {
	const { codec, seconds, samplingRate, channels } = properties;
	const fields = {
		fileName: declared.name,
		mimeType: format?.mimeType ?? declared.mimeType,
		bytes,
		format: format?.name ?? null,
		codec: codec ?? null,
		durationSeconds: seconds === undefined ? null : roundToMs(seconds),
		samplingRate: samplingRate ?? null,
		channels: channels ?? null,
	};
	if (sent instanceof UserError) {
		const { message, description } = sent;
		return { ...fields, sentAs: null, sentBytes: null, reason: message, advice: description };
	}
	return { ...fields, sentAs: sent.sentAs ?? null, sentBytes: sent.sentBytes };
}

/**
 * Reads a recording to its end, and describes it and what the other operations would send of it.
 *
 * @throws {UserError} if it cannot be opened or read
 */
async function inspectRecording(input: LocalInput): Promise<LocalOutput> {
	const context = createContext(input);
	let repeatable: RepeatableAudio | undefined;
	try {
		const reader = await openReader(context);
		repeatable = createRepeatable(reader, context);
		const inspection: Inspection = {
			format: undefined,
			properties: {},
			isCutOff: false,
			sent: { sentAs: undefined, sentBytes: 0 },
		};
		try {
			inspection.sent = await readSentAudio(reader, repeatable, context, inspection);
		} catch (error) {
			const obstacle = findObstacle(error);
			const { name } = reader.declared;
			const shown = obstacle === undefined ? error : createNotConvertibleError(obstacle, name);
			if (!(shown instanceof UserError) || reader.fault !== undefined) return rethrow(error);
			inspection.sent = shown;
			if (obstacle?.kind === 'codec') inspection.properties.codec = obstacle.codec;
		}
		const json = createFields(reader, await repeatable.findSize(), inspection);
		return { json, isCutOff: inspection.isCutOff };
	} catch (error) {
		throw toReadingError(error);
	} finally {
		repeatable?.close();
	}
}

export const getDetails: LocalOperation = {
	resource: 'recording',
	value: 'getDetails',
	name: 'Get Details',
	action: 'Get details of recording',
	description:
		'Read duration, format and what the other operations would send, without a call and without credits',
	parameters: audioInputParameters,
	options: ['includeInputFields', 'keepInputFiles'],
	outputFields: {
		fileName: 'string',
		mimeType: 'string',
		bytes: 'integer',
		format: 'string',
		codec: 'string',
		durationSeconds: 'number',
		samplingRate: 'integer',
		channels: 'integer',
		sentAs: 'string',
		sentBytes: 'integer',
	},
	run: async (input) => [await inspectRecording(input)],
};
