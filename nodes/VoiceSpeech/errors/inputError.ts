import type { UserError } from 'n8n-workflow';

import { maxTimerMs } from '../limits';
import { toStringOrEmpty } from '../text/json';
import { ExplainedError } from './bases';
import { joinTexts, quoteText } from './quote';

export function createEmptyParameterError(label: string): UserError {
	return new ExplainedError(`'${label}' is empty`, 'Fill it in, or check its expression.');
}

/** An expression returns an object or an array where a string is sent. */
export function createObjectAsTextError(label: string, isArray: boolean): UserError {
	const found = isArray ? 'a list' : 'an object';
	const advice = isArray
		? 'Choose one entry of the list, or use Split Out before this node to make an item of each.'
		: 'Choose one field of the object. If it is a date such as $now, add .toISO().';
	return new ExplainedError(
		`'${label}' must be a text, but its expression returns ${found}`,
		advice,
	);
}

export function createInvalidJsonError(label: string, cause: Error): UserError {
	return new ExplainedError(
		`'${label}' is not valid JSON (${cause.message})`,
		'Correct it. To put a value into it, write it like { "text": {{ JSON.stringify($json.text) }} }, without quotation marks around {{ }}.',
	);
}

/** Extra fields can only be merged into an object. */
export function createBodyNotObjectError(): UserError {
	return new ExplainedError(
		"'Extra Fields' cannot be added to 'JSON Body', which is not an object",
		"Put the fields into 'JSON Body', or make it an object.",
	);
}

/** Resource or Operation is an expression, or not in its list. */
export function createOperationNotChosenError(): UserError {
	return new ExplainedError(
		"'Resource' and 'Operation' must be chosen from their lists",
		'An expression cannot choose them. To run different operations, use one node for each, after a Switch node.',
	);
}

/** The start of a value that an expression returns, in quotation marks. */
function quoteValue(value: unknown): string {
	// The text of an object says nothing, and making it may throw.
	if (typeof value === 'object' && value !== null) return 'an object';
	return quoteText(String(value));
}

/** Only an expression can return such a value, because n8n's panel offers a list. */
export function createNotAChoiceError(label: string, value: unknown, choices: string[]): UserError {
	return new ExplainedError(
		`'${label}' is ${quoteValue(value)}, which is not one of its choices`,
		`Check the expression: it must return ${choices.map((one) => `'${one}'`).join(' or ')}.`,
	);
}

/** Only an expression can return such a value, because n8n's panel offers a switch. */
export function createNotABooleanError(label: string, value: unknown): UserError {
	return new ExplainedError(
		`'${label}' is ${quoteValue(value)}, not true or false`,
		'Check the expression: it must return true or false.',
	);
}

/** A value is not a number, or is outside of its limits. */
export function createNotANumberError(
	label: string,
	value: unknown,
	minimum: number,
	maximum: number | undefined,
): UserError {
	const limits = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
	return new ExplainedError(
		`'${label}' is ${quoteValue(value)}, not a number ${limits}`,
		'Correct the value, or its expression. An option can also be removed, to use its default.',
	);
}

/** An option gives a field the name of another field. */
export function createFieldNameCollisionError(option: string, name: string): UserError {
	return new ExplainedError(
		`The option '${option}' is ${quoteText(name)}, which is the name of another field`,
		'Choose another name, or remove the option.',
	);
}

/** @param label of the rows, such as 'Extra Fields' */
export function createUnnamedRowError(label: string): UserError {
	return new ExplainedError(`A row of '${label}' has no name`, 'Enter a name, or remove the row.');
}

/** Two rows of 'Extra Fields' have the same name, and the request is JSON. */
export function createDuplicateFieldError(name: string): UserError {
	return new ExplainedError(
		`'Extra Fields' has two rows for ${quoteText(name)}`,
		'JSON would keep only one of them. Remove the other, or give the field one value of the type JSON, such as a list.',
	);
}

/** A row of the option 'Headers' has characters that HTTP does not allow. */
export function createInvalidHeaderError(name: string): UserError {
	return new ExplainedError(
		`The option 'Headers' has a row that is not a valid header: ${quoteText(name)}`,
		'A name has no white space and no colon, and a value is one line without special characters.',
	);
}

/** n8n's client would send only one of two headers with the same name. */
export function createDuplicateHeaderError(name: string): UserError {
	return new ExplainedError(
		`The option 'Headers' has two rows for ${quoteText(name)}`,
		'Remove one of them.',
	);
}

/** @param reason why a row of the option 'Headers' cannot be sent, as a sentence */
export function createHeaderNotAllowedError(name: string, reason: string): UserError {
	return new ExplainedError(
		`The option 'Headers' cannot set ${quoteText(name)}`,
		`${reason} Remove the row.`,
	);
}

