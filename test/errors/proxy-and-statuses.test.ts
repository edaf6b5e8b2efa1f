import type { INodeParameters } from 'n8n-workflow';

import { ask } from '../credits/till';
import { speechToText, useNode } from '../support/node';
import { errorText, expectMaybeDebited } from '../support/outcome';
import { RawServer, saying } from '../support/rawServer';
import { json } from '../support/recorder';
import { expectNoKey, secretKey } from '../support/secret';

const node = useNode();

let proxy: RawServer;

beforeAll(async () => (proxy = await new RawServer().start()));
afterAll(async () => await proxy.stop());

const payloads: Array<[string, INodeParameters]> = [
	['audio', speechToText],
	['text', { ...ask, text: 'Hello' }],
];

const loginRequired =
	'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

describe.each(payloads)('%s', (_payload, parameters) => {
	it.each(['http://voice.internal', 'https://voice.example'])(
		'a proxy that wants a login is named, for %s',
		async (baseUrl) => {
			proxy.manner = saying(loginRequired);
			if (baseUrl.startsWith('https')) {
				// A CONNECT has no body, and nothing after its headers.
				proxy.manner = (socket) => socket.end(loginRequired);
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
