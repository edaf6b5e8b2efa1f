import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';

import { chooseFileName, cleanBaseName } from '../../audio/fileName';
import { type Format, getFormat } from '../../audio/format';
import type { AudioReader } from '../../audio/reader';
import type { RepeatableAudio } from '../../audio/repeatableAudio';
import { computeContainerStart } from '../../audio/tags';
import {
	createRepeatable,
	createYielder,
	decideConversion,
	openReader,
} from '../../call/openAudio';
import { toReadingError } from '../../call/openBody';
import type { LocalInput, LocalOperation, LocalOutput } from '../../descriptions/operation';
import {
	audioInputParameters,
	defaultFileField,
	outputPropertyNameParameter,
} from '../../descriptions/parameters';
import { readNumber, readText } from '../../descriptions/readValue';
import {
	createFormatNotAcceptedError,
	createNotConvertibleError,
	findObstacle,
	omitSendAdvice,
} from '../../errors/audioError';
import { rethrow } from '../../errors/bases';
import { createNotANumberError } from '../../errors/inputError';
import { minPartMinutes } from '../../limits';
import { createContext, roundToMs } from './getDetails';

interface SplitSettings {
	/** Longest part. */
	partSeconds: number;
	/** Name of the output field for the file. */
	fieldName: string;
}

/** What a part says of its place in the recording. */
interface PartPlace {
	part: number;
	parts: number;
	startSeconds: number;
	durationSeconds: number;
}

/** Stores a file, and counts its bytes. A source in memory has no stream, so its parts are stored from memory too. */
async function storeFile(
	{ store }: LocalInput,
	reader: AudioReader,
	chunks: AsyncIterable<Uint8Array>,
	fileName: string,
	mimeType: string,
): Promise<{ file: IBinaryData; bytes: number }> {
	let bytes = 0;
	let fault: unknown;

	async function* countBytes(): AsyncGenerator<Uint8Array> {
		try {
			for await (const chunk of chunks) {
				bytes += chunk.length;
				yield chunk;
			}
		} catch (error) {
			fault = error;
			rethrow(error);
		}
	}

	try {
		const stream = reader.createStream(countBytes());
		if (stream !== undefined) return { file: await store(stream, fileName, mimeType), bytes };
		const all: Uint8Array[] = [];
		for await (const chunk of countBytes()) all.push(chunk);
		return { file: await store(Buffer.concat(all), fileName, mimeType), bytes };
	} catch (error) {
		// n8n's storage wraps the error of the stream that it reads.
		return rethrow(fault ?? error);
	}
}

function createOutput(
	{ fileName, mimeType, bytes }: IDataObject,
	{ startSeconds, durationSeconds, ...numbers }: PartPlace,
	files: Record<string, IBinaryData>,
): LocalOutput {
	const times = {
		startSeconds: roundToMs(startSeconds),
		durationSeconds: roundToMs(durationSeconds),
	};
	return { json: { fileName, mimeType, bytes, ...numbers, ...times }, files };
}

/** The output of a recording that is not longer than a part. */
async function passOn(
	input: LocalInput,
	reader: AudioReader,
	repeatable: RepeatableAudio,
	format: Format,
	{ fieldName, durationSeconds }: { fieldName: string; durationSeconds: number },
): Promise<[LocalOutput, ...LocalOutput[]]> {
	const place = { part: 1, parts: 1, startSeconds: 0, durationSeconds };
	const { file: own } = input.audio;
	if (own !== undefined && !reader.isDecoded) {
		const { fileName = '', mimeType } = own;
		const bytes = await repeatable.findSize();
		return [createOutput({ fileName, mimeType, bytes }, place, { [fieldName]: own })];
	}
	const fileName = chooseFileName(reader.declared.name, format, 'recording');
	const { mimeType } = format;
	const { chunks } = await repeatable.startReading();
	const { file, bytes } = await storeFile(input, reader, chunks, fileName, mimeType);
	return [createOutput({ fileName, mimeType, bytes }, place, { [fieldName]: file })];
}

