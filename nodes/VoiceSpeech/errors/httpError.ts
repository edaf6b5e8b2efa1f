import type { UserError } from 'n8n-workflow';

import { type CheckedCredential, keyPrefixes } from '../../../credentials/checkedCredential';
import { findOperationPath } from '../../../credentials/baseUrl';
import { acceptedFormatsText, type Endpoint } from '../service/endpoint';
import { getDebit, isGatewayFailure, isGatewayTimeout } from '../service/statusMeaning';
import { CallError, ExplainedError } from './bases';
import { formatSeconds, joinTexts, quoteText } from './quote';
import { possibleProxyResponse } from './responseError';

/** A response whose status is not a success. */
export interface ErrorResponse {
	status: number;
	/** The service's own words; empty if it sent none. */
	sentence: string;
	/** Whether the response is an HTML or XML page, which probably comes from a server in front of the service. */
	isPage?: boolean;
	/** The address that a redirect leads to. */
	location?: string | undefined;
	/** How long the service asks to wait, in seconds. */
	retryAfter?: number | undefined;
	/** How long the response took after the upload, in seconds; undefined if it came during the upload. */
	waitedSeconds?: number | undefined;
}

/** The call that got the response. */
export interface CallDetails
	extends Pick<CheckedCredential, 'environment' | 'baseUrl' | 'credentialLabel' | 'consoleLabel'> {
	endpoint: Endpoint;
	/** The requested voice; undefined for other operations. */
	voiceId?: unknown;
	/** Whether the request went through a proxy of the request options, which may have responded itself. */
	hasProxy?: boolean;
	/** Whether the node did not recognize the format of the file that it sent. */
	isUnrecognized?: boolean | undefined;
}

interface Explanation {
	message: string;
	advice: string;
}

/** Where in the node a recording is split, which needs no call. */
const splitOperation = "(resource 'Recording', operation 'Split')";

/**
 * Advice on a request that is too large (`size`), that takes too long (`time`) or whose format is not accepted (`format`),
 * by the kind of its body.
 */
const contentAdvice: Record<Endpoint['input'], { size: string; time: string; format: string }> = {
	audio: {
		time: `Send a smaller recording, or split it into parts first ${splitOperation}.`,
		size: `Split the recording into parts first ${splitOperation}, or save it as MP3 with 64 kbit/s and one channel.`,
		format: `Convert the recording to ${acceptedFormatsText}.`,
	},
	text: {
		time: 'Send a shorter text.',
		size: 'Send a shorter text, or split it.',
		format:
			'Ask your provider which content type this operation accepts: the node sends JSON, as documented.',
	},
	chosen: {
		time: `Send a shorter text, or a smaller recording, or split it into parts first ${splitOperation}.`,
		size: `Send a shorter text. Or split the recording into parts first ${splitOperation}, or save it as MP3 with 64 kbit/s and one channel.`,
		format: `Try another 'Input Type': the service does not document what this operation accepts. For recordings, try ${acceptedFormatsText}.`,
	},
};

function explainForbidden(
	{ isPage }: ErrorResponse,
	{ endpoint: { path, scope }, credentialLabel, consoleLabel }: CallDetails,
): Explanation {
	if (isPage === true) {
		return {
			message: 'A firewall or proxy probably refused the request',
			advice:
				'The response is a web page, so it probably does not come from the service. Ask the person who runs the firewall or proxy, or your provider, to let requests of n8n pass.',
		};
	}
	const needed =
		scope === undefined
			? `Ask your provider which scope ${path} needs: it is not documented.`
			: `The key needs the scope '${scope}'.`;
	return {
		message: 'The API key probably lacks a scope, or is for another product',
		advice: `${needed} The key must also have been created for this service: a key works with one product of the provider only. Create such a key in ${consoleLabel}, and put it into ${credentialLabel}.`,
	};
}

/** The voice ID as text, because an extra field of type JSON may give one of any type. */
function formatVoiceId(voiceId: unknown): string {
	return typeof voiceId === 'string' ? voiceId : JSON.stringify(voiceId);
}

