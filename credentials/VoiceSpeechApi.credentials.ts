import {
	type DisplayCondition,
	type IAuthenticateRuleResponseCode,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';

import { exposesKeyToProxy, parseUrl, validateEndOfBaseUrl } from './baseUrl';
import {
	type CheckedCredential,
	type Environment,
	keyPrefixes,
	validateCredential,
} from './checkedCredential';

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
const keyNotices: INodeProperties[] = [
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

const testPath = '/ai/speech-to-text';

/**
 * Every status from 300 to 399, because a client takes those that it does not know for redirects too (RFC 9110, 15). n8n
 * needs each of them by itself.
 */
const redirectStatuses = Array.from({ length: 100 }, (_, index) => 300 + index);

/**
 * The statuses that fail the credential's test, and what n8n shows. Every other status passes. 404 and 405 are expected.
 */
const testFailures: Array<{ statuses: number[]; message: string }> = [
	{
		statuses: [401],
		message:
			"The service does not accept this key. It may be mistyped or revoked: copy it again from the service's console, or create a new one there.",
	},
	{
		statuses: [403],
		message:
			"The service does not allow Speech to Text with this key. If you use other operations only, save the credential anyway. Otherwise create a key for this service with the scope 'speech-to-text'.",
	},
	{
		statuses: [407],
		message:
			'The proxy of the server that runs n8n requires a login. Ask your n8n administrator to add the user name and the password to the proxy settings.',
	},
	{
		statuses: [429],
		message: 'The service is receiving too many requests. Wait a minute, then test again.',
	},
	{
		statuses: redirectStatuses,
		message:
			"The service redirects to another address. The key is never sent along a redirect: put the final address into 'Base URL'.",
	},
	{
		// Statuses from 520 on mean that Cloudflare's proxy could not reach the service.
		statuses: [500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530],
		message: 'The service failed. You can save the credential anyway, and test it again later.',
	},
];

/**
 * The rules for the response of the test. n8n applies those of type `responseCode`. Older versions of n8n
 * ignore `except` (in `test`) and apply those of type `responseSuccessBody` to a body that is a stream with a
 * `statusCode`. n8n accepts both types in one list, but its TypeScript type does not.
 */
const testRules = testFailures.flatMap(({ statuses, message: text }) =>
	statuses.flatMap((value) => {
		const message = `${text} (Status ${value})`;
		return [
			{ type: 'responseCode', properties: { value, message } },
			{ type: 'responseSuccessBody', properties: { key: 'statusCode', value, message } },
		];
	}),
) as IAuthenticateRuleResponseCode[];

/**
 * The origin that a request goes to, which is that of its own address if it is absolute ('//host' included); undefined if
 * the address is not valid.
 */
function findOrigin(target: string, base: string): string | undefined {
	return (parseUrl(target) ?? parseUrl(target, base))?.origin;
}

/**
 * The host of a proxy, as an address or an object of n8n's client; empty if it has none. Like n8n, this takes an address
 * without a scheme for one of http.
 */
function readProxyHost(proxy: unknown): string {
	const { host } = proxy as { host?: unknown };
	const address = String(typeof proxy === 'string' ? proxy : (host ?? ''));
	return parseUrl(address.includes('://') ? address : `http://${address}`)?.hostname ?? '';
}

/**
 * Reads the credential for its test.
 *
 * @throws {UserError} if it is not valid. n8n shows only the message of a failed test, so the message includes what to do.
 */
function validateCredentialForTest(credentials: ICredentialDataDecryptedObject): CheckedCredential {
	try {
		const credential = validateCredential(credentials);
		validateEndOfBaseUrl(credential.baseUrl);
		return credential;
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		throw new UserError(`${error.message}. ${error.description}`);
	}
}

/** The credential as n8n loads it. */
export class VoiceSpeechApi implements ICredentialType {
	name = 'voiceSpeechApi';

	displayName = 'Voice and Speech API';

	icon = {
		light: 'file:../icons/voiceSpeech.svg',
		dark: 'file:../icons/voiceSpeech.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/n8n-nodes-voice-speech/n8n-nodes-voice-speech#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'e.g. eak_test_...',
			description:
				"A key from the service's console, with the scope of every operation that you use",
		},
		...keyNotices,
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{
					name: 'Sandbox',
					value: 'sandbox',
					description: 'Sandbox wallet, for keys that start with eak_test_',
				},
				{
					name: 'Live',
					value: 'live',
					description: 'Live wallet, for keys that start with eak_live_',
				},
			],
			default: 'sandbox',
			description:
				'Must match the key: its prefix decides which wallet is debited. If they differ, nothing is sent.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the service, from your provider, without /ai at its end. It is the same for sandbox and live.',
		},
		{
			displayName: 'Console URL',
			name: 'consoleUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://console.example.com',
			description:
				"Address of the service's console. Messages that advise to look there will contain it. Nothing is sent to it.",
		},
	];

	/** The request is a GET, because every POST would be debited (docs/openapi.yaml). */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim() }}',
			url: testPath,
			method: 'GET',
			encoding: 'stream',
			// Older versions of n8n unpack a compressed response into a stream without a `statusCode`.
			headers: { 'Accept-Encoding': 'identity' },
			ignoreHttpStatusErrors: {
				ignore: true,
				except: testFailures.flatMap(({ statuses }) => statuses),
			},
		},
		rules: testRules,
	};

	/**
	 * Adds the key to a request of the node, of the credential's test and of the HTTP Request node.
	 *
	 * @throws {UserError} if the credential is not valid, if the request goes to another origin than the credential's base
	 * URL, or if a public proxy could read the key: the request then never leaves n8n
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const isTest = requestOptions.method === 'GET' && requestOptions.url === testPath;
		const { apiKey, baseUrl } = isTest
			? validateCredentialForTest(credentials)
			: validateCredential(credentials);
		// The HTTP Request node sets options of n8n's older client.
		const url = requestOptions.url || (requestOptions as { uri?: string }).uri || '';
		const origin = findOrigin(url, requestOptions.baseURL ?? baseUrl);
		const allowed = new URL(baseUrl).origin;
		if (origin !== allowed) {
			// An address that is not valid is not quoted, because n8n shows the message as HTML.
			const target = origin === undefined ? 'an address that is not valid' : `'${origin}'`;
			throw new UserError(
				`This credential sends its key to '${allowed}' only, and the request goes to ${target}`,
				{
					description:
						"Use an address below the credential's 'Base URL', or choose another credential. Nothing was sent.",
				},
			);
		}
		const { proxy } = requestOptions;
		if (proxy && exposesKeyToProxy(baseUrl, readProxyHost(proxy))) {
			throw new UserError('The proxy of this request would get the key unencrypted', {
				description:
					"The credential's 'Base URL' starts with 'http://', and the proxy is public. Use a 'Base URL' that starts with 'https://', or a proxy in your own network. Nothing was sent.",
			});
		}
		// A variable, because n8n's type does not have the options of its older client.
		const authenticated = {
			...requestOptions,
			headers: { ...requestOptions.headers, 'X-API-Key': apiKey },
			// A redirect would send the key to any address. The older client takes the last two.
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		};
		return authenticated;
	}
}
