import type { INodePropertyRouting } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import { paginationHook } from './paginationHook';

/** The routing of an operation: the request that n8n's RoutingNode builds, and the hook that sends it. */
export function route(endpoint: Endpoint): INodePropertyRouting {
	return {
		request: {
			method: 'POST',
			url: endpoint.path,
			// A response may be larger than the memory.
			encoding: 'stream',
			// The hook judges every status; otherwise n8n repeats a call that was answered with 401.
			ignoreHttpStatusErrors: true,
			// A redirect would carry the key to another origin, and makes n8n's client buffer the body.
			disableFollowRedirect: true,
		},
		send: { paginate: true },
		operations: { pagination: paginationHook(endpoint) },
	};
}
