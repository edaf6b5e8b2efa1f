import type { INodePropertyRouting } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import { handOver } from './call';
import { sendItem } from './sendItem';

/** The routing of an operation: what n8n's RoutingNode sends, and the hook that takes each item from start to end. */
export function route(endpoint: Endpoint): INodePropertyRouting {
	return {
		request: {
			method: 'POST',
			url: endpoint.path,
			// As it arrives: an answer may be larger than the memory.
			encoding: 'stream',
			// Every status is the hook's to judge; else n8n sends a call again that was answered with 401.
			ignoreHttpStatusErrors: true,
			// A redirect would take the key along, and makes n8n's client hold the whole body.
			disableFollowRedirect: true,
		},
		send: { paginate: true },
		operations: { pagination: sendItem(endpoint) },
		output: { postReceive: [handOver] },
	};
}
