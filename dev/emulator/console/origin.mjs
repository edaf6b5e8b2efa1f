import { isIP } from 'node:net';

/**
 * Whether a request comes from the console's page or from a program, and not from another website in
 * a browser: the console creates keys without a login. Another website has another Origin. A website
 * whose name was made to resolve to this machine (DNS rebinding) has a public name as its Host;
 * addresses, `localhost` and names without a dot cannot be used for that.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} ownHost host that the emulator listens on
 * @returns {boolean}
 */
export function isOwnOrigin(headers, ownHost) {
	const { host, origin } = headers;
	if (host === undefined || !isSafeHost(host, ownHost)) return false;
	if (headers['sec-fetch-site'] === 'cross-site') return false;
	return origin === undefined || origin === `http://${host}`;
}

/**
 * @param {string} host value of the header, with or without a port
 * @param {string} ownHost
 */
function isSafeHost(host, ownHost) {
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return name === ownHost || isIP(name) !== 0 || /^[a-z0-9_-]+$/i.test(name);
}