/** @throws {ConversionError | UserError} for a recording that cannot be split, or what reading or storing it throws */
async function splitAudio(
	input: LocalInput,
	reader: AudioReader,
	repeatable: RepeatableAudio,
	{ partSeconds, fieldName }: SplitSettings,
): Promise<[LocalOutput, ...LocalOutput[]]> {
	const context = createContext(input);
	const { format } = await decideConversion(reader, context);
	const { name } = reader.declared;
	if (format?.container === undefined) {
		const unknown = { name: 'of an unknown format', kind: 'audio' };
		throw createFormatNotAcceptedError(format ?? unknown, name);
	}
	const containerStart = computeContainerStart(reader.buffered);
	const { readRecording } = await import('../../audio/convert/onDemand.js');
	const recording = await readRecording(
		format.container,
		async () => await repeatable.startReading(containerStart),
		createYielder(context),
	);
	try {
		const cut = await recording.split(partSeconds, !input.options.exactCuts);
		if (cut === undefined) {
			const durationSeconds = recording.properties.seconds ?? 0;
			return await passOn(input, reader, repeatable, format, { fieldName, durationSeconds });
		}
		const { mimeType, extensions } = getFormat(cut.format);
		const parts = cut.times.length;
		const baseName = cleanBaseName(name, 'recording');
		const digits = Math.max(2, String(parts).length);
		const outputs: LocalOutput[] = [];
		for await (const chunks of cut.files()) {
			const part = outputs.length + 1;
			const number = String(part).padStart(digits, '0');
			const fileName = `${baseName}-${number}.${extensions[0]}`;
			const { file, bytes } = await storeFile(input, reader, chunks, fileName, mimeType);
			const { startSeconds, seconds } = cut.times[part - 1]!;
			const place = { part, parts, startSeconds, durationSeconds: seconds };
			outputs.push(createOutput({ fileName, mimeType, bytes }, place, { [fieldName]: file }));
		}
		return outputs as [LocalOutput, ...LocalOutput[]];
	} finally {
		recording.close();
	}
}

/**
 * Splits a recording into parts, which are stored one after the other.
 *
 * @returns one output for each part
 * @throws {UserError} if the recording cannot be split, read or stored
 */
async function splitRecording(
	input: LocalInput,
	settings: SplitSettings,
): Promise<[LocalOutput, ...LocalOutput[]]> {
	let repeatable: RepeatableAudio | undefined;
	try {
		const context = createContext(input);
		const reader = await openReader(context);
		repeatable = createRepeatable(reader, context);
		try {
			return await splitAudio(input, reader, repeatable, settings);
		} catch (error) {
			const obstacle = findObstacle(error);
			const { name } = reader.declared;
			const shown = obstacle === undefined ? error : createNotConvertibleError(obstacle, name);
			throw omitSendAdvice(shown);
		}
	} catch (error) {
		throw toReadingError(error);
	} finally {
		repeatable?.close();
	}
}

const partMinutesParameter: INodeProperties = {
	displayName: 'Part Length (Minutes)',
	name: 'partMinutes',
	type: 'number',
	typeOptions: { minValue: minPartMinutes },
	default: 10,
	description: 'Longest part. A shorter recording is passed on unchanged, as one item.',
};

export const split: LocalOperation = {
	resource: 'recording',
	value: 'split',
	name: 'Split',
	action: 'Split recording into parts',
	description: 'Make an item of each part of a long recording, without a call and without credits',
	parameters: [...audioInputParameters, partMinutesParameter, outputPropertyNameParameter],
	options: ['exactCuts', 'includeInputFields', 'keepInputFiles'],
	outputFields: {
		fileName: 'string',
		mimeType: 'string',
		bytes: 'integer',
		part: 'integer',
		parts: 'integer',
		startSeconds: 'number',
		durationSeconds: 'number',
	},
	async run(input) {
		const { displayName, name } = partMinutesParameter;
		const value = input.read(name);
		const minutes = readNumber(value);
		if (!(minutes >= minPartMinutes)) {
			throw createNotANumberError(displayName, value, minPartMinutes, undefined);
		}
		const { displayName: fieldLabel, name: fieldParameter } = outputPropertyNameParameter;
		const fieldName = readText(fieldLabel, input.read(fieldParameter, '')).trim();
		return await splitRecording(input, {
			partSeconds: minutes * 60,
			fieldName: fieldName || defaultFileField,
		});
	},
};
