import { updateDisplayOptions } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import { extraFields } from '../descriptions/extraFields';
import { optionsFor } from '../descriptions/options';
import { undocumentedInput } from '../descriptions/undocumentedInput';
import type { Operation } from '../descriptions/menu';
import { route } from '../n8n/route';

interface Undocumented {
	resource: Operation['resource'];
	operation: string;
	/** Menu entry, Title Case. */
	name: string;
	/** Entry of the node creator, sentence case. */
	action: string;
	/** What the operation's name promises, in a sentence without full stop. */
	purpose: string;
	path: Endpoint['path'];
	scope: string;
	inputTypeDefault: 'audio' | 'text';
}

/**
 * An operation whose path and scope alone are documented (docs/openapi.yaml):
 * the labels say so, the user chooses what is sent, and whatever comes back is passed on.
 */
export function undocumented(known: Undocumented): Operation {
	const endpoint: Endpoint = {
		path: known.path,
		scope: known.scope,
		body: 'chosen',
		answer: 'any',
	};
	const showOnlyForThis = { show: { resource: [known.resource], operation: [known.operation] } };
	return {
		resource: known.resource,
		option: {
			name: `${known.name} (Undocumented)`,
			value: known.operation,
			action: `${known.action} (undocumented)`,
			description: `${known.purpose}. What it takes and answers is not documented by the service.`,
			routing: route(endpoint),
		},
		fields: updateDisplayOptions(showOnlyForThis, [
			...undocumentedInput(known.inputTypeDefault),
			extraFields,
			optionsFor(endpoint),
		]),
	};
}
