import { UserError } from 'n8n-workflow';

/**
 * Parses an address. Does not use `URL.canParse`, which on Node 20 and 22 returns false for a host with an umlaut, once V8
 * has optimized it.
 *
 * @returns undefined for a string that is not an address
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Loopback, private, link-local and shared addresses (RFC 1122, 1918, 3927, 6598), which are not public. */
const privateIpv4 =
	/^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Loopback ::1, link-local fe80::/10 and unique-local fc00::/7 (RFC 4291, 4193). */
const privateIpv6 = /^(::1$|fe[89ab][\da-f]:|f[cd][\da-f]{2}:)/;

/** An IPv4 address in IPv6 notation (RFC 4291, 2.5.5.2), as the URL parser writes it. */
const mappedIpv4 = /^::ffff:([\da-f]+):([\da-f]+)$/;

const privateNames = /\.(local|localhost|internal|lan|home\.arpa|svc)$/;

function isPrivateIpv6(address: string): boolean {
	const [, high, low] = mappedIpv4.exec(address) ?? [];
	if (high === undefined || low === undefined) return privateIpv6.test(address);
	const bytes = [high, low].flatMap((group) => [
		parseInt(group, 16) >> 8,
		parseInt(group, 16) & 255,
	]);
	return privateIpv4.test(bytes.join('.'));
}

/**
 * Whether a host can only be reached from a private network, so that plain http to it does not send the key over the
 * internet.
 *
 * @param hostname of a parsed URL: lower case, addresses in their canonical notation
 */
function isPrivateHost(hostname: string): boolean {
	if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
	if (/^\d+(\.\d+){3}$/.test(hostname)) return privateIpv4.test(hostname);
	const name = hostname.replace(/\.$/, '');
	return name !== '' && (!name.includes('.') || privateNames.test(`.${name}`));
}

function createBaseUrlError(
	credentialLabel: string,
	problem: string,
	description: string,
): UserError {
	return new UserError(`The 'Base URL' of ${credentialLabel} ${problem}`, { description });
}

/**
 * Whether a proxy is public and could read the key. It cannot read requests to https, which go through a tunnel.
 *
 * @param baseUrl checked
 * @param proxyHost hostname of the proxy's parsed URL
 */
export function exposesKeyToProxy(baseUrl: string, proxyHost: string): boolean {
	return baseUrl.startsWith('http:') && !isPrivateHost(proxyHost);
}

/**
 * Advice on the scheme of an address that has none: programs in a private network rarely have a certificate.
 *
 * @param text may be anything; one that is a host, perhaps with a port and a path, is read as such
 */
function describeScheme(text: string): string {
	const isHost = /^(\[[^\]]*\]|[^/:]+)(:\d+)?(\/|$)/.test(text);
	const url = isHost ? parseUrl(`http://${text}`) : undefined;
	if (url === undefined || !isPrivateHost(url.hostname)) {
		return "Begin it with 'https://', e.g. 'https://api.example.com'.";
	}
	return `Begin it with 'http://', e.g. 'http://${url.host}', or with 'https://' if it has a certificate.`;
}

/**
 * Checks the address that calls go to, before a key is sent there.
 *
 * @param value as stored; a path and trailing slashes are allowed
 * @param credentialLabel how errors refer to the credential
 * @returns the address without trailing slashes
 * @throws {UserError} for anything but an http(s) address, and for plain http to a public host
 */
export function validateBaseUrl(value: string, credentialLabel = 'the credential'): string {
	const text = value.trim();
	if (text === '') {
		throw createBaseUrlError(
			credentialLabel,
			'is empty',
			'Enter the address that your provider gave you.',
		);
	}
	if (!/^https?:\/\//i.test(text)) {
		throw createBaseUrlError(
			credentialLabel,
			"does not start with 'https://' or 'http://'",
			describeScheme(text),
		);
	}
	const url = parseUrl(text);
	if (url === undefined) {
		throw createBaseUrlError(
			credentialLabel,
			'is not a valid address',
			"Enter it like 'https://api.example.com'.",
		);
	}
	// The text is checked, because a `?` or `#` at its end leaves `search` and `hash` empty (WHATWG URL). The path of an
	// operation that is appended to it would become part of the query or the fragment.
	if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
		throw createBaseUrlError(
			credentialLabel,
			"contains a user name, a password, '?' or '#'",
			"Remove user name, password, and everything from '?' or '#' on.",
		);
	}
	if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
		throw createBaseUrlError(
			credentialLabel,
			`would send the key unencrypted to the public host '${url.hostname}'`,
			"Use 'https://'. Plain 'http://' is only for hosts of your own network.",
		);
	}
	// The lookbehind makes it linear for a long run of slashes that is not at the end.
	return url.href.replace(/(?<!\/)\/+$/, '');
}

/** The operations' common parent, alone or with the path of an operation, which is words (docs/openapi.yaml). */
const operationPath = /(?<!\/)\/ai(\/[a-z]+(-[a-z]+)*)?$/i;

/**
 * Finds the path of an operation at the end of a base URL.
 *
 * @param baseUrl as {@link validateBaseUrl} returns it
 * @returns the end of the base URL that the node appends itself; undefined without one
 */
export function findOperationPath(baseUrl: string): string | undefined {
	return operationPath.exec(baseUrl)?.[0];
}

/**
 * Rejects a base URL that ends in the path of an operation or of the console. Only the credential's test does this. Calls
 * are not rejected, because a service may really be at such an address.
 *
 * @param baseUrl as {@link validateBaseUrl} returns it
 * @throws {UserError} that says which address to enter
 */
export function validateEndOfBaseUrl(baseUrl: string): void {
	const path = findOperationPath(baseUrl);
	if (path !== undefined) {
		throw createBaseUrlError(
			'the credential',
			`ends in '${path}'`,
			`The node adds this path itself: enter '${baseUrl.slice(0, -path.length)}'.`,
		);
	}
	if (/\/console$/i.test(baseUrl)) {
		throw createBaseUrlError(
			'the credential',
			"ends in '/console'",
			"That is probably the address of the service's console: put it into 'Console URL', and the address for API calls into 'Base URL'.",
		);
	}
}
