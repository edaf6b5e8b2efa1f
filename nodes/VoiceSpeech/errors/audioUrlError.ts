import type { UserError } from 'n8n-workflow';

import { joinTexts } from '../text/strings';
import { sendAnywayAdvice } from './audioFileError';
import { quoteText } from './quote';
import { QuotingError } from './quotingError';
import { createUserError } from './userError';

export function createNoAudioUrlError(): UserError {
	return createUserError(
		"'Audio URL' is empty",
		"Enter the address of a recording, or set 'Audio Source' to 'File From Previous Step'.",
	);
}

export function createInvalidAudioUrlError(url: string): UserError {
	return createUserError(
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
	return createUserError(
		`The audio could not be fetched from '${new URL(url).host}': ${problem}`,
		`Check 'Audio URL': it must lead to the audio file itself, without a login. ${lastSentence}`,
	);
}

/** A server does not report how long its audio is, which the header of a request must specify. */
export function createUnknownLengthError(): UserError {
	return createUserError(
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
): QuotingError {
	const useAnother = 'Use an address that leads to the audio file itself, without a login.';
	return new QuotingError(
		`'Audio URL' leads to ${found}, not to audio`,
		joinTexts([useAnother, downloadAdvice, canBeSent ? sendAnywayAdvice : '']),
		`The address returns '${start}'.`,
	);
}
