import type { DisplayCondition, INodeProperties } from 'n8n-workflow';

import { keyPrefixes, type Environment } from './apiKey';

type HideCondition = string | DisplayCondition;

function startsWith(prefix: string): HideCondition {
	return { _cnd: { startsWith: prefix } };
}

/** In a reopened credential, n8n shows a text with this prefix in place of the key (test/browser/credential.test.mts). */
const maskedKeyPrefix = '__n8n_';

/** The dialog does not resolve expressions, so what they yield is unknown here. */
const expressionPrefix = '=';
const expression = startsWith(expressionPrefix);

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

const matchTexts: Record<Environment, string> = {
	sandbox: 'Sandbox key: its calls debit the sandbox wallet, and are flagged as test data',
	live: 'Live key: its calls spend live credits',
};

const mismatchTexts: Record<Environment, string> = {
	sandbox: "Sandbox key: set 'Environment' to Sandbox",
	live: `Live key: it spends live credits. To test, paste a key that starts with ${keyPrefixes.sandbox}. To spend live credits, set 'Environment' to Live.`,
};

function createNotices(environment: Environment, other: Environment): INodeProperties[] {
	const apiKey = hideUnlessStartsWith(keyPrefixes[environment]);
	return [
		createNotice(`${environment}KeyNotice`, matchTexts[environment], {
			apiKey,
			environment: [other],
		}),
		createNotice(`${environment}KeyMismatchNotice`, mismatchTexts[environment], {
			apiKey,
			environment: [environment, expression],
		}),
	];
}

/** A notice for a key that the dialog cannot read. Only 'Live' as 'Environment' lets it spend live credits. */
function createUnreadableLiveKeyNotice(name: string, prefix: string): INodeProperties {
	return createNotice(name, matchTexts.live, {
		apiKey: hideUnlessStartsWith(prefix),
		environment: ['sandbox', expression],
	});
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

/** What the key's prefix means, or 'Environment' where the dialog does not know the key, shown under the key. */
export const keyNotices: INodeProperties[] = [
	...createNotices('sandbox', 'live'),
	...createNotices('live', 'sandbox'),
	createUnreadableLiveKeyNotice('savedLiveKeyNotice', maskedKeyPrefix),
	createUnreadableLiveKeyNotice('liveKeyExpressionNotice', expressionPrefix),
	createNotice(
		'unknownKeyNotice',
		`Wrong key: keys of this service start with ${prefixes.join(' or ')}`,
		{
			apiKey: [
				...prefixes.map(startsWith),
				...new Set(incompletePrefixes),
				startsWith(maskedKeyPrefix),
				expression,
				// The white space of ASCII sorts before '!', the first visible character.
				{ _cnd: { lt: '!' } },
				...nonAsciiWhiteSpace.map(startsWith),
			],
		},
	),
	createNotice(
		'whiteSpaceNotice',
		'Wrong key, or a space or line break in front of it: delete that to see which key it is',
		{ apiKey: [{ _cnd: { gte: '!' } }, { _cnd: { eq: '' } }] },
	),
];
