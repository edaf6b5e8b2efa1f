import type { IHttpRequestOptions } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';

const credentialType = new VoiceSpeechApi();
const credential = {
	apiKey: ' eak_test_abc\n',
	environment: 'sandbox',
	baseUrl: 'https://voice.example/base/',
};

/** The node, the HTTP Request node and others set more properties than n8n's types have. */
async function authenticate(options: object, changes = {}) {
	return await credentialType.authenticate(
		{ ...credential, ...changes },
		options as IHttpRequestOptions,
	);
}

describe("a request to the credential's server", () => {
	it.each<object>([
		{ url: 'HTTPS://VOICE.example:443/ai' },
		{ uri: 'https://voice.example/ai/new', followRedirect: true, disableFollowRedirect: false },
		{ url: '', uri: 'https://voice.example/ai/new' },
		{ url: '/ai/new', baseURL: 'https://voice.example/base' },
		{ url: '/ai/new' },
		{ url: 'https://voice.example/', baseURL: 'https://evil.example' },
		{ url: '//voice.example/ai/new' },
		{ baseURL: 'https://voice.example' },
	])('gets the key in place of another one, and follows no redirect: %j', async (options) => {
		const given = { method: 'POST', headers: { a: 'b', 'X-API-Key': 'other' }, ...options };
		const authenticated = await authenticate(given);
		expect(authenticated).toEqual({
			method: 'POST',
			...options,
			headers: { a: 'b', 'X-API-Key': 'eak_test_abc' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
		expect(given.headers['X-API-Key']).toBe('other');
	});

	it('gets the key if the host has an umlaut', async () => {
		// Some thousand calls, because V8 then optimizes URL.canParse, which is wrong after that.
		for (let call = 0; call < 10_000; call++) URL.canParse('https://voice.example');
		const baseUrl = 'https://b\u00fccher.example';
		const { headers } = await authenticate({ url: `${baseUrl}/ai/new` }, { baseUrl });
		expect(headers).toEqual({ 'X-API-Key': 'eak_test_abc' });
	});

	it.each<[baseUrl: string, proxy: unknown]>([
		['http://voice.internal', 'http://10.0.0.1:3128'],
		['http://voice.internal', '127.0.0.1:3128'],
		['http://voice.internal', { host: '[::1]', port: 3128 }],
		['http://voice.internal', ''],
		['https://voice.example', 'http://proxy.example.com:8080'],
	])('gets the key if it goes to %s through the proxy %j', async (baseUrl, proxy) => {
		const { headers } = await authenticate({ url: '/ai', proxy }, { baseUrl });
		expect(headers).toMatchObject({ 'X-API-Key': 'eak_test_abc' });
	});
});

describe('a refused request', () => {
	const evil = 'https://evil.example';

	const notValid = 'an address that is not valid';

	it.each<[goesTo: string, options: object]>([
		[`'${evil}'`, { url: 'https://evil.example/ai' }],
		["'https://voice.example.evil'", { url: 'https://voice.example.evil/' }],
		[`'${evil}'`, { url: 'https://voice.example@evil.example' }],
		["'https://voice.example:8443'", { url: 'https://voice.example:8443/' }],
		["'http://voice.example'", { url: 'http://voice.example/ai' }],
		[`'${evil}'`, { url: '//evil.example/ai', baseURL: 'https://voice.example' }],
		[`'${evil}'`, { url: '/\\evil.example/ai' }],
		[`'${evil}'`, { url: '/\t/evil.example/ai' }],
		[`'${evil}'`, { url: '/ai', baseURL: evil }],
		[notValid, { url: 'https://' }],
		[notValid, { baseURL: 'nowhere' }],
		// An address may contain markup.
		[notValid, { url: 'http://<img src=x>/' }],
	])('gets no key if it goes to %s: %j', async (goesTo, options) => {
		const given = { headers: {}, ...options };
		await expect(authenticate(given)).rejects.toMatchObject({
			message: `This credential sends its key to 'https://voice.example' only, and the request goes to ${goesTo}`,
			description:
				"Use an address below the credential's 'Base URL', or choose another credential. Nothing was sent.",
		});
		expect(given.headers).toEqual({});
	});

	it.each<{ proxy: unknown }>([
		{ proxy: 'http://proxy.example.com:8080' },
		{ proxy: 'proxy.example.com:8080' },
		{ proxy: 'http://user:secret@8.8.8.8' },
		{ proxy: { host: 'proxy.example.com', port: 8080 } },
		{ proxy: { port: 8080 } },
		{ proxy: 'http://' },
	])('gets no key if it is not encrypted and goes through the proxy $proxy', async ({ proxy }) => {
		const given = { url: '/ai', headers: {}, proxy };
		await expect(authenticate(given, { baseUrl: 'http://voice.internal' })).rejects.toMatchObject({
			message: 'The proxy of this request would get the key unencrypted',
			description: expect.stringContaining('Nothing was sent.') as string,
		});
		expect(given.headers).toEqual({});
	});

	const notOurs =
		"Keys start with eak_test_ (sandbox) or eak_live_ (live). Copy the key again from the service's console.";
	const incomplete = "Copy the key again from the service's console, without spaces in it.";
	const useLive = "Set 'Environment' to 'Live' to use the live wallet, or enter another key.";
	const useSandbox =
		"Set 'Environment' to 'Sandbox' to use the sandbox wallet, or enter another key.";
	const provider = 'Enter the address that your provider gave you.';

	// test/credentials/baseUrl.test.mts tests all base URLs.
	const notAKey = 'is not a key of this service';
	const isLive = "'Sandbox', but its key is a live key (eak_live_...)";
	const isSandbox = "'Live', but its key is a sandbox key (eak_test_...)";
	const neither = "'Environment' of the credential is neither 'Sandbox' nor 'Live', but its key";
	const consoleUrl = 'https://console.example';
	const inConsole = notOurs.replace(/\.$/, ` (${consoleUrl}).`);

	it.each<[changes: object, message: string, description: string]>([
		[{ apiKey: '' }, notAKey, notOurs],
		[{ apiKey: undefined }, notAKey, notOurs],
		[{ apiKey: 'eak_test_' }, 'is incomplete or', incomplete],
		[{ apiKey: 'eak_test_a\r\nX: y' }, 'contains an invalid character', incomplete],
		[{ apiKey: 'eak_live_abc' }, isLive, useLive],
		[{ environment: 'live' }, isSandbox, useSandbox],
		[{ environment: '' }, neither, useSandbox],
		[{ apiKey: 'sk_wrong', consoleUrl }, notAKey, inConsole],
		[{ baseUrl: undefined }, "'Base URL' of the credential is empty", provider],
	])('gets no key from a credential with %j', async (changes, message, description) => {
		const options = { url: 'https://voice.example/ai', headers: {} };
		await expect(authenticate(options, changes)).rejects.toMatchObject({
			message: expect.stringContaining(message) as string,
			description,
		});
		expect(options.headers).toEqual({});
	});

	it.each(['eak_test_a b', 'sk-secret', 'eak_live_secret'])(
		'does not get the key %j, which the error does not show',
		async (apiKey) => {
			const error = await authenticate({ url: '/ai' }, { apiKey }).catch((cause: Error) => cause);
			const text = JSON.stringify(error, Object.getOwnPropertyNames(error));
			expect(text).toMatch(/"message":/);
			expect(text).not.toContain(apiKey.replace(/^eak_live_/, ''));
		},
	);
});

it('tests the credential with a rule for every status that counts as failed', () => {
	const { request, rules = [] } = credentialType.test;
	const { ignore, except } = request.ignoreHttpStatusErrors as {
		ignore: boolean;
		except: number[];
	};
	expect(ignore).toBe(true);
	expect(except).toEqual(expect.arrayContaining([401, 403, 407, 429, 500, 502, 503, 504]));
	expect(except.filter((status) => status >= 300 && status < 400)).toHaveLength(100);
	expect(except.filter((status) => [404, 405].includes(status))).toEqual([]);
	// Older versions of n8n ignore `except`: they see the status in a rule of the second kind only.
	for (const type of ['responseCode', 'responseSuccessBody']) {
		const own = rules.filter((rule) => rule.type === type);
		const judged = own.map(({ properties }) => (properties as { value: number }).value);
		expect([...judged].sort()).toEqual([...except].sort());
	}
});

describe("an error in the credential's test", () => {
	const test = { method: 'GET', url: '/ai/speech-to-text', baseURL: 'https://voice.example/base' };

	it.each([
		[{ apiKey: 'sk-1' }, /not a key of this service\. Keys start with /],
		[{ environment: 'live' }, /is a sandbox key .*\. Set 'Environment' to 'Sandbox'/],
		[{ baseUrl: '' }, /'Base URL' of the credential is empty\. Enter the address/],
		[{ baseUrl: 'https://a.example/v1/Ai/amd//' }, /'Base URL'.* enter 'https:\/\/a.example\/v1'/],
	])('says what to do in its message, because n8n shows nothing else: %j', async (...row) => {
		const [changes, message] = row;
		await expect(authenticate({ ...test }, changes)).rejects.toThrow(message);
	});

	it('stays as it is if another part throws it', async () => {
		// An expression may yield an object that cannot be converted to text.
		const changes = { baseUrl: Object.create(null) as object };
		await expect(authenticate({ ...test }, changes)).rejects.toThrow(
			new TypeError('Cannot convert object to primitive value'),
		);
	});
});