/** Whether the service's own words mention a voice, so that a 404 is about the voice and not about the address. */
function namesVoice(
	{ sentence, isPage }: ErrorResponse,
	{ endpoint, voiceId }: CallDetails,
): boolean {
	// The address may contain the word too, and so may the title of a page.
	const isAboutAddress = isPage === true || sentence.includes(endpoint.path);
	return voiceId !== undefined && !isAboutAddress && /\b(voice|vc_)/i.test(sentence);
}

function explainUnknownVoice({ voiceId, environment }: CallDetails): Explanation {
	const other = environment === 'sandbox' ? 'live' : 'sandbox';
	const id = formatVoiceId(voiceId);
	const advice = `'Voice ID' is ${quoteText(id)}. Enter the voice_id that Clone returned, not the voice's name.`;
	// A name is wrong with any key.
	const onKeys = id.startsWith('vc_')
		? ` If Clone used a ${other} key: it is not documented whether ${environment} keys can use that voice.`
		: '';
	return { message: 'Voice not found', advice: `${advice}${onKeys}` };
}

function explainNotFound(details: CallDetails): Explanation {
	const { endpoint, voiceId } = details;
	return {
		message: voiceId === undefined ? `Not found: ${endpoint.path}` : 'Voice or address not found',
		advice: describeAddressCheck(details),
	};
}

function describeAddressCheck({ endpoint, baseUrl, voiceId }: CallDetails): string {
	const request = `The request went to '${baseUrl}${endpoint.path}'.`;
	const path = findOperationPath(baseUrl);
	if (path !== undefined) {
		return `Remove '${path}' from the end of the credential's 'Base URL': the node adds it itself. ${request}`;
	}
	if (voiceId === undefined) return `Check the credential's 'Base URL'. ${request}`;
	return `Check 'Voice ID', which is ${quoteText(formatVoiceId(voiceId))}: it must be the voice_id that Clone returned, not the voice's name. Then check the credential's 'Base URL'. ${request}`;
}

function describeCorrection({ input, path, returnsTranscript }: Endpoint): string {
	if (input === 'chosen') {
		return `If the service names a field, correct it. Otherwise try another 'Input Type', or ask your provider what ${path} expects: it is not documented.`;
	}
	const advice = "Correct the field that the service names, or add it with 'Extra Fields'.";
	if (returnsTranscript !== true) return advice;
	return `${advice} If it names none and 'Language' is empty, enter a code such as 'en': it is not documented whether the service needs one.`;
}

/** How long the service asks to wait, in a sentence; empty if it does not. */
function describeWait({ retryAfter }: ErrorResponse): string {
	if (retryAfter === undefined || retryAfter === 0) return '';
	return ` The service asks to wait ${formatSeconds(Math.ceil(retryAfter))}.`;
}

/** How long a proxy waited, as the end of a sentence; empty if it is unknown. */
function describeProxyWait({ waitedSeconds }: ErrorResponse): string {
	if (waitedSeconds === undefined) return '';
	const seconds = Math.round(waitedSeconds);
	return seconds === 0 ? ' after less than a second' : ` after ${formatSeconds(seconds)}`;
}

function explainGatewayTimeout(response: ErrorResponse, { endpoint }: CallDetails): Explanation {
	return {
		message: `A proxy in front of the service stopped waiting${describeProxyWait(response)}`,
		advice: `The service may still be processing the call, and the same request may end in the same way. ${contentAdvice[endpoint.input].time} Or ask your provider how long the proxy waits.${describeWait(response)}`,
	};
}

/** Explains a status that has no explanation of its own. */
function explainOtherStatus(response: ErrorResponse): Explanation {
	const { status, location } = response;
	const category = Math.floor(status / 100);
	if (category === 5) {
		return { message: 'The service failed', advice: `Try again later.${describeWait(response)}` };
	}
	// 304 leads nowhere (RFC 9110, 15.4.5).
	const isRedirect = category === 3 && status !== 304;
	if (isRedirect) {
		const target = location ? ` to ${quoteText(location)}` : '';
		return {
			message: 'The service redirects to another address',
			advice: `The key is never sent along a redirect${target}. If the service has moved, put the new address into the credential's 'Base URL'.`,
		};
	}
	return {
		message: 'The service responded with an unexpected status',
		advice: `Ask your provider what status ${status} means.`,
	};
}

