import type { UserError } from 'n8n-workflow';

import { formatSeconds } from '../text/formatSeconds';
import { createUserError } from './userError';

/** The phases of a call that have a time limit. */
export type CallPhase = 'opening' | 'upload' | 'responseStart' | 'response';

/** A limit of a phase, or n8n's own 'Timeout', which limits the time to the response. */
export type CallLimit = CallPhase | 'timeout';

/** The response did not begin within n8n's own 'Timeout'. */
export const timeoutExplanation = {
	message: "The service did not respond within the 'Timeout' of the request options",
	advice: "Raise it, or remove it: then the option 'Response Timeout (Seconds)' applies.",
};

/** A call exceeded one of its limits. */
export function createTimeoutError(exceeded: CallLimit, limitSeconds: number): UserError {
	const limit = formatSeconds(limitSeconds);
	switch (exceeded) {
		case 'opening':
			return createUserError(
				`The audio stalled for ${limit} before the upload began`,
				'Check the server that the audio comes from.',
			);
		case 'upload':
			return createUserError(
				`The upload stalled for ${limit} and was stopped`,
				'Check the network, and the server that the audio comes from.',
			);
		case 'responseStart':
			return createUserError(
				`The service did not respond within ${limit} after the upload`,
				"If long recordings or texts need more time, raise the option 'Response Timeout (Seconds)'.",
			);
		case 'timeout':
			return createUserError(timeoutExplanation.message, timeoutExplanation.advice);
		case 'response':
			return createUserError(
				`The response stalled for ${limit} and was stopped`,
				'Try again later.',
			);
	}
}
