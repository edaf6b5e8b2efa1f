import { UserError } from 'n8n-workflow';

/** A parameter that must hold something is empty. */
export function emptyParameter(label: string): UserError {
	return new UserError(`'${label}' is empty`, {
		description: `Fill it in, or check the expression that should.`,
	});
}

/** An expression yields an object where a text is sent. */
export function objectAsText(field: string): UserError {
	return new UserError(`The field '${field}' would get an object and not a text`, {
		description: `Check the expression: it may mean one field of the object, or its JSON: {{ JSON.stringify(...) }}.`,
	});
}

/** A parameter that is no valid JSON. */
export function invalidJson(label: string, cause: Error): UserError {
	return new UserError(`'${label}' is not valid JSON (${cause.message})`, {
		description: `Correct it, or check the expression in it.`,
	});
}

/** Extra fields can only be merged into an object. */
export function bodyIsNotObject(): UserError {
	return new UserError("'Extra Fields' cannot be added to 'JSON Body', which is not an object", {
		description: `Put the fields into 'JSON Body', or make it an object.`,
	});
}

/** An expression yields something else than one of the choices. */
export function notAChoice(label: string, value: unknown, choices: string[]): UserError {
	return new UserError(`'${label}' is '${String(value)}', which is not one of its choices`, {
		description: `Check the expression: it must yield ${choices.map((one) => `'${one}'`).join(' or ')}.`,
	});
}

/** An option gives a field the name of another field. */
export function fieldNameCollides(option: string, name: string): UserError {
	return new UserError(`The option '${option}' is '${name}', which is the name of another field`, {
		description: `Both cannot be sent under one name. Choose another name, or remove the option.`,
	});
}

/** A row of 'Extra Fields' without a name. */
export function extraFieldWithoutName(): UserError {
	return new UserError("A row of 'Extra Fields' has no name", {
		description: `Name the field or remove the row.`,
	});
}

/** The environment that the node is limited to is not the key's. */
export function wrongEnvironment(allowed: string, actual: string): UserError {
	return new UserError(
		`This node allows ${allowed} keys only, and the credential has a ${actual} key`,
		{
			description: `Choose another credential, or change 'Allowed Environment'.`,
		},
	);
}

/** The first bytes of the file show a format that the service does not accept. */
export function formatNotAccepted(found: { name: string; kind: string }, name: string): UserError {
	const file = name === '' ? 'The file' : `The file '${name}'`;
	const advice =
		found.kind === 'other'
			? 'This is not an audio file: check which file the previous step outputs.'
			: 'Convert it first, e.g. with ffmpeg: ffmpeg -i input -ar 16000 -ac 1 output.flac.';
	return new UserError(`${file} is ${found.name}, and the service takes WAV, MP3, M4A and FLAC`, {
		description: `${advice} If the service accepts it anyway, set the option 'Format Check' to 'Off'.`,
	});
}

/** A voice sample outside the documented recommendations. */
export function sampleNotRecommended(findings: string[]): UserError {
	return new UserError(
		`The sample does not follow the service's recommendations: ${findings.join(' ')}`,
		{
			description: `Record about 10 seconds of one speaker in a quiet place, at 16 kHz or more. To send it anyway, set the option 'Sample Check' to 'Warn' or 'Off'.`,
		},
	);
}

/** An empty audio file. */
export function emptyFile(name: string): UserError {
	return new UserError(name === '' ? 'The file is empty' : `The file '${name}' is empty`, {
		description: `Check the step that makes it.`,
	});
}

/** An audio URL leads to something else. */
export function notAudioAt(found: string, beginning: string): UserError {
	return new UserError(`'Audio URL' leads to ${found}, not to audio`, {
		description: `It starts with: ${beginning} — The address may need a login, or lead to a page about the file instead of the file itself.`,
	});
}
