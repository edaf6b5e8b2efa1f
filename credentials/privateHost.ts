/** IPv4 ranges that are not public, as [first address, number of fixed bits] (RFC 1122, 1918, 3927, 6598). */
const privateIpv4: Array<[string, number]> = [
	['127.0.0.0', 8],
	['10.0.0.0', 8],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
	['169.254.0.0', 16],
	['100.64.0.0', 10],
];

const privateNames = /\.(local|localhost|internal|lan|home\.arpa|svc)$/;

function ipv4ToNumber(address: string): number {
	return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function isPrivateIpv4(address: string): boolean {
	const number = ipv4ToNumber(address);
	return privateIpv4.some(([first, bits]) => {
		const size = 2 ** (32 - bits);
		return Math.floor(number / size) === Math.floor(ipv4ToNumber(first) / size);
	});
}

/** Spells out an IPv6 address that the URL parser has already made canonical, as eight numbers. */
function ipv6Groups(address: string): number[] {
	const [head, tail] = address.split('::') as [string, string?];
	const groups = (part: string) => (part === '' ? [] : part.split(':').map((g) => parseInt(g, 16)));
	if (tail === undefined) return groups(head);
	const missing = 8 - groups(head).length - groups(tail).length;
	return [...groups(head), ...new Array<number>(missing).fill(0), ...groups(tail)];
}

function isPrivateIpv6(address: string): boolean {
	const groups = ipv6Groups(address);
	const first = groups[0] ?? 0;
	const zeros = groups.findIndex((group) => group !== 0);
	if (zeros === 7 && groups[7] === 1) return true; // loopback ::1
	if (zeros === 5 && groups[5] === 0xffff) {
		const [high = 0, low = 0] = groups.slice(6);
		return isPrivateIpv4([high >> 8, high & 255, low >> 8, low & 255].join('.'));
	}
	// Link-local fe80::/10 and unique-local fc00::/7.
	return (first & 0xffc0) === 0xfe80 || (first & 0xfe00) === 0xfc00;
}

/**
 * Tells whether a host can only be reached from a private network, so that plain http to it does not
 * carry the key over the internet.
 *
 * @param hostname of a parsed URL: lower case, every spelling of an address already canonical
 */
export function isPrivateHost(hostname: string): boolean {
	if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
	if (/^\d+(\.\d+){3}$/.test(hostname)) return isPrivateIpv4(hostname);
	const name = hostname.replace(/\.$/, '');
	return name !== '' && (!name.includes('.') || privateNames.test(`.${name}`));
}
