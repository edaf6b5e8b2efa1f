import { exposesKeyToProxy } from '../../../credentials/baseUrl';
import { parseUrl } from '../../../credentials/url';
import { isBlank, readNumber } from '../descriptions/readValue';
import {
	createInvalidProxyError,
	createInvalidTimeoutError,
	createPublicProxyError,
} from '../errors/inputError';
import { maxTimerMs } from '../limits';

/** How requests are made, by n8n's Request Options. */
export interface ConnectionOptions {
	/** From the start of a request to its response; 0 if the user set none. */
	timeoutMs: number;
	proxy: URL | undefined;
	skipSslCertificateValidation: boolean;
}

/** The parameter 'Request Options', which n8n adds to every declarative node. */
interface RequestOptions {
	timeout?: unknown;
	proxy?: unknown;
	allowUnauthorizedCerts?: boolean;
}

/**
 * @param address as the user entered it
 * @throws {UserError} if it is not an http(s) address
 */
function parseProxy(address: string): URL {
	const url = parseUrl(address);
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
		throw createInvalidProxyError();
	}
	return url;
}

/**
 * Reads n8n's Request Options, except for Batching.
 *
 * @param value of the parameter
 * @param baseUrl of the credential, checked
 * @throws {UserError} for an invalid proxy or timeout, and for a public proxy that would get the key unencrypted
 */
export function readConnectionOptions(value: unknown, baseUrl: string): ConnectionOptions {
	const { timeout, proxy, allowUnauthorizedCerts } = (value ?? {}) as RequestOptions;
	// An expression may yield any value.
	const address = String(proxy ?? '').trim();
	const proxyUrl = address === '' ? undefined : parseProxy(address);
	if (proxyUrl !== undefined && exposesKeyToProxy(baseUrl, proxyUrl.hostname)) {
		throw createPublicProxyError();
	}
	const timeoutMs = isBlank(timeout) ? 0 : readNumber(timeout);
	// A longer timer would expire at once.
	if (!(timeoutMs >= 0 && timeoutMs <= maxTimerMs)) throw createInvalidTimeoutError();
	return {
		// n8n's client cuts a fraction off, and treats 0 as no limit.
		timeoutMs: Math.ceil(timeoutMs),
		proxy: proxyUrl,
		skipSslCertificateValidation: allowUnauthorizedCerts === true,
	};
}
