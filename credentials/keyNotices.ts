import type { DisplayCondition, INodeProperties } from 'n8n-workflow';

import { keyPrefixes, type Environment } from './apiKey';

type HideCondition = string | DisplayCondition;

function startsWith(prefix: string): HideCondition {
	return { _cnd: { startsWith: prefix } };
}

/** In a reopened credential, n8n shows a text with this prefix in place of the key (test/browser/credential.test.mts). */
const masked = startsWith('__n8n_');

/** The dialog does not resolve expressions, so what they yield is unknown here. */
const expression = startsWith('=');

/**
 * Hides a notice for texts that do not start with the prefix. A text starts with `abc` if it sorts at or after `abc`, and
 * before `abd`. A regular expression would be simpler, but n8n evaluates all conditions whenever it decrypts the
 * credential. There, a regular expression takes a millisecond, and n8n stops it on a busy machine.
 */
function hideUnlessStartsWith(prefix: string): HideCondition[] {
	const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
	return [{ _cnd: { lt: prefix } }, { _cnd: { gte: end } }];
}

/** Uses only `hide` conditions, because n8n treats every `show` condition as fulfilled for an expression. */
function createNotice(
	name: string,
	displayName: string,
	hide: { apiKey: HideCondition[]; environment?: HideCondition[] },
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions: { hide } };
}

const mismatchTexts: Record<Environment, string> = {
	sandbox: "This is a sandbox key: set 'Environment' to Sandbox",
	live: `This key spends live credits. To test, paste a key that starts with ${keyPrefixes.sandbox}. To spend live credits, set 'Environment' to Live.`,
};

function createNotices(environment: Environment, other: Environment): INodeProperties[] {
	const apiKey = hideUnlessStartsWith(keyPrefixes[environment]);
	const flag = environment === 'sandbox' ? ', and their calls are flagged as test data' : '';
	return [
		createNotice(
			`${environment}KeyNotice`,
			`OK, the key matches 'Environment': keys that start with ${keyPrefixes[environment]} debit the ${environment} wallet${flag}`,
			{ apiKey, environment: [other] },
		),
		createNotice(`${environment}KeyMismatchNotice`, mismatchTexts[environment], {
			apiKey,
			environment: [environment, expression],
		}),
	];
}

const prefixes = Object.values(keyPrefixes);

/** Every text with which a prefix begins. While it is typed, the key is not wrong yet. */
const incompletePrefixes = prefixes.flatMap((prefix) =>
	[...prefix].map((_, length) => prefix.slice(0, length)),
);

/**
 * White space beyond ASCII that is pasted with texts: no-break space, byte order mark, ideographic space. The node ignores
 * white space around a key, so such a key is not wrong. No notice is shown for it.
 */
const nonAsciiWhiteSpace = ['\u00a0', '\ufeff', '\u3000'];

/** What the key's prefix means, shown under the key while it is typed or pasted. */
export const keyNotices: INodeProperties[] = [
	...createNotices('sandbox', 'live'),
	...createNotices('live', 'sandbox'),
	createNotice(
		'unknownKeyNotice',
		`Wrong key: keys of this service start with ${prefixes.join(' or ')}`,
		{
			apiKey: [
				...prefixes.map(startsWith),
				...new Set(incompletePrefixes),
				masked,
				expression,
				// The white space of ASCII sorts before '!', the first visible character.
				{ _cnd: { lt: '!' } },
				...nonAsciiWhiteSpace.map(startsWith),
			],
		},
	),
	createNotice(
		'whiteSpaceNotice',
		'The key starts with a space or line break: delete it to see whether it is a sandbox or a live key',
		{ apiKey: [{ _cnd: { gte: '!' } }, { _cnd: { eq: '' } }] },
	),
];
