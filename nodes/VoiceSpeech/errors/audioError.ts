import type { UserError } from 'n8n-workflow';

import {
	maxConvertedSeconds,
	maxDataAddressBytes,
	maxDurations,
	maxPackets,
	maxParts,
	maxQuoteLength,
	maxSecondsOfAnySize,
} from '../limits';
import { acceptedFormatsText, samplingRateText, voiceSampleLengthText } from '../service/endpoint';
import { ExplainedError } from './bases';
import { describeFile, joinTexts, quoteText, toOneLine } from './quote';

export function createEmptyFileError(name: string): UserError {
	return new ExplainedError(`${describeFile(name)} is empty`, 'Check the step that creates it.');
}

const otherFormatAdvice = `Use a recording in another format, or convert it to ${acceptedFormatsText} with another program.`;

const sendAnywayAdvice =
	"If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'.";

/** Audio that is refused, and that is sent if 'Other Formats' is 'Send As It Is'. */
class RefusedAudioError extends ExplainedError {
	/** @param ownAdvice what to do next without that option */
	constructor(
		message: string,
		readonly ownAdvice: string,
		quote = '',
	) {
		super(message, `${ownAdvice} ${sendAnywayAdvice}`, quote);
	}
}

/** The same error for an operation that sends nothing, and has no option 'Other Formats'. */
export function omitSendAdvice(error: unknown): unknown {
	if (!(error instanceof RefusedAudioError)) return error;
	return new ExplainedError(error.message, error.ownAdvice, error.quote);
}

/**
 * The first bytes of the file show a format that the service does not accept, and that the node does not convert.
 *
 * @param canConvert whether it would convert it if the option were 'Convert'
 */
export function createFormatNotAcceptedError(
	format: { name: string; kind: string },
	name: string,
	canConvert = false,
): UserError {
	const file = describeFile(name);
	// Sending a document to an operation that takes only audio would only cost a call.
	if (format.kind === 'other') {
		return new ExplainedError(
			`${file} is not audio: its content is ${format.name}`,
			'Check which file the previous step outputs.',
		);
	}
	return new RefusedAudioError(
		`${file} is ${format.name}, not ${acceptedFormatsText}`,
		canConvert ? "Set the option 'Other Formats' to 'Convert'." : otherFormatAdvice,
	);
}

/** The first bytes of the file are not those of the format that it is declared as, or they are those of a later piece. */
export function createMissingStartError(format: string, name: string): UserError {
	const article = /^[MO]/.test(format) && format !== 'Matroska' ? 'an' : 'a';
	return new RefusedAudioError(
		`${describeFile(name)} is not ${article} ${format} file: its beginning is missing`,
		'Check whether it plays. It may be a later piece of a recording that a browser sends in pieces: join them, from the first on. It may be encrypted, as the .enc files of WhatsApp are: decrypt it first. Or it is something else than its name or type says.',
	);
}

/** n8n's node Convert to File decoded a data address only up to a parameter, so that the audio is lost. */
export function createCutDataAddressError(name: string): UserError {
	return new ExplainedError(
		`${describeFile(name)} is not audio: its content is the start of a data address`,
		"In front of the 'Convert to File' node, remove everything up to the comma of the address. For example, add an 'Edit Fields' node that sets the field to {{ $json.audio.split(',').pop() }}, with the name of your field.",
	);
}

export function createLongDataAddressError(name: string): UserError {
	return new ExplainedError(
		`${describeFile(name)} is a data address that is too long`,
		`The node decodes up to ${maxDataAddressBytes / 1024 ** 2} MiB. Make the file itself of it in an earlier step, for example with 'Convert to File'.`,
	);
}

/** What follows the comma of a data address is not base64. */
export function createDamagedDataAddressError(name: string): UserError {
	return new ExplainedError(
		`${describeFile(name)} is a data address that is damaged`,
		'Check the step that makes it: after the comma, the address must contain nothing but the base64 text of one file.',
	);
}

/** The format of the file was not recognized, and its type is not that of audio. */
export function createDeclaredTypeError(mimeType: string, name: string): UserError {
	return new RefusedAudioError(
		`${describeFile(name)} is not audio: its type is ${toOneLine(mimeType, maxQuoteLength)}`,
		'Check which file the previous step outputs.',
	);
}

