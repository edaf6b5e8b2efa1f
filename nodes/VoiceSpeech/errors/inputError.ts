import type { UserError } from 'n8n-workflow';

import { maxTimerMs } from '../limits';
import { toStringOrEmpty } from '../text/strings';
import { quoteText } from './quote';
import { createUserError } from './userError';

export function createEmptyParameterError(label: string): UserError {
	return createUserError(`'${label}' is empty`, 'Fill it in, or check its expression.');
}

/** An expression returns an object or an array where a string is sent. */
export function createObjectAsTextError(label: string, isArray: boolean): UserError {
	const found = isArray ? 'a list' : 'an object';
	const advice = isArray
		? 'Choose one entry of the list, or use Split Out before this node to make an item of each.'
		: 'Choose one field of the object. If it is a date such as $now, add .toISO().';
	return createUserError(`'${label}' must be a text, but its expression returns ${found}`, advice);
}

export function createInvalidJsonError(label: string, cause: Error): UserError {
	return createUserError(
		`'${label}' is not valid JSON (${cause.message})`,
		'Correct it. To put a value into it, write it like { "text": {{ JSON.stringify($json.text) }} }, without quotation marks around {{ }}.',
	);
}

/** Extra fields can only be merged into an object. */
export function createBodyNotObjectError(): UserError {
	return createUserError(
		"'Extra Fields' cannot be added to 'JSON Body', which is not an object",
		"Put the fields into 'JSON Body', or make it an object.",
	);
}

/** Resource or Operation is an expression, or not in its list. */
export function createOperationNotChosenError(): UserError {
	return createUserError(
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
	return createUserError(
		`'${label}' is ${quoteValue(value)}, which is not one of its choices`,
		`Check the expression: it must return ${choices.map((one) => `'${one}'`).join(' or ')}.`,
	);
}

/** Only an expression can return such a value, because n8n's panel offers a switch. */
export function createNotABooleanError(label: string, value: unknown): UserError {
	return createUserError(
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
	return createUserError(
		`'${label}' is ${quoteValue(value)}, not a number ${limits}`,
		'Correct the value, or its expression, or remove the option to use its default.',
	);
}

/** An option gives a field the name of another field. */
export function createFieldNameCollisionError(option: string, name: string): UserError {
	return createUserError(
		`The option '${option}' is ${quoteText(name)}, which is the name of another field`,
		'Choose another name, or remove the option.',
	);
}

/** @param label of the rows, such as 'Extra Fields' */
export function createUnnamedRowError(label: string): UserError {
	return createUserError(`A row of '${label}' has no name`, 'Enter a name, or remove the row.');
}

/** Two rows of 'Extra Fields' have the same name, and the request is JSON. */
export function createDuplicateFieldError(name: string): UserError {
	return createUserError(
		`'Extra Fields' has two rows for ${quoteText(name)}`,
		'JSON would keep only one of them. Remove the other, or give the field one value of the type JSON, such as a list.',
	);
}

/** A row of the option 'Headers' has characters that HTTP does not allow. */
export function createInvalidHeaderError(name: string): UserError {
	return createUserError(
		`The option 'Headers' has a row that is not a valid header: ${quoteText(name)}`,
		'A name has no white space and no colon, and a value is one line without special characters.',
	);
}

/** n8n's client would send only one of two headers with the same name. */
export function createDuplicateHeaderError(name: string): UserError {
	return createUserError(
		`The option 'Headers' has two rows for ${quoteText(name)}`,
		'Remove one of them.',
	);
}

/** @param reason why a row of the option 'Headers' cannot be sent, as a sentence */
export function createHeaderNotAllowedError(name: string, reason: string): UserError {
	return createUserError(
		`The option 'Headers' cannot set ${quoteText(name)}`,
		`${reason} Remove the row.`,
	);
}

/** @param option whose link n8n cannot create */
export function createNoLinkError(option: string): UserError {
	return createUserError(
		`The option '${option}' needs an n8n that stores files, and this one keeps them in memory`,
		'Remove the option, or ask whoever runs your n8n to set N8N_DEFAULT_BINARY_DATA_MODE to filesystem, or to database with queue mode.',
	);
}

export function createInvalidProxyError(): UserError {
	return createUserError(
		"'Proxy' in the request options is not a valid address",
		"Enter it like 'http://user:password@host:port'.",
	);
}

export function createInvalidTimeoutError(): UserError {
	return createUserError(
		"'Timeout' in the request options is not a valid number of milliseconds",
		`Enter a number from 0 to ${maxTimerMs}, or remove it.`,
	);
}

/** The proxy could read the key, and is not in a private network. */
export function createPublicProxyError(): UserError {
	return createUserError(
		"'Proxy' in the request options would get the key unencrypted",
		"The credential's 'Base URL' starts with 'http://', and the proxy is public. Use a 'Base URL' that starts with 'https://', or a proxy in your own network.",
	);
}

export function createWrongEnvironmentError(
	allowed: string,
	actual: string,
	credentialLabel: string,
): UserError {
	return createUserError(
		`This node allows ${allowed} keys only, and ${credentialLabel} has a ${actual} key`,
		"Choose another credential, or change 'Allowed Keys'.",
	);
}

/** An error of n8n while it resolved a parameter or read the credential, in n8n's own words. */
export function createNotPreparedError(error: unknown): UserError {
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	return createUserError(toStringOrEmpty(message) || String(error), toStringOrEmpty(description));
}
