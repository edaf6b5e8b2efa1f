import { keyPrefixes, type Environment } from '../../../credentials/apiKey';
import { operationPathIn } from '../../../credentials/baseUrl';
import type { Endpoint } from '../endpoint';
import { CallError } from './callError';
import { documentedFormats } from './inputError';

/** A response whose status is not a success. */
export interface ErrorResponse {
	status: number;
	/** The service's own words; empty if it sent none. */
	sentence: string;
	/** The address that a redirect leads to. */
	location?: string | undefined;
	/** How long the service asks to wait, in seconds. */
	retryAfter?: number | undefined;
}

/** The call that got the response. */
export interface CallFacts {
	endpoint: Endpoint;
	/** Of the key that was sent. */
	environment: Environment;
	baseUrl: string;
	/** The voice that was to speak; undefined for other operations. */
	voiceId?: unknown;
}

/** What to do about a request that is too large, by what it carries. */
const smaller: Record<Endpoint['body'], string> = {
	audio: 'Send a shorter or compressed recording (MP3 or M4A), or split it.',
	json: 'Send a shorter text, or split it.',
	chosen: 'Send a shorter or compressed recording (MP3 or M4A), or a shorter text.',
};

/** What to do about a format that the service does not accept, by what the request carries. */
const otherFormat: Record<Endpoint['body'], string> = {
	audio: `Convert the recording to ${documentedFormats}.`,
	json: 'Ask your provider which content type this operation accepts: the node sends JSON, as documented.',
	chosen: `Try another 'Input Type': the service does not document what this operation accepts. For recordings, try ${documentedFormats}.`,
};

function forbiddenAdvice({ path, scope }: Endpoint): string {
	const needed =
		scope === undefined
			? `The service does not document which scope ${path} needs: ask your provider.`
			: `This operation needs a key of this product with the scope '${scope}'.`;
	return `${needed} Create a key in the service's console and put it into the credential.`;
}

function notFoundAdvice({ endpoint, baseUrl, voiceId }: CallFacts): string {
	const request = `The request went to '${baseUrl}${endpoint.path}'.`;
	const path = operationPathIn(baseUrl);
	if (path !== undefined) {
		return `Remove '${path}' from the end of the credential's 'Base URL': the node adds it itself. ${request}`;
	}
	return voiceId === undefined
		? `Check the credential's 'Base URL'. ${request}`
		: `Check 'Voice ID', which is '${String(voiceId)}', and the credential's 'Base URL'. ${request}`;
}

/** The service documents no status codes: these are HTTP's meanings (RFC 9110, 15; RFC 6585, 4). */
function explain(
	{ status, location, retryAfter }: ErrorResponse,
	facts: CallFacts,
): [message: string, advice: string] {
	const { endpoint, environment } = facts;
	const wait =
		retryAfter === undefined ? '' : ` The service asks to wait ${Math.ceil(retryAfter)} seconds.`;
	switch (status) {
		case 400:
		case 422:
			return [
				'The service did not accept the request',
				"Correct the field that the service names. If it needs another field, add it with 'Extra Fields'.",
			];
		case 401:
			return [
				'The service does not accept the API key',
				"The key may be mistyped or revoked. Copy it again from the service's console, or create a new one there, and put it into the credential.",
			];
		case 402:
			return [
				`The ${environment} wallet has no credits left for this call`,
				`Keys that start with ${keyPrefixes[environment]} debit the ${environment} wallet: top it up in the service's console.`,
			];
		case 403:
			return ['The API key is not allowed to do this', forbiddenAdvice(endpoint)];
		case 404:
		case 405:
			return [`Not found: ${endpoint.path}`, notFoundAdvice(facts)];
		case 407:
			return [
				'The proxy requires a login',
				"Put the user name and password into 'Proxy' in the request options: http://user:password@host:port.",
			];
		case 408:
			return ['The service stopped waiting for the request', 'Check the network, then try again.'];
		case 413:
			return [
				'The request is too large for the service',
				`${smaller[endpoint.body]} The limit is not documented.`,
			];
		case 415:
			return ['The service does not accept this format', otherFormat[endpoint.body]];
		case 429:
			return [
				'The service is receiving too many requests',
				`Try again later.${wait} Lower the option 'Concurrency', or raise 'Rate Limit Retries' and 'Max Retry Wait (Seconds)'.`,
			];
	}
	if (status >= 500) return ['The service failed', `Try again later.${wait}`];
	// 304 leads nowhere (RFC 9110, 15.4.5).
	if (status < 400 && status !== 304) {
		const target = location === undefined ? '' : ` to '${location}'`;
		return [
			'The service redirects to another address',
			`The key is never sent along a redirect${target}. If the service has moved, put the new address into the credential's 'Base URL'.`,
		];
	}
	return [
		'The service responded with an unexpected status',
		`Ask your provider what status ${status} means.`,
	];
}

/**
 * Whether the service may have done its work: a redirect may follow it (RFC 9110, 15.4.4). With Retry-After, a 503 is
 * sent before any work (15.6.4).
 */
function mayHaveWorked({ status, retryAfter }: ErrorResponse): boolean {
	if (status === 503 && retryAfter !== undefined) return false;
	return status < 400 || status === 408 || status >= 500;
}

/** The error for a response that is not a success: the service's own words, and what to do next. */
export function httpError(response: ErrorResponse, facts: CallFacts): CallError {
	const [message, advice] = explain(response, facts);
	const { status, sentence } = response;
	const words = sentence === '' ? '' : `: ${sentence}`;
	const debit = mayHaveWorked(response) ? { debit: 'possible' as const } : {};
	return new CallError(`${message} (${status})${words}`, advice, { status, ...debit });
}
