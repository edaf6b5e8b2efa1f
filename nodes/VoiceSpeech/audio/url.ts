import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { faultText } from '../errors/network';
import { copiesOverHttp } from './collector';
import type { ByteSource, Recording } from './recording';

/** How n8n's request options shape the way to the address: they hold for it as for the service. */
export type Route = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

const maxRedirects = 5;

type AudioStream = AsyncIterable<Uint8Array> & { destroy(): void };

function hostOf(url: string): string {
	return new URL(url).host;
}

/** @param fault goes into the description: n8n replaces a message that names an error code by one of its own */
function refuse(url: string, what: string, fault = ''): UserError {
	const detail = fault === '' ? '' : ` (${fault})`;
	return new UserError(`The recording could not be fetched from '${hostOf(url)}': ${what}`, {
		description: `Check 'Audio URL': it must lead to the audio file itself, without a login. Nothing was sent to the service.${detail}`,
	});
}

function headerOf(response: IN8nHttpFullResponse, name: string): string {
	const value = response.headers[name];
	return typeof value === 'string' ? value : '';
}

/** The name the other side gives the file, else the end of the address. */
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
 * @throws UserError for what is no http(s) address
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

/** @throws UserError, in whose eyes the service plays no part */
async function fetchFrom(
	context: IExecuteSingleFunctions,
	url: string,
	route: Route,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	try {
		return (await context.helpers.httpRequest({
			...route,
			url,
			method: 'GET',
			// Not compressed, so that the announced length is that of the bytes that come.
			headers: { Accept: 'audio/*, */*;q=0.5', 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Followed by hand: older n8n does not know 'maxRedirects'.
			disableFollowRedirect: true,
			// The call's own watch ends it where nothing comes.
			timeout: 0,
			abortSignal: signal,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		return await Promise.reject(refuse(url, 'its server did not give it out', faultText(error)));
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
	throw refuse(from, 'it redirects to what is no web address');
}

/** Each step is a request of its own, so that n8n's protection of internal addresses looks at each. */
async function fetchFollowing(
	context: IExecuteSingleFunctions,
	url: string,
	route: Route,
	signal: AbortSignal,
): Promise<IN8nHttpFullResponse> {
	let address = url;
	for (let redirects = 0; redirects <= maxRedirects; redirects++) {
		// n8n's client holds the connection of an answer of which nothing was read, even where it is destroyed.
		const step = new AbortController();
		const ends = AbortSignal.any([signal, step.signal]);
		const response = await fetchFrom(context, address, route, ends);
		if (!isRedirect(response)) return response;
		step.abort();
		address = targetOf(response, address);
	}
	throw refuse(url, `it redirects more than ${maxRedirects} times`);
}

/**
 * A recording on the web, passed on while it arrives. The key of the credential is never sent there; n8n's own
 * protection of internal addresses applies to the address and to every redirect.
 */
export function recordingAt(
	context: IExecuteSingleFunctions,
	url: string,
	route: Route,
): Recording {
	async function open(signal: AbortSignal): Promise<ByteSource> {
		const response = await fetchFollowing(context, url, route, signal);
		if (Math.floor(response.statusCode / 100) !== 2) {
			throw refuse(url, `its server answered with status ${response.statusCode}`);
		}
		const stream = response.body as unknown as AudioStream;
		// Digits, or nothing: Node lets no other length through.
		const length = headerOf(response, 'content-length');
		return {
			size: length === '' ? undefined : Number(length),
			announced: {
				name: nameOf(response, url),
				mimeType: headerOf(response, 'content-type'),
			},
			chunks: stream,
			copies: copiesOverHttp,
			close: () => stream.destroy(),
		};
	}
	return { identity: [url], open };
}
