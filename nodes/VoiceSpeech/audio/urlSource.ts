import { UserError, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';

import { maxAudioRedirects } from '../limits';
import type { AudioSource, OpenAudio } from './source';

/**
 * Sends one GET request for audio and returns any response, its body as a stream. Rejects with an error whose message
 * says what happened on the network.
 */
export type FetchAudio = (
	request: Pick<IHttpRequestOptions, 'url' | 'abortSignal'>,
) => Promise<IN8nHttpFullResponse>;

type AudioStream = AsyncIterable<Uint8Array> & { destroy(): void };

/** @param fault is part of the description: n8n replaces a message that names an error code by one of its own */
function refuse(url: string, what: string, fault = ''): UserError {
	const detail = fault === '' ? '' : ` (${fault})`;
	return new UserError(`The audio could not be fetched from '${new URL(url).host}': ${what}`, {
		description: `Check 'Audio URL': it must lead to the audio file itself, without a login.${detail}`,
	});
}

function headerOf(response: IN8nHttpFullResponse, name: string): string {
	const value = response.headers[name];
	return typeof value === 'string' ? value : '';
}

/** The name that the server gives the file, else the end of the address. */
function nameOf(response: IN8nHttpFullResponse, url: string): string {
	const disposition = headerOf(response, 'content-disposition');
	const extended = /filename\*=utf-8''([^;]+)/i.exec(disposition)?.[1];
	const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
	const { pathname } = new URL(url);
	const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
	try {
		return decodeURIComponent(extended ?? plain ?? segment);
	} catch {
		return plain ?? segment; // a stray percent sign
	}
}

/**
 * @param url value of `audioUrl`
 * @returns the address without surrounding white space
 * @throws UserError if it is not an http(s) address
 */
export function checkAudioUrl(url: unknown): string {
	const text = String(url ?? '').trim();
	if (text === '') {
		throw new UserError("'Audio URL' is empty", {
			description:
				"Enter the address of a recording, or set 'Audio Source' to 'File From Previous Step'.",
		});
	}
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		throw new UserError("'Audio URL' is not a web address", {
			description: `It must start with 'https://' or 'http://', and it is '${text.slice(0, 200)}'.`,
		});
	}
	return text;
}

/** @throws UserError if there is no response */
async function fetchOnce(
	fetchAudio: FetchAudio,
	url: string,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	try {
		return await fetchAudio({ url, abortSignal: signal });
	} catch (error) {
		throw refuse(url, 'its server did not return it', (error as Error).message);
	}
}

function isRedirect(response: IN8nHttpFullResponse): boolean {
	const has = [301, 302, 303, 307, 308].includes(response.statusCode);
	return has && headerOf(response, 'location') !== '';
}

/** @returns the address that a redirect leads to */
function targetOf(response: IN8nHttpFullResponse, from: string): string {
	const location = headerOf(response, 'location');
	if (URL.canParse(location, from)) {
		const { href } = new URL(location, from);
		if (/^https?:/.test(href)) return href;
	}
	throw refuse(from, 'it redirects to something that is not a web address');
}

/** Each redirect is a request of its own, so that n8n's protection of internal addresses checks each of them. */
async function fetchFollowing(
	fetchAudio: FetchAudio,
	url: string,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	let address = url;
	for (let redirects = 0; redirects <= maxAudioRedirects; redirects++) {
		// n8n's client keeps the connection of an unread response open, even when the response is destroyed.
		const step = new AbortController();
		const ends = AbortSignal.any([signal, step.signal]);
		const response = await fetchOnce(fetchAudio, address, ends);
		if (!isRedirect(response)) return response;
		step.abort();
		address = targetOf(response, address);
	}
	throw refuse(url, `it redirects more than ${maxAudioRedirects} times`);
}

/** Audio on the web, forwarded while it arrives. The credential's key is never sent there. */
export function audioUrlSource(url: string, fetchAudio: FetchAudio): AudioSource {
	async function open(signal: AbortSignal): Promise<OpenAudio> {
		const response = await fetchFollowing(fetchAudio, url, signal);
		if (Math.floor(response.statusCode / 100) !== 2) {
			throw refuse(url, `its server responded with status ${response.statusCode}`);
		}
		const stream = response.body as unknown as AudioStream;
		// Digits, or nothing: Node accepts no other length.
		const length = headerOf(response, 'content-length');
		return {
			size: length === '' ? undefined : Number(length),
			declared: {
				name: nameOf(response, url),
				mimeType: headerOf(response, 'content-type'),
			},
			chunks: stream,
			close: () => stream.destroy(),
		};
	}
	return { identity: [url], open };
}