/** Explains a status by its meaning in HTTP (RFC 9110, 15; RFC 6585, 4), because the service documents none. */
function explainStatus(response: ErrorResponse, details: CallDetails): Explanation {
	const { endpoint, environment, credentialLabel, consoleLabel } = details;
	const { size, format } = contentAdvice[endpoint.input];
	if (isGatewayTimeout(response.status)) return explainGatewayTimeout(response, details);
	if (isGatewayFailure(response.status)) {
		return {
			message: 'A proxy in front of the service got no usable response from it',
			advice: `Try again later, or ask your provider.${describeWait(response)}`,
		};
	}
	switch (response.status) {
		case 400:
		case 422:
			return {
				message: 'The service did not accept the request',
				advice: describeCorrection(endpoint),
			};
		case 401:
			return {
				message: 'The service does not accept the API key',
				advice: `The key may be mistyped or revoked. Copy it again from ${consoleLabel}, or create a new one there, and put it into ${credentialLabel}.`,
			};
		case 402:
			return {
				// A question, because the service does not document the status.
				message: `Not enough credits in the ${environment} wallet?`,
				advice: `Keys that start with ${keyPrefixes[environment]} debit this wallet. Ask your provider how to add credits to it, or look in ${consoleLabel}. Then send again what failed.`,
			};
		case 403:
			return explainForbidden(response, details);
		case 404:
			return namesVoice(response, details)
				? explainUnknownVoice(details)
				: explainNotFound(details);
		case 405:
			return {
				message: 'This address does not accept calls',
				advice: `The credential's 'Base URL' probably leads to another server or path. ${describeAddressCheck(details)}`,
			};
		case 407:
			return {
				message: 'The proxy requires a login',
				advice:
					"Put the user name and password into 'Proxy' in the request options: http://user:password@host:port.",
			};
		case 408:
			return {
				message: 'The service stopped waiting for the request',
				advice: 'Check the network, then try again.',
			};
		case 413:
			return {
				message: 'The request is too large for the service',
				advice: `${size} The limit is not documented.`,
			};
		case 415:
			return { message: 'The service does not accept this format', advice: format };
		case 429:
			return {
				message: 'The service is receiving too many requests',
				advice: `Try again later.${describeWait(response)} Lower the option 'Concurrency', or raise 'Rate Limit Retries' and 'Max Retry Wait (Seconds)'.`,
			};
		default:
			return explainOtherStatus(response);
	}
}

/** The error for a response that is not a success, with the service's own words and what to do next. */
export function createHttpError(response: ErrorResponse, details: CallDetails): CallError {
	const { message, advice } = explainStatus(response, details);
	const { status, sentence, retryAfter } = response;
	const words = sentence === '' ? '' : `: ${sentence}`;
	const debit = getDebit(status, retryAfter);
	const mayBeAboutFile = details.isUnrecognized === true && [400, 415, 422].includes(status);
	const file = mayBeAboutFile
		? "The node did not recognize the file's format: check whether it plays."
		: '';
	// The advice on a 407 is about the proxy.
	const mayBeOfProxy = details.hasProxy === true && status !== 407;
	const sender = mayBeOfProxy ? possibleProxyResponse : '';
	const description = joinTexts([file, advice, sender]);
	return new CallError(`${message} (${status})${words}`, description, { status, debit });
}

/**
 * An item was not sent, because the service refused the key, or its wallet, in the call of another item.
 *
 * @param index of the item that failed; n8n's own messages count from 0 too
 * @param reason the message of its error, without its key
 * @param blocked the item that was not sent: the name of its file, which may be empty, and whether it was sent before, in
 * this try of Retry On Fail or in an earlier one
 */
export function createRefusedKeyError(
	index: number,
	reason: string,
	{ fileName, wasSent }: { fileName: string; wasSent: boolean },
): UserError {
	const again = wasSent ? ' again' : '';
	const file = fileName === '' ? '' : ` (${quoteText(fileName)})`;
	const position = index === 0 ? 'the first' : 'the first is item 0';
	return new ExplainedError(
		`This item${file} was not sent${again}, because item ${index} (${position}) was refused: ${reason}`,
		'Solve this first, then run the remaining items again.',
	);
}
