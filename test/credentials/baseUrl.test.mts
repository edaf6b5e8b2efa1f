import { validateBaseUrl, validateEndOfBaseUrl } from '../../credentials/baseUrl.ts';
import { catchError } from '../support/catchError.mts';
import { serviceEndpoints } from '../support/serviceInterface.mts';

/** Hosts that docs/security.md calls not public, in every notation that a URL may have. */
const notPublic = {
	loopback: '127.0.0.1 127.255.255.255 127.1 2130706433 １２７.0.0.1 [::1] [::ffff:127.0.0.1]',
	'private 10/8 and 172.16/12': '10.255.255.255 172.16.0.0 172.31.255.255',
	'private 192.168/16': '192.168.0.0 192.168.255.255 [::ffff:c0a8:1]',
	'link-local': '169.254.0.0 169.254.255.255 [fe80::1] [FE80::1] [febf:ffff::1]',
	shared: '100.64.0.0 100.127.255.255 [::ffff:100.64.0.1]',
	'unique-local': '[fc00::] [fdff:ffff:ffff::1]',
	'names without a dot': 'localhost LOCALHOST localhost. emulator n8n_worker h2',
	'names in a private network':
		'printer.local app.localhost voice.internal nas.lan nas.home.arpa voice.default.svc 8.8.8.8.local',
};

const isPublic = {
	'IPv4 addresses next to private ranges':
		'8.8.8.8 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0 169.253.255.255',
	'IPv4 addresses next to shared ones': '100.63.255.255 100.128.0.0',
	'other notations': '134744072 010.8.8.8 8.8 12345',
	'IPv6 addresses next to the ranges':
		'[2001:db8::1] [::2] [::] [fe7f::1] [fec0::1] [fbff::1] [::ffff:8.8.8.8]',
	names:
		'example.com localhost.example.com voice.local.example.com internal.com my.arpa fd12.example',
	'names that begin with an address': '10.0.0.1.example.com 127.0.0.1.nip.io',
};

const listRows = (groups: Record<string, string>) =>
	Object.entries(groups).flatMap(([group, hosts]) =>
		hosts.split(' ').map((host) => ({ group, host })),
	);

describe('plain http', () => {
	it.each(listRows(notPublic))('is accepted for $group: $host', ({ host }) => {
		expect(validateBaseUrl(`http://${host}:8080/api/`)).toBe(
			`${new URL(`http://${host}:8080`).origin}/api`,
		);
	});

	it.each(listRows(isPublic))('is rejected for $group, but not https: $host', ({ host }) => {
		expect(() => validateBaseUrl(`http://${host}:8080/`)).toThrow(
			`would send the key unencrypted to the public host '${new URL(`http://${host}`).hostname}'`,
		);
		expect(validateBaseUrl(`https://${host}`)).toBe(new URL(`https://${host}`).origin);
	});
});

describe('the address', () => {
	it.each([
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/v1/voice/', 'https://api.example.com/v1/voice'],
		[' \thttps://api.example.com\r\n', 'https://api.example.com'],
		['HTTPS://API.Example.com:443/V1', 'https://api.example.com/V1'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['https://bücher.example', 'https://xn--bcher-kva.example'],
	])('is read: "%s" as %s', (value, expected) => {
		expect(validateBaseUrl(value)).toBe(expected);
	});

	const start = "does not start with 'https://' or 'http://'";
	const scheme = "Begin it with 'https://', e.g. 'https://api.example.com'.";
	const like = "Enter it like 'https://api.example.com'.";
	const more = "contains a user name, a password, '?' or '#'";
	const remove = "Remove user name, password, and everything from '?' or '#' on.";
	const provider = 'Enter the address that your provider gave you.';
	const unencrypted = "Use 'https://'. Plain 'http://' is only for hosts of your own network.";
	const beginPrivate = (host: string) =>
		`Begin it with 'http://', e.g. 'http://${host}', or with 'https://' if it has a certificate.`;

	const rejected: Array<[what: string, description: string, ...values: string[]]> = [
		['is empty', provider, '', ' \n'],
		[start, scheme, 'api.example.com', 'api.example.com:8080/v1', '8.8.8.8', '[2001:db8::1]'],
		[start, scheme, '//api.example.com', 'https:api.example.com', 'https:/api.example.com'],
		[start, scheme, 'wss:https://a.example', 'javascript:alert(1)'],
		[start, beginPrivate('localhost'), 'localhost'],
		[start, beginPrivate('localhost:8080'), 'localhost:8080/v1'],
		[start, beginPrivate('192.168.1.20:5000'), '192.168.1.20:5000'],
		[start, beginPrivate('[::1]:8080'), '[::1]:8080'],
		[start, beginPrivate('voice.internal'), 'Voice.Internal/v1'],
		['is not a valid address', like, 'https://', 'https://a b', 'https://256.0.0.1', 'https://?'],
		['is not a valid address', like, 'https://a.example:99999', 'https://[::1'],
		[more, remove, 'https://a.example?x=1', 'https://a.example#b', 'https://a.example?'],
		[more, remove, 'https://a.example/v1/? ', 'https://a.example#', 'https://a.example/v1?#'],
		[more, remove, 'https://ann@a.example', 'https://:w@a.example', 'http://localhost@a.example'],
		['would send the key unencrypted', unencrypted, 'http://a.example'],
	];

	const rejectedValues = rejected.flatMap(([what, description, ...values]) =>
		values.map((value) => ({ what, description, value })),
	);

	it.each(rejectedValues)('is rejected if it $what: "$value"', ({ what, description, value }) => {
		const message = expect.stringContaining(`The 'Base URL' of the credential ${what}`) as string;
		expect(catchError(() => validateBaseUrl(value))).toMatchObject({ message, description });
	});
});

describe('a base URL that ends in a path that the node adds, or in that of the console', () => {
	const paths = ['/ai', ...serviceEndpoints.map(({ path }) => path)];
	const spellings = paths.flatMap((path) => [path, `${path}/`, `${path}///`, path.toUpperCase()]);

	it.each(spellings)('is accepted for calls, but not for the test: %s', (path) => {
		const baseUrl = validateBaseUrl(`https://api.example.com/v1${path}`);
		expect(baseUrl).toBe(`https://api.example.com/v1${path.replace(/\/+$/, '')}`);
		expect(catchError(() => validateEndOfBaseUrl(baseUrl))).toMatchObject({
			message: expect.stringContaining("The 'Base URL' of the credential ends in '/") as string,
			description: expect.stringContaining("enter 'https://api.example.com/v1'.") as string,
		});
	});

	it.each([
		'api.example.com',
		'api.example.com/v1',
		'api.example.com/openai',
		'api.example.com/ai/v1',
		'api.example.com/ai/speech-to-text-2',
		'api.example.com/amd',
		'api.example.com/ai.example',
		'ai',
		'api.example.com/console/v1',
		'console.example.com',
	])('is not %s', (address) => {
		expect(() => validateEndOfBaseUrl(validateBaseUrl(`https://${address}`))).not.toThrow();
	});

	it.each(['/console', '/v1/Console//'])('is not accepted for the test: %s', (path) => {
		const baseUrl = validateBaseUrl(`https://api.example.com${path}`);
		expect(catchError(() => validateEndOfBaseUrl(baseUrl))).toMatchObject({
			message: "The 'Base URL' of the credential ends in '/console'",
			description: expect.stringContaining("put it into 'Console URL'") as string,
		});
	});
});
