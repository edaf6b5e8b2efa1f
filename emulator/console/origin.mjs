import { isIP } from 'node:net';

/**
 * Whether a request to the console comes from the console itself or from a program, and not from
 * another site in somebody's browser: the console makes keys, and knows no login.
 * A foreign page shows itself by its Origin; one that made its own name point here, by the Host,
 * which then has a public name. Addresses, `localhost`, and names without a dot (as containers
 * have) cannot be made to point here by a stranger.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} ownHost the name or address that the emulator was told to listen on
 * @returns {boolean}
 */
export function isOwnOrigin(headers, ownHost) {
	const { host, origin } = headers;
	if (host === undefined || !isSafeHost(host, ownHost)) return false;
	if (headers['sec-fetch-site'] === 'cross-site') return false;
	return origin === undefined || origin === `http://${host}`;
}

/**
 * @param {string} host as in the header, with or without a port
 * @param {string} ownHost
 */
function isSafeHost(host, ownHost) {
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return name === ownHost || isIP(name) !== 0 || /^[a-z0-9_-]+$/i.test(name);
}
