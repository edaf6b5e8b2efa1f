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
export function isPrivateHost(hostname: string): boolean {
	if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
	if (/^\d+(\.\d+){3}$/.test(hostname)) return privateIpv4.test(hostname);
	const name = hostname.replace(/\.$/, '');
	return name !== '' && (!name.includes('.') || privateNames.test(`.${name}`));
}
