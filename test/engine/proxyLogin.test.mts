import { useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { expectNothingDebited, readErrorText } from '../support/outcome.mts';
import { ProxyServer } from '../support/servers/proxyServer.mts';
import { RawServer, respondWithRawBytes } from '../support/servers/rawServer.mts';

const node = useNode();
const proxy = ProxyServer.use();
const targets = { http: RawServer.use(), https: RawServer.use({ tls: true }) };

beforeEach(() => {
	targets.http.respond = respondWithRawBytes('HTTP/1.1 204 No Content\r\n\r\n');
});

type Scheme = keyof typeof targets;

/** Calls the service through the proxy. */
async function callThrough(address: string | undefined, scheme: Scheme) {
	const requestOptions = address === undefined ? {} : { proxy: address };
	return await node.run(
		{ ...speechToTextParameters, requestOptions },
		{ credential: { baseUrl: targets[scheme].baseUrl } },
	);
}

/** The proxy accepts only the right login. What the service then responds does not matter here. */
async function expectAccepted(address: string | undefined, scheme: Scheme) {
	await callThrough(address, scheme);
	expect(proxy.accepted).toHaveLength(1);
	expect(proxy.accepted[0]).toMatch(scheme === 'https' ? /^CONNECT / : /^POST http:/);
}

/** A password as users write it, and what the proxy must get. */
const logins = [
	{ written: '100%', password: '100%' },
	{ written: 'a%2541', password: 'a%41' },
	{ written: 'p%40ss%3Aword', password: 'p@ss:word' },
	{ written: 'pässwort€', password: 'pässwort€' },
];

const schemes = Object.keys(targets) as Scheme[];

describe.each(schemes)('a proxy with a login, for a base URL with %s', (scheme) => {
	it.each(logins)("of 'Proxy' gets the password $password for $written", async (login) => {
		proxy.login = { user: 'jürgen%', password: login.password };
		await expectAccepted(proxy.getAddress('jürgen%', login.written), scheme);
	});

	describe("of n8n's environment", () => {
		const variables = ['HTTP_PROXY', 'HTTPS_PROXY'];
		const setProxy = (address: string) => {
			for (const variable of variables) process.env[variable] = address;
		};

		afterEach(() => {
			for (const variable of variables) delete process.env[variable];
		});

		it('gets a password with special characters', async () => {
			proxy.login = { user: 'anna', password: '100%@' };
			setProxy(proxy.getAddress('anna', '100%25%40'));
			await expectAccepted(undefined, scheme);
		});

		it('that is not encoded correctly gets nothing, and nothing was debited', async () => {
			// n8n connects to the proxy before it decodes the login, and then forgets that connection, whose end nobody would
			// handle.
			if (scheme === 'https') return;
			setProxy(proxy.getAddress('anna', '100%'));
			const output = await callThrough(undefined, scheme);
			expect(output.error?.message).toBe('The address of the proxy is not valid');
			expect(output.error?.description).toContain("write '%25' for '%'");
			expectNothingDebited(readErrorText(output));
			expect(targets[scheme].connections).toBe(0);
		});
	});
});
