import { ConcurrencyLimiter } from '../../nodes/VoiceSpeech/execution/limiter';
import { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/retry';

/** The first try of a node run that n8n does not run again. */
export function newTry({
	stopsOnFailure = true,
	cancel,
}: { stopsOnFailure?: boolean | undefined; cancel?: AbortSignal | undefined } = {}): NodeRunTry {
	const limiter = new ConcurrencyLimiter(1);
	const run = { limiter, backoff: new RateLimitBackoff(), results: undefined, sent: new Map() };
	return new NodeRunTry(run, stopsOnFailure, cancel);
}
