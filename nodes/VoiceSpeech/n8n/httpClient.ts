import {
	type IExecuteFunctions,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';

import type { FetchAudio } from '../audio/urlSource';
import type { Field, PreparedRequest, RequestBody, Upload } from '../call/request';
import type { ConnectionOptions } from '../call/readOptions';
import type { NamedValue } from '../descriptions/optionKinds';
import { createNetworkError } from '../errors/networkError';
import type { HttpResponse } from '../streams/forwardReader';
import { formatFault, readClientFault } from './errors';

/*
 * The body of a request as n8n's client takes it. n8n hands it to axios unchanged, also a File with overridden members.
 * test/engine/requests.test.mts and test/credits/filesInMemory.test.mts check that on every n8n of
 * test/support/n8nVersions.mts.
 */

/** A body, and its Content-Type. */
interface ClientBody {
	content: FormData | File | Buffer;
	/** Undefined for a form, whose type n8n's client adds with its own boundary. */
	contentType: string | undefined;
}

/**
 * Creates a file whose bytes are read only while they are sent. n8n's client reads name, type and size for the part's
 * header and Content-Length, then iterates over `stream()`. Without a type, it sends application/octet-stream.
 */
function createFile({ fileName, mimeType, size, read }: Upload): File {
	return Object.defineProperties(new File([], fileName, { type: mimeType }), {
		// The size is not a number if the length is unknown. The client then sends in chunks, without Content-Length.
		size: { value: size ?? NaN },
		stream: {
			value: read,
			// n8n's client drops a body that is an object without enumerable properties.
			enumerable: true,
		},
	});
}

function appendFields(form: FormData, fields: Field[]): void {
	for (const [name, value] of fields) {
		form.append(name, typeof value === 'string' ? value : value.text);
	}
}

function createClientBody(body: RequestBody): ClientBody {
	switch (body.kind) {
		case 'json':
			// Bytes, so that no part of n8n's client parses, trims or escapes the text again.
			return { content: Buffer.from(body.text), contentType: 'application/json' };
		case 'form': {
			const form = new FormData();
			appendFields(form, body.fields);
			return { content: form, contentType: undefined };
		}
		case 'audioForm': {
			const form = new FormData();
			// The third argument is left out, because a name would replace the file by a copy without bytes.
			form.append(body.fileFieldName, createFile(body.upload));
			appendFields(form, body.fields);
			return { content: form, contentType: undefined };
		}
		case 'audioBody': {
			const file = createFile(body.upload);
			// The type is that of the file, in lower case, as a form sends it too.
			return { content: file, contentType: file.type || 'application/octet-stream' };
		}
	}
}

type ClientProxy = NonNullable<IHttpRequestOptions['proxy']>;

/**
 * n8n's client decodes user and password again, and fails on a stray percent sign.
 *
 * @param text as {@link URL} has it: with percent encoding of what may not be in an address, but with stray percent signs
 */
function encodeLogin(text: string): string {
	const encoded = text.replace(/%(?![0-9a-f]{2})/gi, '%25');
	try {
		return encodeURIComponent(decodeURIComponent(encoded));
	} catch {
		// Bytes such as %FF are not UTF-8.
		return encodeURIComponent(text);
	}
}

/** The proxy as n8n's client takes it. */
export function toClientProxy(url: URL): ClientProxy {
	const protocol = url.protocol.replace(':', '');
	const defaultPort = protocol === 'https' ? 443 : 80;
	const proxy: ClientProxy = {
		host: url.hostname,
		port: url.port === '' ? defaultPort : Number(url.port),
		protocol,
	};
	if (url.username !== '') {
		proxy.auth = {
			username: encodeLogin(url.username),
			password: encodeLogin(url.password),
		};
	}
	return proxy;
}

/*
 * What the requests rely on. test/credits/sendingItems.test.mts and test/credits/failures.test.mts check it on every n8n
 * of test/support/n8nVersions.mts:
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
