import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request comes from the console's page or from a program. The console creates keys without a login, so other
 * websites in a browser must be refused. Another website has another Origin. A website whose name was made to resolve to
 * this machine (DNS rebinding) has a public name as its Host; addresses, `localhost` and names without a dot cannot be used
 * for that.
 *
 * @param ownHost host that the emulator listens on
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, ownHost: string): boolean {
	const { host, origin } = headers;
	if (host === undefined) return false;
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	const isSafeHost = name === ownHost || isIP(name) !== 0 || /^[a-z0-9_-]+$/i.test(name);
	if (!isSafeHost) return false;
	if (headers['sec-fetch-site'] === 'cross-site') return false;
	return origin === undefined || origin === `http://${host}`;
}