/** Thrown only if the option 'Sample Check' is 'Reject'. */
export function createSampleNotRecommendedError(findings: string[]): UserError {
	return new ExplainedError(
		`The sample differs from what the service asks for: ${findings.join(' ')}`,
		`Record ${voiceSampleLengthText} of a single speaker in a quiet place, at ${samplingRateText}. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'.`,
	);
}

/** The audio could not be opened, or not be read before the upload. Nothing was sent. */
export function createAudioNotReadableError(reason: string): UserError {
	return new ExplainedError(
		'The audio could not be read',
		`Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}

/** Some of the audio may have been sent, so the call may have been debited. */
export function createUploadReadError(reason: string): UserError {
	return new ExplainedError(
		'Reading the audio failed during the upload',
		`Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}

export function createNoAudioUrlError(): UserError {
	return new ExplainedError(
		"'Audio URL' is empty",
		"Enter the address of a recording, or set 'Audio Source' to 'File From Previous Step'.",
	);
}

export function createInvalidAudioUrlError(url: string): UserError {
	return new ExplainedError(
		"'Audio URL' is not a web address",
		`It must start with 'https://' or 'http://', and it is ${quoteText(url)}.`,
	);
}

/** What works with servers that do not return the file to this node. */
const downloadAdvice =
	"Or download it with an 'HTTP Request' node before this one, and set 'Audio Source' to 'File From Previous Step': in 'HTTP Request', set 'Response Format' to 'File', and add the login or a header 'User-Agent' if the server wants one.";

/**
 * The server of an address did not return a file.
 *
 * @param url the address that failed, after redirects
 * @param problem as the end of a sentence
 * @param cause is part of the description, because n8n replaces a message that names an error code by one of its own
 */
export function createNotFetchedError(url: string, problem: string, cause = ''): UserError {
	// Without a response, the other node would get none either.
	const lastSentence = cause === '' ? downloadAdvice : `(${cause})`;
	return new ExplainedError(
		`The audio could not be fetched from '${new URL(url).host}': ${problem}`,
		`Check 'Audio URL': it must lead to the audio file itself, without a login. ${lastSentence}`,
	);
}

/** A server does not report how long its audio is, which the header of a request must specify. */
export function createUnknownLengthError(): UserError {
	return new ExplainedError(
		"The server of 'Audio URL' does not report the length of the audio",
		`Set 'Input Type' to 'Audio'. ${downloadAdvice}`,
	);
}

/**
 * The audio URL leads to something else, mostly a login page.
 *
 * @param found name of the format, or the type that the server declares
 * @param start of what the address returns
 * @param canBeSent whether the node sends the content if 'Other Formats' is 'Send As It Is'
 */
export function createNotAudioError(
	found: string,
	start: string,
	canBeSent: boolean,
): ExplainedError {
	const useAnother = 'Use an address that leads to the audio file itself, without a login.';
	const ErrorClass = canBeSent ? RefusedAudioError : ExplainedError;
	return new ErrorClass(
		`'Audio URL' leads to ${found}, not to audio`,
		joinTexts([useAnother, downloadAdvice]),
		`The address returns '${start}'.`,
	);
}

/** Why a recording cannot be converted. */
export type Obstacle =
	/** Its audio has a codec that is not converted; `codec` is its usual name. */
	| { kind: 'codec'; codec: string }
	| { kind: 'noAudio' }
	/** It describes audio, but ends before the first packet. */
	| { kind: 'headerOnly' }
	/** It is a segment of a stream in MP4 (DASH, HLS) without the header that describes the audio. */
	| { kind: 'segment' }
	/** Its audio is not stored in playing order, so that it cannot be converted while it is read. */
	| { kind: 'order' }
	/** Its edit list has too many parts. The node decodes only one part of Opus. */
	| { kind: 'edited' }
	/** It lasts longer than the limit. */
	| { kind: 'tooLong' }
	/** It has more packets, or packets of more different durations, than the node can index. */
	| { kind: 'tooManyPackets' }
	/** It has suspiciously few bytes for its duration. */
	| { kind: 'tooFewBytes' }
	/** It cannot be split, because blocks of its codec have no known duration. */
	| { kind: 'notSplit'; codec: string }
	| { kind: 'tooManyParts'; count: number }
	| { kind: 'damaged' }
	/** A later reading found something else than the first. */
	| { kind: 'changed' };

/** Writes a number with separators, e.g. 5,000,000. */
function formatCount(count: number): string {
	return count.toLocaleString('en-US');
}

function explainObstacle(obstacle: Obstacle, file: string): { message: string; advice: string } {
	switch (obstacle.kind) {
		case 'codec':
			return {
				message: `${file} cannot be converted: its audio is ${obstacle.codec}`,
				advice: `The node converts Opus, AAC and Apple Lossless. ${otherFormatAdvice}`,
			};
		case 'noAudio':
			return {
				message: `${file} has no audio`,
				advice: 'Check which file the previous step outputs.',
			};
		case 'headerOnly':
			return {
				message: `${file} is incomplete: it ends before its audio begins`,
				advice:
					'Check whether the previous step received the entire file, and whether the recorder had recorded anything.',
			};
		case 'segment':
			return {
				message: `${file} is a segment of a stream: its beginning is missing`,
				advice:
					'Segments of DASH or HLS need the initialization segment in front of them. Use the entire recording.',
			};
		case 'order':
			return {
				message: `${file} cannot be converted: its audio is stored in an unusual order`,
				advice: otherFormatAdvice,
			};
		case 'edited':
			return {
				message: `${file} cannot be converted: it has edits that the node cannot apply`,
				advice: `Export it again with the program that edited it. ${otherFormatAdvice}`,
			};
		case 'tooLong':
			return {
				message: `${file} cannot be converted: it lasts longer than ${maxConvertedSeconds / 3600} hours`,
				advice: 'Split it into shorter recordings.',
			};
		case 'tooManyPackets':
			return {
				message: `${file} cannot be converted: it is too long`,
				advice: `Its packets are so short, or differ so often in duration, that their number reaches the limit of the node (${formatCount(maxPackets)} packets, ${formatCount(maxDurations)} durations). Split it into shorter recordings.`,
			};
		case 'tooFewBytes':
			return {
				message: `${file} cannot be converted: it is nearly silent, or damaged`,
				advice: `Check whether it plays. If it does, split it into parts of at most ${maxSecondsOfAnySize / 60} minutes.`,
			};
		case 'notSplit':
			return {
				message: `${file} cannot be split: its audio is ${obstacle.codec}`,
				advice: otherFormatAdvice,
			};
		case 'tooManyParts':
			return {
				message: `${file} would have ${obstacle.count} parts, more than ${maxParts}`,
				advice: "Increase 'Part Length (Minutes)'.",
			};
		case 'damaged':
			return {
				message: `${file} cannot be converted: it is damaged or incomplete`,
				advice: 'Check whether it plays, and whether the previous step received the entire file.',
			};
		case 'changed':
			return {
				message: `${file} changed while it was read`,
				advice: 'Run the step again when nothing writes to the file any more.',
			};
	}
}

/** Where sending the file as it is does not help: no service can use it, or it is still changing. */
const kindsNotToSend: Array<Obstacle['kind']> = [
	'noAudio',
	'headerOnly',
	'segment',
	'notSplit',
	'tooManyParts',
	'changed',
];

/** A recording cannot be converted. That is found before anything is sent, but `changed` mostly during the upload. */
export function createNotConvertibleError(obstacle: Obstacle, name: string): UserError {
	const { message, advice } = explainObstacle(obstacle, describeFile(name));
	const ErrorClass = kindsNotToSend.includes(obstacle.kind) ? ExplainedError : RefusedAudioError;
	return new ErrorClass(message, advice);
}

/** A recording that cannot be converted. */
export class ConversionError extends Error {
	override readonly name = 'ConversionError';

	constructor(readonly obstacle: Obstacle) {
		super(obstacle.kind);
	}
}

/**
 * Finds out why a recording cannot be converted. Not by `instanceof`, because the published node and the file that it
 * loads to convert each contain a copy of the class (gulpfile.js).
 *
 * @returns undefined for any other error
 */
export function findObstacle(error: unknown): Obstacle | undefined {
	const isConversionError = error instanceof Error && error.name === 'ConversionError';
	return isConversionError ? (error as ConversionError).obstacle : undefined;
}

/** The error for a recording that does not follow its format, or that is cut off where it must not be. */
export function createDamagedError(): ConversionError {
	return new ConversionError({ kind: 'damaged' });
}