/** @param option whose link n8n cannot create */
export function createNoLinkError(option: string): UserError {
	return new ExplainedError(
		`The option '${option}' needs an n8n that stores files, and this one keeps them in memory`,
		'Remove the option, or ask whoever runs your n8n to set N8N_DEFAULT_BINARY_DATA_MODE to filesystem, or to database with queue mode.',
	);
}

export function createInvalidProxyError(): UserError {
	return new ExplainedError(
		"'Proxy' in the request options is not a valid address",
		"Enter it like 'http://user:password@host:port'.",
	);
}

export function createInvalidTimeoutError(): UserError {
	return new ExplainedError(
		"'Timeout' in the request options is not a valid number of milliseconds",
		`Enter a number from 0 to ${maxTimerMs}, or remove it.`,
	);
}

/** The proxy could read the key, and is not in a private network. */
export function createPublicProxyError(): UserError {
	return new ExplainedError(
		"'Proxy' in the request options would get the key unencrypted",
		"The credential's 'Base URL' starts with 'http://', and the proxy is public. Use a 'Base URL' that starts with 'https://', or a proxy in your own network.",
	);
}

export function createWrongEnvironmentError(
	allowed: string,
	actual: string,
	credentialLabel: string,
): UserError {
	return new ExplainedError(
		`This node allows ${allowed} keys only, and ${credentialLabel} has a ${actual} key`,
		"Choose another credential, or change 'Allowed Keys'.",
	);
}

/** An error of n8n while it resolved a parameter or read the credential, in n8n's own words. */
export function createNotPreparedError(error: unknown): UserError {
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	return new ExplainedError(
		toStringOrEmpty(message) || String(error),
		toStringOrEmpty(description),
	);
}

const noFilePage =
	'https://github.com/n8n-nodes-voice-speech/n8n-nodes-voice-speech/blob/main/docs/troubleshooting.md#the-item-has-no-file';

/**
 * The item has no file at all.
 *
 * @param isTool whether an agent calls the node as a tool
 * @param earlierStep name of a step before the previous one; undefined if there is none
 */
export function createNoFileError({
	isTool,
	earlierStep = 'Form',
}: {
	isTool: boolean;
	earlierStep: string | undefined;
}): UserError {
	const advice = isTool
		? "An agent passes no files to its tools: set 'Audio Source' to 'URL'."
		: `The previous step outputs no file, or it was empty: forms drop files of 0 bytes. Add the step that downloads the file, or set 'Input Data Field Name' to the file of an earlier step, such as {{ $('${earlierStep}').item.binary.data }}. ${noFilePage}`;
	return new ExplainedError('The item has no file', advice);
}

/** An item whose files are in other fields than the requested one. */
interface MissingField {
	/** The field that was looked for. */
	fieldName: string;
	/** The fields that have a file, at least one. */
	fileFields: string[];
	/** The field that n8n's Split Out node must split to make an item of each file. */
	splitField: '$binary' | '_files';
}

/** Says which fields of the item have a file. */
function listFileFields(fileFields: string[]): string {
	const names = fileFields.map(quoteText).join(', ');
	return `Set 'Input Data Field Name' to one of the item's fields with a file: ${names}.`;
}

/** An expression returns an object that is not a file, and the item has files. */
export function createNotFileError(fileFields: string[]): UserError {
	return new ExplainedError(
		"'Input Data Field Name' is an object that is not a file",
		`An expression finds files below 'binary', not below 'json'. ${listFileFields(fileFields)}`,
	);
}

/** How to use each file, if there are several. In json, Split Out finds no file by `$binary`, and outputs nothing. */
function describeSplitting({ fieldName, fileFields, splitField }: MissingField): string {
	if (fileFields.length < 2) return '';
	const settings =
		splitField === '$binary'
			? "to '$binary'"
			: `to '${splitField}' and its 'Destination Field Name' to 'data'`;
	const choose =
		fieldName === 'data'
			? "leave 'Input Data Field Name' at 'data'"
			: "set 'Input Data Field Name' to 'data'";
	return `To use each file, add a Split Out node before this one, set its 'Fields To Split Out' ${settings}, and ${choose}. To see which file a result belongs to, turn on the option 'Include Input Fields'.`;
}

/** The item has files, but not in the requested field. */
export function createNoSuchFieldError(missing: MissingField): UserError {
	return new ExplainedError(
		`The item has no file in the field ${quoteText(missing.fieldName)}`,
		joinTexts([
			missing.fieldName === '' ? "The expression in 'Input Data Field Name' returns nothing." : '',
			listFileFields(missing.fileFields),
			describeSplitting(missing),
		]),
	);
}
