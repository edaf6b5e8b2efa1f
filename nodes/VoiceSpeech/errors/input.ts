import { UserError } from 'n8n-workflow';

const unsent = 'Nothing was sent to the service.';

/** A parameter that must hold something is empty. */
export function emptyParameter(label: string): UserError {
	return new UserError(`'${label}' is empty`, {
		description: `Fill it in, or check the expression that should. ${unsent}`,
	});
}

/** An expression yields an object where a text is sent. */
export function objectAsText(field: string): UserError {
	return new UserError(`The field '${field}' would get an object and not a text`, {
		description: `Check the expression: it may mean one field of the object, or its JSON: {{ JSON.stringify(...) }}. ${unsent}`,
	});
}

/** A parameter that is no valid JSON. */
export function invalidJson(label: string, cause: Error): UserError {
	return new UserError(`'${label}' is not valid JSON (${cause.message})`, {
		description: `Correct it, or check the expression in it. ${unsent}`,
	});
}

/** Extra fields can only be merged into an object. */
export function bodyIsNoObject(): UserError {
	return new UserError("'Extra Fields' cannot be added to 'JSON Body', which is not an object", {
		description: `Put the fields into 'JSON Body', or make it an object. ${unsent}`,
	});
}

/** A row of 'Extra Fields' that can't be sent. */
export function extraFieldWithoutName(): UserError {
	return new UserError("A row of 'Extra Fields' has no name", {
		description: `Name the field or remove the row. ${unsent}`,
	});
}

/** The environment that the node is limited to is not the key's. */
export function wrongEnvironment(allowed: string, actual: string): UserError {
	return new UserError(
		`This node allows ${allowed} keys only, and the credential has a ${actual} key`,
		{
			description: `Choose another credential, or change 'Allowed Environment'. ${unsent}`,
		},
	);
}

/** The file's first bytes show that the service does not take it. */
export function formatNotAccepted(
	found: { name: string; kind: string } | undefined,
	name: string,
): UserError {
	const what = found === undefined ? 'in a format that could not be recognised' : found.name;
	const file = name === '' ? 'The file' : `The file '${name}'`;
	const howTo =
		found?.kind === 'other'
			? 'It is no recording: check which file the previous step outputs.'
			: 'Convert it first, e.g. with ffmpeg: ffmpeg -i input -ar 16000 -ac 1 output.flac.';
	return new UserError(`${file} is ${what}, and the service takes WAV, MP3, M4A and FLAC`, {
		description: `${howTo} If you know better, set the option 'Format Check' to 'Off'. ${unsent}`,
	});
}

/** A voice sample outside the documented recommendations. */
export function sampleNotRecommended(findings: string[]): UserError {
	return new UserError(
		`The sample does not follow the service's recommendations: ${findings.join(' ')}`,
		{
			description: `Record about 10 seconds of one speaker in a quiet place, at 16 kHz or more. To send it all the same, set the option 'Sample Check' to 'Warn' or 'Off'. ${unsent}`,
		},
	);
}

/** A recording of no bytes. */
export function emptyFile(name: string): UserError {
	return new UserError(name === '' ? 'The file is empty' : `The file '${name}' is empty`, {
		description: `Check the step that makes it. ${unsent}`,
	});
}

/** What an address leads to is no recording. */
export function noRecordingAt(found: string, beginning: string): UserError {
	return new UserError(`'Audio URL' leads to ${found}, not to a recording`, {
		description: `It begins: ${beginning} — The address may need a login, or lead to a page about the file instead of the file itself. ${unsent}`,
	});
}
