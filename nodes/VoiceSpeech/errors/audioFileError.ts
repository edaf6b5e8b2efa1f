import type { UserError } from 'n8n-workflow';

import { acceptedFormatsText, samplingRateText, voiceSampleLengthText } from '../service/endpoint';
import { describeFile } from './quote';
import { createUserError } from './userError';

export function createEmptyFileError(name: string): UserError {
	return createUserError(`${describeFile(name)} is empty`, 'Check the step that creates it.');
}

export const otherFormatAdvice = `Use a recording in another format, or convert it to ${acceptedFormatsText} with another program.`;

export const sendAnywayAdvice =
	"If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'.";

/** The first bytes of the file show a format that the service does not accept, and that the node does not convert. */
export function createFormatNotAcceptedError(
	format: { name: string; kind: string },
	name: string,
): UserError {
	const file = describeFile(name);
	// Sending a document to an operation that takes only audio would only cost a call.
	if (format.kind === 'other') {
		return createUserError(
			`${file} is not audio: its content is ${format.name}`,
			'Check which file the previous step outputs.',
		);
	}
	return createUserError(
		`${file} is ${format.name}, not ${acceptedFormatsText}`,
		`${otherFormatAdvice} ${sendAnywayAdvice}`,
	);
}

/** The first bytes of the file are not those of the format that it is declared as, or they are those of a later piece. */
export function createMissingStartError(format: string, name: string): UserError {
	const article = /^[MO]/.test(format) && format !== 'Matroska' ? 'an' : 'a';
	return createUserError(
		`${describeFile(name)} is not ${article} ${format} file: its beginning is missing`,
		`Check whether it plays. It may be a later piece of a recording that a browser sends in pieces: join them, from the first on. It may be encrypted, as the .enc files of WhatsApp are: decrypt it first. Or it is something else than its name or type says. ${sendAnywayAdvice}`,
	);
}

/** n8n's node Convert to File decoded a data address only up to a parameter, so that the audio is lost. */
export function createCutDataAddressError(name: string): UserError {
	return createUserError(
		`${describeFile(name)} is not audio: its content is the start of a data address`,
		"In front of the 'Convert to File' node, remove everything up to the comma of the address. For example, add an 'Edit Fields' node that sets the field to {{ $json.audio.split(',').pop() }}, with the name of your field.",
	);
}

/** Thrown only if the option 'Sample Check' is 'Reject'. */
export function createSampleNotRecommendedError(findings: string[]): UserError {
	return createUserError(
		`The sample differs from what the service asks for: ${findings.join(' ')}`,
		`Record ${voiceSampleLengthText} of a single speaker in a quiet place, at ${samplingRateText}. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'.`,
	);
}
