import type { UserError } from 'n8n-workflow';

import { formatSeconds } from '../text/formatSeconds';
import { createUserError } from './userError';

/** The phases of a call that have a time limit. */
export type CallPhase = 'opening' | 'upload' | 'responseStart' | 'response';

/** A phase of a call exceeded its limit. */
export function createTimeoutError(phase: CallPhase, limitSeconds: number): UserError {
	const limit = formatSeconds(limitSeconds);
	switch (phase) {
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
		case 'response':
			return createUserError(
				`The response stalled for ${limit} and was stopped`,
				'Try again later.',
			);
	}
}
