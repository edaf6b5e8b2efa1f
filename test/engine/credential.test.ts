/* eslint-disable @n8n/community-nodes/no-deprecated-workflow-functions -- what n8n's HTTP Request node itself uses */
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeParameters,
	IRequestOptions,
} from 'n8n-workflow';

import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { apiKey, speak, speechToText, useNode } from '../support/node';
import { json, ScriptedServer } from '../support/scriptedServer';

const node = useNode();

// All keys and base URLs that are refused: test/credentials.

describe('nothing is sent with', () => {
	it.each<[string, ICredentialDataDecryptedObject, string, string]>([
		[
			'a key of another service',
			{ apiKey: 'sk_test_abc' },
			"The 'API Key' of the credential is not a key of this service",
			"Keys start with eak_test_ (sandbox) or eak_live_ (live). Copy the key again from the service's console.",
		],
		[
			'a key with white space inside',
			{ apiKey: 'eak_test_a b' },
			"The 'API Key' of the credential is incomplete or contains an invalid character",
			"Copy the key again from the service's console, without spaces in it.",
		],
		[
			'a live key in the sandbox',
			{ apiKey: 'eak_live_wire' },
			"The credential's 'Environment' is 'Sandbox' but its key is a live key (eak_live_...)",
			"Set 'Environment' to 'Live' to use the live wallet, or enter another key.",
		],
		[
			'a sandbox key in the live environment',
			{ environment: 'live' },
			"The credential's 'Environment' is 'Live' but its key is a sandbox key (eak_test_...)",
			"Set 'Environment' to 'Sandbox' to use the sandbox wallet, or enter another key.",
		],
		[
			'a public host over plain http',
			{ baseUrl: 'http://voice.example.com/api' },
			"The 'Base URL' of the credential would send the key unencrypted to the public host 'voice.example.com'",
			"Use 'https://'. Plain 'http://' is only for hosts of your own network.",
		],
	])('%s', async (_what, credential, message, description) => {
		// Whatever would be sent arrives at the recorder: it is the proxy for all hosts.
		const proxied = { ...speechToText, requestOptions: { proxy: node.service.baseUrl } };
		expect(await node.runUnsent(proxied, { credential })).toEqual({
			message,
			description: `${description} Nothing was sent, so nothing was debited.`,
		});
	});

	it('but something is with white space and capitals in the base URL', async () => {
		const proxied = { ...speechToText, requestOptions: { proxy: node.service.baseUrl } };
		const credential = { baseUrl: ' HTTP://Voice.Internal/a/b//\n' };
		const { request } = await node.runOnce(proxied, { credential });
		expect(request.url).toBe('http://voice.internal/a/b/ai/speech-to-text');
	});

	it('but a pasted key is sent without the white space around it', async () => {
		const credential = { apiKey: ' \teak_test_wire\r\n' };
		const { request } = await node.runOnce(speechToText, { credential });
		expect(request.headers['x-api-key']).toBe('eak_test_wire');
	});
});

