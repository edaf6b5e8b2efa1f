import type { IHttpRequestOptions } from 'n8n-workflow';

type ClientProxy = NonNullable<IHttpRequestOptions['proxy']>;

/** A part of an address without its percent encoding; unchanged if it has a stray percent sign. */
function decodePercent(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** n8n's client decodes user and password again, and fails on a stray percent sign. */
function encodeLogin(text: string): string {
	return encodeURIComponent(decodePercent(text));
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
