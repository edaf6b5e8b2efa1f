import type { DisplayCondition, INodeProperties } from 'n8n-workflow';

import { environmentNames, keyPrefixes, type Environment } from './apiKey';

// A reopened credential holds a placeholder in place of the key, and an expression is not resolved in the dialog:
// nothing can be said about either. Only `hide` works here: n8n lets every `show` hold for an expression.
const silent = '^(\\s*$|=|__n8n_)';

type HideCondition = Environment | DisplayCondition;

/** Every value except a well-formed key of this environment (as far as typed so far); keys of the other one at once. */
function allBut(environment: Environment, other: Environment): HideCondition[] {
	return [
		{ _cnd: { startsWith: keyPrefixes[other] } },
		{ _cnd: { regex: `^(?!\\s*${keyPrefixes[environment]}\\S*\\s*$)` } },
	];
}

function notice(
	name: string,
	displayName: string,
	hideWhenKey: HideCondition[],
	hideWhenEnvironment: HideCondition[] = [],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'notice',
		default: '',
		displayOptions: {
			// In this order: n8n looks at it each time it decrypts the credential, and takes a millisecond for a regex.
			hide: { environment: hideWhenEnvironment, apiKey: hideWhenKey },
		},
	};
}

function noticesOf(environment: Environment, other: Environment): INodeProperties[] {
	const name = environmentNames[environment];
	return [
		notice(
			`${environment}KeyNotice`,
			`${name} key: calls are debited from the ${environment} wallet${environment === 'sandbox' ? ' and flagged as test data' : ''}.`,
			allBut(environment, other),
			[other],
		),
		notice(
			`${environment}KeyMismatchNotice`,
			`This is a ${environment} key, but 'Environment' says ${environmentNames[other]}. Nothing can be sent until they agree: set 'Environment' to ${name}, or put in a key that starts with ${keyPrefixes[other]}.`,
			allBut(environment, other),
			// Of an expression nothing is known here.
			[environment, { _cnd: { startsWith: '=' } }],
		),
	];
}

/** What the key's prefix says, shown under the key while it is typed or pasted (contract, Credential). */
export const keyNotices: INodeProperties[] = [
	...noticesOf('sandbox', 'live'),
	...noticesOf('live', 'sandbox'),
	notice(
		'unknownKeyNotice',
		`This is not a key of this service: keys start with ${keyPrefixes.sandbox} (sandbox) or ${keyPrefixes.live} (live) and have no spaces inside.`,
		[
			{
				_cnd: {
					regex: `${silent}|^\\s*(${keyPrefixes.sandbox}|${keyPrefixes.live})\\S*\\s*$`,
				},
			},
		],
	),
];
