import type { DisplayCondition, INodeProperties } from 'n8n-workflow';

import { environmentNames, keyPrefixes, type Environment } from './apiKey';

type HideCondition = Environment | DisplayCondition;

const startsWith = (prefix: string): HideCondition => ({ _cnd: { startsWith: prefix } });

/** A reopened credential holds this in place of the key, and an expression is not resolved in the dialog. */
const masked = startsWith('__n8n_');
const expression = startsWith('=');

/**
 * No white space before it. Behind this condition a regex costs nothing: n8n looks at all conditions each time it
 * decrypts the credential, so for every call, takes a millisecond for a regex, and on a busy machine gives up over it.
 */
const tidy: HideCondition = { _cnd: { between: { from: '!', to: '~\uffff' } } };

/** Everything but texts that begin with the prefix: what sorts before the first of them, or behind the last. */
function allBut(prefix: string): HideCondition[] {
	const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
	return [{ _cnd: { lt: prefix } }, { _cnd: { gte: end } }];
}

/**
 * A notice for the keys as they are, and the same for those that were pasted with white space before them. Only
 * `hide` works here: n8n lets every `show` hold for an expression.
 */
function notices(
	name: string,
	displayName: string,
	hideWhenEnvironment: HideCondition[],
	hideWhenKey: { tidy: HideCondition[]; pasted: string },
): INodeProperties[] {
	const pasted = [tidy, { _cnd: { regex: hideWhenKey.pasted } }];
	return [hideWhenKey.tidy, pasted].map((apiKey, place) => ({
		displayName,
		name: place === 0 ? `${name}Notice` : `${name}PastedNotice`,
		type: 'notice',
		default: '',
		displayOptions: { hide: { environment: hideWhenEnvironment, apiKey } },
	}));
}

function noticesOf(environment: Environment, other: Environment): INodeProperties[] {
	const name = environmentNames[environment];
	const prefix = keyPrefixes[environment];
	const key = { tidy: allBut(prefix), pasted: `^(?!\\s*${prefix})` };
	return [
		...notices(
			`${environment}Key`,
			`${name} key: calls are debited from the ${environment} wallet${environment === 'sandbox' ? ' and flagged as test data' : ''}.`,
			[other],
			key,
		),
		...notices(
			`${environment}KeyMismatch`,
			`This is a ${environment} key, but 'Environment' says ${environmentNames[other]}. Nothing can be sent until they agree: set 'Environment' to ${name}, or put in a key that starts with ${keyPrefixes[other]}.`,
			// Of an expression nothing is known here.
			[environment, expression],
			key,
		),
	];
}

/** What the key's prefix says, shown under the key while it is typed or pasted. */
export const keyNotices: INodeProperties[] = [
	...noticesOf('sandbox', 'live'),
	...noticesOf('live', 'sandbox'),
	...notices(
		'unknownKey',
		`This is not a key of this service: keys start with ${keyPrefixes.sandbox} (sandbox) or ${keyPrefixes.live} (live).`,
		[],
		{
			tidy: [
				...Object.values(keyPrefixes).map(startsWith),
				masked,
				expression,
				// Empty, or with white space before it.
				{ _cnd: { lt: '!' } },
			],
			pasted: `^\\s*($|${keyPrefixes.sandbox}|${keyPrefixes.live})`,
		},
	),
];
