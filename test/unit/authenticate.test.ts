import type { IHttpRequestOptions } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';

const credentialType = new VoiceSpeechApi();
const credential = {
	apiKey: ' eak_test_abc\n',
	environment: 'sandbox',
	baseUrl: 'https://voice.example/base/',
};

/** As the node, the HTTP Request node and others ask: their options have more names than n8n's types. */
async function authenticate(options: object, changes = {}) {
	return await credentialType.authenticate(
		{ ...credential, ...changes },
		options as IHttpRequestOptions,
	);
}

describe('the key goes along', () => {
	it.each<[string, object]>([
		['an absolute url', { url: 'https://voice.example/base/ai/new' }],
		['an absolute url outside the path', { url: 'https://voice.example/other' }],
		['an absolute url in capitals, with its port', { url: 'HTTPS://VOICE.example:443/ai' }],
		['an absolute uri (HTTP Request node)', { uri: 'https://voice.example/ai/new' }],
		['an empty url beside a uri', { url: '', uri: 'https://voice.example/ai/new' }],
		['a path below a baseURL', { url: '/ai/new', baseURL: 'https://voice.example/base' }],
		['a path alone', { url: '/ai/new' }],
		[
			'an absolute url, whatever the baseURL',
			{ url: 'https://voice.example/', baseURL: 'https://evil.example' },
		],
		["a '//host' that is the same", { url: '//voice.example/ai/new' }],
		['no url at all', { baseURL: 'https://voice.example' }],
	])('with %s', async (_what, options) => {
		expect(await authenticate({ method: 'POST', headers: { a: 'b' }, ...options })).toEqual({
			method: 'POST',
			...options,
			headers: { a: 'b', 'X-API-Key': 'eak_test_abc' },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it('with redirects off in both styles, however they were set', async () => {
		const options = {
			uri: 'https://voice.example/ai/new',
			followRedirect: true,
			followAllRedirects: true,
			disableFollowRedirect: false,
		};
		expect(await authenticate(options)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it('in the very object that was given: an accessor on it lives on', async () => {
		let signal = 'first';
		const options = Object.defineProperty({ url: '/ai/new' }, 'abortSignal', {
			get: () => signal,
			enumerable: true,
		});
		const authenticated = await authenticate(options);
		signal = 'second';
		expect(authenticated).toBe(options);
		expect(authenticated.abortSignal).toBe('second');
	});

	it('over a header of the same name', async () => {
		const { headers } = await authenticate({ url: '/ai', headers: { 'X-API-Key': 'other' } });
		expect(headers).toEqual({ 'X-API-Key': 'eak_test_abc' });
	});

	it('to plain http in an own network, and to a port', async () => {
		const baseUrl = 'http://emulator:8787';
		const { headers } = await authenticate({ url: 'http://emulator:8787/ai/new' }, { baseUrl });
		expect(headers).toEqual({ 'X-API-Key': 'eak_test_abc' });
	});
});

it('the key goes along to a host with an umlaut', async () => {
	// Some thousand calls, because V8 then optimizes URL.canParse, which is wrong after that.
	for (let call = 0; call < 10_000; call++) URL.canParse('https://voice.example');
	const baseUrl = 'https://b\u00fccher.example';
	const { headers } = await authenticate({ url: `${baseUrl}/ai/new` }, { baseUrl });
	expect(headers).toEqual({ 'X-API-Key': 'eak_test_abc' });
});

describe('the key is refused', () => {
	it.each<[string, object, string]>([
		['another host', { url: 'https://evil.example/ai' }, 'https://evil.example'],
		['another host as uri', { uri: 'https://evil.example/ai' }, 'https://evil.example'],
		['a subdomain', { url: 'https://a.voice.example/' }, 'https://a.voice.example'],
		[
			'a host that begins alike',
			{ url: 'https://voice.example.evil/' },
			'https://voice.example.evil',
		],
		[
			'the host as a user name',
			{ url: 'https://voice.example@evil.example' },
			'https://evil.example',
		],
		['another port', { url: 'https://voice.example:8443/' }, 'https://voice.example:8443'],
		['plain http', { url: 'http://voice.example/ai' }, 'http://voice.example'],
		["'//host'", { url: '//evil.example/ai' }, 'https://evil.example'],
		[
			"'//host' below a baseURL",
			{ url: '//evil.example/ai', baseURL: 'https://voice.example' },
			'https://evil.example',
		],
		["'//host' as uri", { uri: '//evil.example/ai' }, 'https://evil.example'],
		["'\\\\host'", { url: '\\\\evil.example/ai' }, 'https://evil.example'],
		["'/\\host'", { url: '/\\evil.example/ai' }, 'https://evil.example'],
		['a tab between the slashes', { url: '/\t/evil.example/ai' }, 'https://evil.example'],
		['white space before', { url: ' https://evil.example/ai' }, 'https://evil.example'],
		['a scheme without slashes', { url: 'https:evil.example' }, 'https://evil.example'],
		[
			'a baseURL elsewhere',
			{ url: '/ai', baseURL: 'https://evil.example' },
			'https://evil.example',
		],
		['a baseURL elsewhere and no url', { baseURL: 'https://evil.example' }, 'https://evil.example'],
		['what is no address', { url: 'https://' }, 'https://'],
		['nowhere', { baseURL: 'nowhere' }, ''],
	])('to %s', async (_what, options, origin) => {
		const given = { headers: {}, ...options };
		await expect(authenticate(given)).rejects.toMatchObject({
			message: `This credential sends its key to 'https://voice.example' only, and the request goes to '${origin}'`,
			description:
				"Use an address below the credential's 'Base URL', or choose another credential. Nothing was sent.",
		});
		expect(given.headers).toEqual({});
	});

	it.each<[string, object, RegExp]>([
		['no key', { apiKey: '' }, /not a key of this service/],
		['a missing key', { apiKey: undefined }, /not a key of this service/],
		['a prefix without a key', { apiKey: 'eak_test_' }, /incomplete or contains an invalid/],
		['a key with a space inside', { apiKey: 'eak_test_a b' }, /incomplete or contains an invalid/],
		[
			'a key with a line break inside',
			{ apiKey: 'eak_test_a\r\nX: y' },
			/incomplete or contains an invalid/,
		],
		[
			'a live key in the sandbox',
			{ apiKey: 'eak_live_abc' },
			/'Sandbox' but its key is a live key/,
		],
		['a sandbox key in live', { environment: 'live' }, /'Live' but its key is a sandbox key/],
		['no environment', { environment: '' }, /'Environment' is '' but its key is a sandbox key/],
		['a missing environment', { environment: undefined }, /'Environment' is '' but its key/],
		['no base URL', { baseUrl: '' }, /'Base URL' of the credential is empty/],
		['a missing base URL', { baseUrl: undefined }, /'Base URL' of the credential is empty/],
		['a base URL without scheme', { baseUrl: 'voice.example' }, /does not start with 'https:/],
		['plain http to a public host', { baseUrl: 'http://voice.example' }, /unencrypted/],
	])('of a credential with %s', async (_what, changes, message) => {
		const options = { url: 'https://voice.example/ai', headers: {} };
		await expect(authenticate(options, changes)).rejects.toMatchObject({
			message: expect.stringMatching(message) as string,
		});
		expect(options.headers).toEqual({});
	});

	it.each(['eak_test_a b', 'sk-secret', 'eak_live_secret'])(
		'without saying the key %j',
		async (apiKey) => {
			const refusal = await authenticate({ url: '/ai' }, { apiKey }).catch((error: Error) => error);
			expect(refusal).toBeInstanceOf(Error);
			expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal))).not.toContain(
				apiKey.replace(/^eak_live_/, ''),
			);
		},
	);
});

describe('the test of the credential', () => {
	it('makes no POST', () => {
		const { request } = new VoiceSpeechApi().test;
		expect(request).toMatchObject({ method: 'GET', url: '/ai/speech-to-text', encoding: 'stream' });
	});

	it.each([
		[401, /^The service does not accept this key\. .*copy it again/],
		[403, /use other operations only, save the credential anyway\. .* the scope 'speech-to-text'/],
		[429, /too many requests\. Wait a minute/],
		[302, /another address\. .* put the final address into 'Base URL'\. \(Status 302\)$/],
		[503, /^The service failed\. Try again later; .* \(Status 503\)$/],
	])('says to a %i what to do, wherever n8n finds the status', (status, whatNext) => {
		const { rules = [] } = new VoiceSpeechApi().test;
		const own = rules
			.map(({ type, properties }) => ({ type: type as string, properties }))
			.filter(({ properties }) => (properties as { value: number }).value === status);
		const message = expect.stringMatching(whatNext) as string;
		expect(own).toEqual([
			{ type: 'responseCode', properties: { value: status, message } },
			{ type: 'responseSuccessBody', properties: { key: 'statusCode', value: status, message } },
		]);
	});

	it('judges every status that it does not let through', () => {
		const { request, rules = [] } = new VoiceSpeechApi().test;
		const { ignore, except } = request.ignoreHttpStatusErrors as {
			ignore: boolean;
			except: number[];
		};
		expect(ignore).toBe(true);
		expect(except).toEqual(
			expect.arrayContaining([301, 302, 303, 307, 308, 401, 403, 429, 500, 502, 503, 504]),
		);
		expect(except).not.toEqual(expect.arrayContaining([404]));
		expect(except).not.toEqual(expect.arrayContaining([405]));
		// Older n8n lets all of them through: it needs a rule of the other kind.
		for (const type of ['responseCode', 'responseSuccessBody']) {
			const own = rules.filter((rule) => rule.type === type);
			const judged = own.map(({ properties }) => (properties as { value: number }).value);
			expect([...judged].sort()).toEqual([...except].sort());
		}
	});
});

describe("in the credential's test, of which n8n shows the message alone", () => {
	const test = { method: 'GET', url: '/ai/speech-to-text', baseURL: 'https://voice.example/base' };

	it('the key goes along', async () => {
		const { headers } = await authenticate({ ...test });
		expect(headers).toEqual({ 'X-API-Key': 'eak_test_abc' });
	});

	it.each<[string, object, RegExp]>([
		[
			'a key of another service',
			{ apiKey: 'sk-1' },
			/not a key of this service\. Keys start with /,
		],
		[
			'a key of the other environment',
			{ environment: 'live' },
			/is a sandbox key .*\. Set 'Environment' to 'Sandbox'/,
		],
		[
			'an empty base URL',
			{ baseUrl: '' },
			/'Base URL' of the credential is empty\. Enter the address/,
		],
	])('the message for %s says what to do', async (_what, changes, message) => {
		await expect(authenticate({ ...test }, changes)).rejects.toThrow(message);
	});

	it('what is no refusal of ours stays as it is', async () => {
		// As an expression may yield it: an object that is no text.
		const changes = { baseUrl: Object.create(null) as object };
		await expect(authenticate({ ...test }, changes)).rejects.toThrow(
			new TypeError('Cannot convert object to primitive value'),
		);
	});

	it.each([{ method: 'POST' }, { url: '/ai/sentiment' }])(
		'only there: elsewhere what to do stands in the description (%j)',
		async (other) => {
			await expect(authenticate({ ...test, ...other }, { apiKey: 'sk-1' })).rejects.toMatchObject({
				message: "The 'API Key' of the credential is not a key of this service",
			});
		},
	);
});
