import { exposesKeyToProxy, parseUrl } from '../../../credentials/baseUrl';
import { hasOption, type LocalOperation } from '../descriptions/operation';
import type { NamedValue, Option } from '../descriptions/optionKinds';
import { type CallOptions, optionDefinitions } from '../descriptions/options';
import { isBlank, readNumber } from '../descriptions/readValue';
import {
	createDuplicateHeaderError,
	createHeaderNotAllowedError,
	createInvalidHeaderError,
	createInvalidProxyError,
	createInvalidTimeoutError,
	createPublicProxyError,
} from '../errors/inputError';
import { maxTimerMs } from '../limits';
import type { Endpoint } from '../service/endpoint';

/**
 * Reads the options of one item.
 *
 * @param saved the value of the parameter 'Options', whose expressions n8n has resolved
 * @param endpoint of the item; an option that does not apply to it has its default, because n8n keeps values that were set
 * for another operation
 * @throws {UserError} for a value that its option cannot have, such as one that is not one of its choices
 */
export function readOptions(saved: unknown, endpoint: Endpoint): CallOptions {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	const values: Record<string, unknown> = {};
	for (const [name, option] of Object.entries<Option<unknown>>(optionDefinitions)) {
		const value = option.appliesTo(endpoint) ? savedValues[name] : undefined;
		values[name] = option.read(value);
	}
	return values as CallOptions;
}

/**
 * Reads the options of an item whose operation the node carries out itself.
 *
 * @throws {UserError} as {@link readOptions}
 */
export function readLocalOptions(saved: unknown, operation: LocalOperation): CallOptions {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	const names = Object.keys(optionDefinitions) as Array<keyof CallOptions>;
	const values = names.map((name): [string, unknown] => {
		const value = hasOption(operation, name) ? savedValues[name] : undefined;
		return [name, optionDefinitions[name].read(value)];
	});
	return Object.fromEntries(values) as CallOptions;
}

/** The values of the options with `changesRequest`, in the order of their definitions. */
export function listValuesThatChangeRequest(values: CallOptions): unknown[] {
	return (Object.keys(optionDefinitions) as Array<keyof CallOptions>)
		.filter((name) => optionDefinitions[name].changesRequest)
		.map((name) => values[name]);
}

/** An option that is sent as a field of the request. */
export interface SentOption {
	label: string;
	/** Name of the field in the request. */
	field: string;
	/** Undefined if the user has not added the option. An object that an expression yields is unchanged, to be rejected. */
	value: unknown;
}

/**
 * The options that their definition sends as fields of the body (n8n's `routing.send`). A new field of the request is
 * usually such an option (docs/development/adding.md).
 *
 * @param saved the value of the parameter 'Options'
 * @param values what {@link readOptions} read of it
 */
export function listSentOptions(
	saved: unknown,
	values: CallOptions,
	endpoint: Endpoint,
): SentOption[] {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	const sent: SentOption[] = [];
	for (const [name, option] of Object.entries<Option<unknown>>(optionDefinitions)) {
		const { displayName, routing } = option.property;
		const field = routing?.send?.property;
		if (field === undefined || !option.appliesTo(endpoint)) continue;
		const savedValue = savedValues[name];
		const isUnchanged = isBlank(savedValue) || typeof savedValue === 'object';
		const value = isUnchanged ? savedValue : values[name as keyof CallOptions];
		sent.push({ label: displayName, field, value });
	}
	return sent;
}

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
 * @param baseUrl of the credential, checked; undefined without a credential
 * @throws {UserError} for an invalid proxy or timeout, and for a public proxy that would get the key unencrypted
 */
export function readConnectionOptions(
	value: unknown,
	baseUrl: string | undefined,
): ConnectionOptions {
	const { timeout, proxy, allowUnauthorizedCerts } = (value ?? {}) as RequestOptions;
	// An expression may yield any value.
	const address = String(proxy ?? '').trim();
	const proxyUrl = address === '' ? undefined : parseProxy(address);
	const isExposed =
		proxyUrl !== undefined &&
		baseUrl !== undefined &&
		exposesKeyToProxy(baseUrl, proxyUrl.hostname);
	if (isExposed) throw createPublicProxyError();
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

/** Headers that the node, the credential or n8n's client sets, so that the user cannot, in lower case. */
const reservedHeaders = [
	'accept-encoding',
	'connection',
	'content-length',
	'content-type',
	'host',
	'x-api-key',
];

/** Headers that change how a request is transferred (RFC 9110, 6.6.2, 7.8 and 10.1; RFC 9112, 6.1), in lower case. */
const transferHeaders = ['expect', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/**
 * Names that n8n's client does not send, in lower case. For axios, they are settings of a method, or could change an
 * object's prototype (axios 1.18.0).
 */
const droppedHeaders = [
	'__proto__',
	'common',
	'constructor',
	'delete',
	'get',
	'head',
	'patch',
	'post',
	'prototype',
	'put',
	'query',
];

/** The characters of a header's name (RFC 9110, 5.6.2). */
const validHeaderName = /^[!#$%&'*+.^_`|~\w-]+$/;

/** The characters of a header's value that Node sends (RFC 9110, 5.5). */
const validHeaderValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws {UserError} for a row of 'Headers' that cannot be sent */
export function validateHeaders(headers: NamedValue[]): void {
	const lowerCaseNames = new Set<string>();
	for (const { name, value } of headers) {
		if (!validHeaderName.test(name) || !validHeaderValue.test(value)) {
			throw createInvalidHeaderError(name);
		}
		const lowerCaseName = name.toLowerCase();
		if (reservedHeaders.includes(lowerCaseName)) {
			throw createHeaderNotAllowedError(name, 'The node sets this header itself.');
		}
		if (transferHeaders.includes(lowerCaseName)) {
			throw createHeaderNotAllowedError(name, 'It would change how the request is transferred.');
		}
		if (droppedHeaders.includes(lowerCaseName)) {
			throw createHeaderNotAllowedError(name, 'n8n does not send a header with this name.');
		}
		if (lowerCaseNames.has(lowerCaseName)) throw createDuplicateHeaderError(name);
		lowerCaseNames.add(lowerCaseName);
	}
}
