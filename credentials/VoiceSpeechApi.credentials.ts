import {
	UserError,
	type IAuthenticateRuleResponseCode,
	type IAuthenticateRuleResponseSuccessBody,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';

import { readAccess, type Access } from './access';
import { checkNoOperationPath } from './baseUrl';
import { keyNotices } from './keyNotices';

/** What the HTTP Request node hands over beside n8n's newer request options. */
interface LegacyRequestOptions {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
}

/**
 * What the test says to a status. Older n8n (2.0 for one) lets every status through where some are to be let through:
 * there the status is found on the answer's body, which is a stream.
 */
function testRules(value: number, message: string): IAuthenticateRuleResponseCode[] {
	const onBody = { key: 'statusCode', value, message };
	const rules: Array<IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody> = [
		{ type: 'responseCode', properties: { value, message } },
		{ type: 'responseSuccessBody', properties: onBody },
	];
	// n8n takes both kinds side by side; its type does not say so.
	return rules as IAuthenticateRuleResponseCode[];
}

const testPath = '/ai/speech-to-text';

const redirects = [300, 301, 302, 303, 305, 307, 308];
const serverFaults = [500, 502, 503, 504];

/** The origin a request really goes to: its own address where that is absolute ('//host' included). */
function originOf(target: string, base: string): string {
	if (URL.canParse(target)) return new URL(target).origin;
	return URL.canParse(target, base) ? new URL(target, base).origin : target;
}

/** n8n shows the outcome of a credential's test as a message alone: what to do must be in it. */
function readAccessForTest(credentials: ICredentialDataDecryptedObject): Access {
	try {
		const access = readAccess(credentials);
		checkNoOperationPath(access.baseUrl);
		return access;
	} catch (error) {
		throw error instanceof UserError
			? new UserError(`${error.message}. ${error.description}`)
			: error;
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
			description:
				'A key of this service, from its console. It needs the scope of every operation you use.',
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
					description: 'Keys that start with eak_test_, sandbox wallet',
				},
				{ name: 'Live', value: 'live', description: 'Keys that start with eak_live_, live wallet' },
			],
			default: 'sandbox',
			description:
				'The wallet that you mean to use. A key of the other environment is refused before anything is sent.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'The address of the service, as your provider gave it to you. Sandbox and live share it. Plain http only inside your own network.',
		},
	];

	/** A GET: every POST would be debited (docs/openapi.yaml). */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim() }}',
			url: testPath,
			method: 'GET',
			encoding: 'stream',
			// Whatever else the service says to a GET shows that it is there: 404 and 405 are the expected answers.
			ignoreHttpStatusErrors: {
				ignore: true,
				except: [401, 403, 429, ...redirects, ...serverFaults],
			},
		},
		rules: [
			...testRules(
				401,
				"The service does not accept this key. It may be mistyped, revoked or expired: copy it again from the service's console, or create a new one there.",
			),
			...testRules(
				403,
				"The service knows this key but does not allow this test with it. It may only lack the scope 'speech-to-text': save the credential all the same if you use other operations. Otherwise check in the console that the key belongs to this product.",
			),
			...testRules(
				429,
				'The service is receiving too many requests. Wait a minute, then test again.',
			),
			...redirects.flatMap((status) =>
				testRules(
					status,
					`The service redirects to another address (status ${status}). The key is never sent along a redirect: put the final address into 'Base URL'.`,
				),
			),
			...serverFaults.flatMap((status) =>
				testRules(
					status,
					`The service answers but is not working right now (status ${status}). Try again later; the credential can be saved all the same.`,
				),
			),
		],
	};

	/**
	 * Adds the key to a request of the node, of the credential's test and of the HTTP Request node.
	 *
	 * @throws UserError when the credential is not usable, or when the request goes to another origin than
	 * the credential's base URL: the request then never leaves n8n
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const legacy: LegacyRequestOptions = requestOptions as LegacyRequestOptions;
		const isTest = requestOptions.method === 'GET' && requestOptions.url === testPath;
		const { apiKey, baseUrl } = isTest ? readAccessForTest(credentials) : readAccess(credentials);
		const target = requestOptions.url || legacy.uri || '';
		const origin = originOf(target, requestOptions.baseURL ?? baseUrl);
		if (origin !== new URL(baseUrl).origin) {
			throw new UserError(
				`This credential sends its key to '${new URL(baseUrl).origin}' only, and the request goes to '${origin}'`,
				{
					description:
						"Use an address below the credential's 'Base URL', or choose another credential. Nothing was sent.",
				},
			);
		}
		// Changed in place: the node's own abort signal lives on this object as an accessor.
		requestOptions.headers = { ...requestOptions.headers, 'X-API-Key': apiKey };
		// A redirect would carry the key to wherever the answer points.
		requestOptions.disableFollowRedirect = true;
		Object.assign(legacy, { followRedirect: false, followAllRedirects: false });
		return requestOptions;
	}
}
