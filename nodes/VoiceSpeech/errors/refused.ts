import { keyPrefixes, type Environment } from '../../../credentials/apiKey';
import type { Endpoint } from '../endpoint';
import { CallError, maybeDebited } from './callError';

/** An answer that is no success. */
export interface RefusedAnswer {
	status: number;
	/** The service's own sentence, empty where it sent none. */
	sentence: string;
	/** Where a redirect points to. */
	location?: string | undefined;
	/** How long the service asked to wait, in seconds. */
	retryAfter?: number;
}

/** What is known of the call that was refused. */
export interface CallFacts {
	endpoint: Endpoint;
	environment: Environment;
}

function scopeAdvice({ path, scope }: Endpoint): string {
	const needed =
		scope === undefined
			? `Which scope ${path} needs is not documented by the service: ask your provider.`
			: `This operation needs a key with the scope '${scope}'.`;
	return `${needed} A key of another product is refused too. Create a fitting key in the service's console and put it into the credential.`;
}

/** What to do about a request that is too large, by what it carries. */
const smaller: Record<Endpoint['body'], string> = {
	audio: 'Send a shorter or compressed recording (MP3 or M4A), or split it.',
	json: 'Send a shorter text, or split it.',
	chosen: 'Send a shorter or compressed recording (MP3 or M4A), or a shorter text.',
};

/** What to do about a format that the service does not take, by what the request carries. */
const otherFormat: Record<Endpoint['body'], string> = {
	audio: 'Convert the recording to WAV, MP3, M4A or FLAC first.',
	json: 'Ask your provider which content type this operation takes: the node sends JSON, as documented.',
	chosen:
		"Try another 'Input Type': the service does not document what this operation takes. Of recordings, WAV, MP3, M4A and FLAC are the likeliest.",
};

/** What happened and what to do, by status (contract, Errors). The service documents no status codes: these are HTTP's usual meanings. */
function explain(answer: RefusedAnswer, facts: CallFacts): [what: string, whatNext: string] {
	const { status, location, retryAfter } = answer;
	const { environment, endpoint } = facts;
	switch (status) {
		case 400:
		case 422:
			return [
				'The service did not accept what was sent',
				"Correct the field it names. A field it wants in addition can be sent with 'Extra Fields'.",
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
			return ['The API key is not allowed to do this', scopeAdvice(endpoint)];
		case 404:
		case 405:
			return [
				`The service did not find what was asked for at ${endpoint.path}`,
				endpoint.required?.some(({ name }) => name === 'voiceId')
					? "If the service names the voice, check 'Voice ID': it may be mistyped or deleted. Else check the credential's 'Base URL'."
					: "Check the credential's 'Base URL'.",
			];
		case 413:
			return [
				'The service finds the request too large',
				`${smaller[endpoint.body]} The limit is not documented.`,
			];
		case 415:
			return ['The service does not take this format', otherFormat[endpoint.body]];
		case 429:
			return [
				'The service is receiving too many requests',
				`${retryAfter === undefined ? 'It does not say how long to wait.' : `It asks to wait ${Math.ceil(retryAfter)} seconds.`} Lower the option 'Concurrency', or raise 'Rate Limit Retries' and 'Max Retry Wait (Seconds)'.`,
			];
	}
	if (status < 400) {
		return [
			`The service redirects to another address${location === undefined ? '' : ` (${location})`}`,
			"The key is never sent along a redirect. If the service has moved, put the new address into the credential's 'Base URL'.",
		];
	}
	if (status >= 500) {
		const wait =
			retryAfter === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfter)} seconds.`;
		return ['The service is at fault', `Try again later.${wait} ${maybeDebited}`];
	}
	return ['The service refused the call', 'Ask your provider what this status means.'];
}

/** The error for an answer that is no success: the service's own sentence, and what to do next. */
export function refusedBy(answer: RefusedAnswer, facts: CallFacts): CallError {
	const [what, whatNext] = explain(answer, facts);
	const sentence = answer.sentence === '' ? '' : `: ${answer.sentence}`;
	return new CallError(`${what} (status ${answer.status})${sentence}`, whatNext, answer.status);
}
