import type { IHttpRequestOptions } from 'n8n-workflow';

import { parseUrl } from '../../../credentials/baseUrl';
import {
	createInvalidAudioUrlError,
	createNoAudioUrlError,
	createNotFetchedError,
} from '../errors/audioError';
import { maxAudioRedirects, maxDispositionLength } from '../limits';
import { isPartialContent, isSuccess } from '../service/statusMeaning';
import type { HttpResponse } from '../streams/forwardReader';
import { decodeText, isCompressed } from '../text/decode';
import { toStringOrEmpty } from '../text/json';
import { type AudioSource, ignoreEarlyErrors, type OpenAudio } from './reader';

/**
 * Sends one GET request and returns any response, its body as a stream.
 *
 * @throws {Error} without a response; its message says why, and is shown in parentheses
 */
export type FetchAudio = (
	request: Pick<IHttpRequestOptions, 'url' | 'abortSignal'>,
) => Promise<HttpResponse>;

/** Decodes a header as UTF-8, or else as windows-1252, because Node decodes it as Latin-1 and many servers send UTF-8. */
function readHeader(header: unknown): string {
	return decodeText(Buffer.from(toStringOrEmpty(header), 'latin1'), '', true);
}

/**
 * A parameter with its value, which may be in quotes (RFC 9110, 5.6.6). Some servers omit the quotes around a value with
 * spaces. A name is tried only at its first character, so that a search takes linear time.
 */
const headerParameter = /(?<![^;,\s])([^\s;,=]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;

/** The parameters of a header, by their names in lower case. Of several with the same name, the first counts. */
function readParameters(header: string): Map<string, string> {
	const parameters = new Map<string, string>();
	for (const [, name = '', value = ''] of header.matchAll(headerParameter)) {
		const unquoted = value.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');
		const key = name.toLowerCase();
		if (!parameters.has(key)) parameters.set(key, unquoted.trim());
	}
	return parameters;
}

/** The name of the file by Content-Disposition (RFC 6266), else the end of the address. */
function readFileName({ headers }: HttpResponse, url: string): string {
	const disposition = readHeader(headers['content-disposition']).slice(0, maxDispositionLength);
	const parameters = readParameters(disposition);
	const extended = /^utf-8'[^']*'(.+)/i.exec(parameters.get('filename*') ?? '')?.[1];
	const declared = extended ?? parameters.get('filename') ?? '';
	const name = declared === '' ? new URL(url).pathname.replace(/.*\//, '') : declared;
	try {
		return decodeURIComponent(name);
	} catch {
		// It has a stray percent sign.
		return name;
	}
}

/**
 * The address without surrounding white space.
 *
 * @throws {UserError} if it is not an http(s) address
 */
export function checkAudioUrl(url: string): string {
	const address = url.trim();
	if (address === '') throw createNoAudioUrlError();
	const isWebAddress = /^https?:\/\//i.test(address) && parseUrl(address) !== undefined;
	if (!isWebAddress) throw createInvalidAudioUrlError(address);
	return address;
}

/** Redirects that have a Location (RFC 9110, 15.4). */
const redirectStatuses = [301, 302, 303, 307, 308];

/**
 * Each redirect is a request of its own, so that n8n's protection of internal addresses checks each of them.
 *
 * @returns the response, and the address that it is from
 * @throws {UserError} if a server cannot be reached, or redirects to what is not a web address, or too often
 */
async function fetchFollowingRedirects(
	fetchAudio: FetchAudio,
	url: string,
	signal: AbortSignal,
): Promise<{ response: HttpResponse; address: string }> {
	let address = url;
	for (let count = 0; count <= maxAudioRedirects; count++) {
		// n8n's client keeps the connection of an unread response open, even when the response is destroyed.
		const unread = new AbortController();
		const abortSignal = AbortSignal.any([signal, unread.signal]);
		let response: HttpResponse;
		try {
			response = await fetchAudio({ url: address, abortSignal });
		} catch (error) {
			throw createNotFetchedError(
				address,
				'its server did not return it',
				(error as Error).message,
			);
		}
		const location = readHeader(response.headers.location);
		if (!redirectStatuses.includes(response.statusCode) || location === '') {
			return { response, address };
		}
		unread.abort();
		const target = parseUrl(location, address)?.href ?? '';
		if (!/^https?:/.test(target)) {
			throw createNotFetchedError(address, 'it redirects to something that is not a web address');
		}
		address = target;
	}
	throw createNotFetchedError(url, `it redirects more than ${maxAudioRedirects} times`);
}

/** Audio on the web, forwarded while it arrives. */
export function createUrlSource(url: string, fetchAudio: FetchAudio): AudioSource {
	/** @throws {UserError} if the server does not return a file */
	async function open(signal: AbortSignal): Promise<OpenAudio> {
		const { response, address } = await fetchFollowingRedirects(fetchAudio, url, signal);
		const { statusCode, headers, body: stream } = response;
		const isFile = isSuccess(statusCode) && !isPartialContent(statusCode);
		if (!isFile) {
			throw createNotFetchedError(address, `its server responded with status ${statusCode}`);
		}
		const encoding = toStringOrEmpty(headers['content-encoding']);
		if (isCompressed(encoding)) {
			throw createNotFetchedError(address, `its server compresses it (${encoding})`);
		}
		ignoreEarlyErrors(stream);
		// If n8n's client decompresses the body, Content-Length is the compressed length. In older versions of n8n, the stream
		// then has `bytesWritten`. In newer ones, AudioReader.checkLength finds the wrong length only during the upload.
		const length = 'bytesWritten' in stream ? undefined : headers['content-length'];
		return {
			// Node's HTTP parser accepts only digits as Content-Length.
			size: length === undefined ? undefined : Number(length),
			declared: {
				name: readFileName(response, address),
				mimeType: toStringOrEmpty(headers['content-type']),
			},
			chunks: stream,
			close: () => stream.destroy(),
		};
	}
	return { isRemote: true, identity: [url], open };
}
