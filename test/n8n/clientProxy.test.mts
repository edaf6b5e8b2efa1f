import { toClientProxy } from '../../nodes/VoiceSpeech/n8n/httpClient.ts';

describe('a proxy', () => {
	it.each([
		{
			address: 'http://proxy.example.com:3128',
			proxy: { protocol: 'http', host: 'proxy.example.com', port: 3128 },
		},
		{
			address: ' http://proxy.example.com ',
			proxy: { protocol: 'http', host: 'proxy.example.com', port: 80 },
		},
		{
			address: 'https://proxy.example.com',
			proxy: { protocol: 'https', host: 'proxy.example.com', port: 443 },
		},
		{
			address: 'HTTPS://Proxy.example.com:80/path',
			proxy: { protocol: 'https', host: 'proxy.example.com', port: 80 },
		},
		{
			address: 'http://anna:p%40ss%3Aword@10.0.0.1:8080',
			proxy: {
				protocol: 'http',
				host: '10.0.0.1',
				port: 8080,
				auth: { username: 'anna', password: 'p%40ss%3Aword' },
			},
		},
		{
			address: 'http://anna@10.0.0.1',
			proxy: {
				protocol: 'http',
				host: '10.0.0.1',
				port: 80,
				auth: { username: 'anna', password: '' },
			},
		},
	])("is given to n8n's client in its parts: $address", ({ address, proxy }) => {
		expect(toClientProxy(new URL(address))).toEqual(proxy);
	});

	// test/engine/proxyLogin.test.mts shows what the proxy gets.
	it('encodes a percent sign in its password that encodes nothing', () => {
		const { auth } = toClientProxy(new URL('http://anna:100%@10.0.0.1:8080'));
		expect(auth?.password).toBe('100%25');
	});
});
