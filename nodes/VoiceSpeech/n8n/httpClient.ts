import {
	UserError,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import { networkError } from '../errors/networkError';
import type { PreparedRequest } from '../execution/item';
import type { FetchAudio } from '../audio/urlSource';
import { clientFault, faultText } from './clientFault';

/*
 * What the requests rely on, checked on n8n 1.123.81, 2.0.3 and 2.41.1 with
 * test/credits/credential-per-item.test.ts and test/credits/timeouts.test.ts:
 * - `httpRequestWithAuthentication` sends the credential in `credentialsDecrypted` and does not read it again, so
 *   the key that was checked is the key that is sent;
 * - it takes the abort signal from `getExecutionCancelSignal` of its `this`;
 * - it hands a FormData with overridden files to axios as it is.
 */

/**
 * Requests a body that is not compressed (RFC 9110, 12.5.3). n8n's client decompresses any body, and does not notice if a
 * compressed one ends early.
 */
const uncompressed = { 'Accept-Encoding': 'identity;q=1, *;q=0' };

/** Hands a request to n8n's client, with the options of n8n's RoutingNode and of the user. Throws CallError. */
export async function sendRequest(
	context: IExecuteSingleFunctions,
	options: IHttpRequestOptions,
	{ access, credential }: PreparedRequest,
	body: FormData | Buffer,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	const self = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteSingleFunctions;
	const type = 'voiceSpeechApi';
	const credentialsDecrypted = { id: '', name: '', type, data: credential };
	try {
		return (await context.helpers.httpRequestWithAuthentication.call(
			self,
			type,
			{
				...options,
				baseURL: access.baseUrl,
				headers: {
					...options.headers,
					Accept: '*/*',
					...uncompressed,
					// A service may refuse an upload before it has read all of it. With n8n's 'close' it would close the
					// connection after its response, and the response would be lost.
					Connection: 'keep-alive',
					// To a form the client adds the type itself, with its own boundary.
					...(Buffer.isBuffer(body) ? { 'Content-Type': 'application/json' } : {}),
				},
				body,
				returnFullResponse: true,
			},
			{ credentialsDecrypted },
		)) as IN8nHttpFullResponse;
	} catch (error) {
		throw networkError(clientFault(error));
	}
}

/**
 * Fetches audio from the web, with the proxy and certificate settings of the node's request options, but without the
 * credential. n8n's protection of internal addresses applies.
 */
export function audioFetcher(
	context: IExecuteSingleFunctions,
	{ proxy, skipSslCertificateValidation }: IHttpRequestOptions,
): FetchAudio {
	return async (request) => {
		try {
			return (await context.helpers.httpRequest({
				...(proxy ? { proxy } : {}),
				...(skipSslCertificateValidation ? { skipSslCertificateValidation: true } : {}),
				...request,
				headers: { Accept: 'audio/*, */*;q=0.5', ...uncompressed },
				method: 'GET',
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				// Followed by the caller: older n8n does not know `maxRedirects`.
				disableFollowRedirect: true,
				// The timeouts of the call apply.
				timeout: 0,
			})) as IN8nHttpFullResponse;
		} catch (error) {
			return await Promise.reject(new UserError(faultText(clientFault(error))));
		}
	};
}