describe('a redirect is never followed', () => {
	const elsewhere = ScriptedServer.use(json({ text: 'stolen' }));

	const redirect = (status: number, location: string) => json({}, status, { Location: location });

	it.each<[number, INodeParameters]>([
		...[300, 301, 302, 303, 308].map((status): [number, INodeParameters] => [status, speechToText]),
		[307, speak],
	])('by the node: status %i', async (status, parameters) => {
		const location = `${elsewhere.baseUrl}/ai/elsewhere`;
		node.service.answer = redirect(status, location);
		const { error, items } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service redirects to another address (${status})`);
		expect(error?.description).toContain(
			`The key is never sent along a redirect to '${location}'. If the service has moved, put the new address into the credential's 'Base URL'. The call may have been debited`,
		);
		expect(node.service.arrived).toBe(1);
		expect(elsewhere.arrived).toBe(0);
	});

	it('by the node: not even to the same origin', async () => {
		node.service.answer = redirect(307, '/ai/elsewhere');
		const { error } = await node.run(speechToText);
		expect(error?.message).toContain('(307)');
		expect(error?.description).toContain("to '/ai/elsewhere'.");
		expect(node.service.arrived).toBe(1);
	});

	type Request = (node: IExecuteFunctions, url: string, method: 'GET' | 'POST') => Promise<unknown>;

	/** What n8n's HTTP Request node does with the credential, in both of n8n's styles of request. */
	const styles: Array<[string, Request]> = [
		[
			'as the HTTP Request node asks',
			async (context, uri, method) => {
				const redirects = { followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
				const others = { gzip: true, resolveWithFullResponse: true, simple: false, headers: {} };
				const options = { method, uri, ...redirects, ...others } satisfies IRequestOptions;
				Object.assign(options, { sendCredentialsOnCrossOriginRedirect: true });
				const { requestWithAuthentication: send } = context.helpers;
				return await send.call(context, 'voiceSpeechApi', options);
			},
		],
		[
			'as newer nodes ask',
			async (context, url, method) => {
				const redirects = { disableFollowRedirect: false, maxRedirects: 21 };
				const others = { returnFullResponse: true, ignoreHttpStatusErrors: true };
				const options = { url, method, ...redirects, ...others } satisfies IHttpRequestOptions;
				const { httpRequestWithAuthentication: send } = context.helpers;
				return await send.call(context, 'voiceSpeechApi', options);
			},
		],
	];

	describe.each(styles)('by other nodes, %s', (_what, request) => {
		async function run(url: string, method: 'GET' | 'POST') {
			return await node.engine.run({
				parameters: {},
				credential: node.credential(),
				async execute() {
					const { statusCode } = (await request(this, url, method)) as { statusCode: number };
					return [[{ json: { statusCode } }]];
				},
			});
		}

		it.each<['GET' | 'POST', number]>([
			['GET', 302],
			['POST', 302],
			['POST', 307],
			['POST', 308],
		])('%s, status %i', async (method, status) => {
			node.service.answer = redirect(status, `${elsewhere.baseUrl}/`);
			const { items, error } = await run(`${node.service.baseUrl}/ai/new`, method);
			expect(error).toBeUndefined();
			expect(items[0]?.json).toEqual({ statusCode: status });
			expect(node.service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([apiKey]);
			expect(elsewhere.arrived).toBe(0);
		});

		it.each<'GET' | 'POST'>(['GET', 'POST'])('%s to another origin is refused', async (method) => {
			const { error } = await run(`${elsewhere.baseUrl}/ai/new`, method);
			expect(error?.message).toBe(
				`This credential sends its key to '${node.service.baseUrl}' only, and the request goes to '${elsewhere.baseUrl}'`,
			);
			expect(node.service.arrived).toBe(0);
			expect(elsewhere.arrived).toBe(0);
		});
	});
});

describe('the list of Allowed Environment', () => {
	it.each<[string, ICredentialDataDecryptedObject | undefined, string]>([
		['a sandbox key', { apiKey: 'eak_test_a' }, 'Any (This Credential: Sandbox)'],
		['a live key', { apiKey: 'eak_live_a' }, 'Any (This Credential: Live)'],
		['a key with white space around', { apiKey: ' eak_live_a\n' }, 'Any (This Credential: Live)'],
		['what is no key', { apiKey: 'sk-abc' }, 'Any'],
		['an empty key', { apiKey: '' }, 'Any'],
		['no credential', undefined, 'Any'],
	])('says what the credential is for: %s', async (_what, credential, any) => {
		const options = await node.engine.loadOptions('getAllowedEnvironments', credential);
		expect(options.map(({ name, value }) => ({ name, value }))).toEqual([
			{ name: any, value: 'any' },
			{ name: 'Live Only', value: 'live' },
			{ name: 'Sandbox Only', value: 'sandbox' },
		]);
	});

	it('is loaded by that method', () => {
		const { description } = new VoiceSpeech();
		const property = description.properties.find(({ name }) => name === 'allowedEnvironment');
		expect(property).toMatchObject({
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getAllowedEnvironments' },
			default: 'any',
		});
	});
});
