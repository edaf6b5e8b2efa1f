import { toClientProxy } from '../../nodes/VoiceSpeech/n8n/httpClient.ts';

describe('a proxy', () => {
	const withLogin = { username: 'anna', password: 'p%40ss%3Aword' };
	const withoutPassword = { username: 'anna', password: '' };

	it.each<[address: string, protocol: string, host: string, port: number, auth?: object]>([
		['http://proxy.example.com:3128', 'http', 'proxy.example.com', 3128],
		[' http://proxy.example.com ', 'http', 'proxy.example.com', 80],
		['https://proxy.example.com', 'https', 'proxy.example.com', 443],
		['HTTPS://Proxy.example.com:80/path', 'https', 'proxy.example.com', 80],
		['http://anna:p%40ss%3Aword@10.0.0.1:8080', 'http', '10.0.0.1', 8080, withLogin],
		['http://anna@10.0.0.1', 'http', '10.0.0.1', 80, withoutPassword],
	])("is given to n8n's client in its parts: %s", (...[address, protocol, host, port, auth]) => {
		const expected = { protocol, host, port, ...(auth === undefined ? {} : { auth }) };
		expect(toClientProxy(new URL(address))).toEqual(expected);
	});

	// test/engine/connection.test.mts shows what the proxy gets.
	it('encodes a percent sign in its password that encodes nothing', () => {
		const { auth } = toClientProxy(new URL('http://anna:100%@10.0.0.1:8080'));
		expect(auth?.password).toBe('100%25');
	});
});
