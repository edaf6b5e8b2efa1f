import type { INodeParameters } from 'n8n-workflow';

import { analyzeText } from '../support/calls';
import { speechToText, useNode } from '../support/node';
import { errorText, expectMaybeDebited } from '../support/outcome';
import { json, rawResponse, ScriptedServer } from '../support/scriptedServer';
import { expectNoKey, secretKey } from '../support/secret';

const node = useNode();

let proxy: ScriptedServer;

beforeAll(async () => (proxy = await ScriptedServer.start()));
afterAll(async () => await proxy.stop());

const payloads: Array<[string, INodeParameters]> = [
	['audio', speechToText],
	['text', { ...analyzeText, text: 'Hello' }],
];

const loginRequired =
	'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

describe.each(payloads)('%s', (_payload, parameters) => {
	it.each(['http://voice.internal', 'https://voice.example'])(
		'a proxy that wants a login is named, for %s',
		async (baseUrl) => {
			proxy.rawAnswer = rawResponse(loginRequired);
			if (baseUrl.startsWith('https')) {
				// A CONNECT has no body, and nothing after its headers.
				proxy.rawAnswer = (socket) => socket.end(loginRequired);
			}
			const output = await node.run(
				{ ...parameters, requestOptions: { proxy: `http://127.0.0.1:${proxy.port}` } },
				{ credential: { apiKey: secretKey, baseUrl } },
			);
			const text = errorText(output);
			expect(text).toContain('407');
			expect(text).toMatch(/proxy/i);
			expect(text).toMatch(/log ?in|user|password|credentials/i);
			expect(text).not.toMatch(/ask your provider/i);
			expectNoKey(output.run);
		},
	);

	it.each([
		[303, { Location: '/ai/results/7' }],
		[408, {}],
	])('a %i says that the call may have been debited', async (status, headers) => {
		node.service.answer = json(
			{ message: 'See there.' },
			status,
			headers as Record<string, string>,
		);
		const output = await node.run(parameters);
		const text = errorText(output);
		expect(text).toContain(String(status));
		expectMaybeDebited(text);
		expect(node.service.arrived).toBe(1);
	});
});
