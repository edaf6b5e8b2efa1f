import type { RateLimitBackoff } from './backoff';
import type { Batch } from './batch';
import type { Item } from './item';
import { checkEnvironment, type PreparedRequest } from './prepareRequest';

/** `admitted`, or why the call may not start: no call of the run may, or none may yet. */
export type Admission = 'admitted' | 'runEnded' | 'backoff';

/**
 * The only place that lets a call start. Called after the audio is open, directly before the request is handed to
 * n8n's client: opening the audio may have taken long, and other calls may have failed meanwhile.
 *
 * @throws UserError if the node does not allow the key that would be sent
 */
export function admit(
	item: Item,
	request: PreparedRequest,
	batch: Batch,
	backoff: RateLimitBackoff,
): Admission {
	if (batch.ended.aborted) return 'runEnded';
	if (backoff.inEffect) return 'backoff';
	checkEnvironment(item.read, request.access);
	return 'admitted';
}
