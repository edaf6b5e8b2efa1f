import { toClientProxy } from '../../nodes/VoiceSpeech/n8n/httpClient.ts';

const createLogin = (password: string) => ({ username: 'anna', password });

// test/engine/connection.test.mts shows what the proxy gets.
it.each<[address: string, protocol: string, host: string, port: number, auth?: object]>([
	['http://proxy.example.com:3128', 'http', 'proxy.example.com', 3128],
	[' http://proxy.example.com ', 'http', 'proxy.example.com', 80],
	['https://proxy.example.com', 'https', 'proxy.example.com', 443],
	['HTTPS://Proxy.example.com:80/path', 'https', 'proxy.example.com', 80],
	['http://anna:p%40s%3A@10.0.0.1:8080', 'http', '10.0.0.1', 8080, createLogin('p%40s%3A')],
	['http://anna@10.0.0.1', 'http', '10.0.0.1', 80, createLogin('')],
	// A percent sign that encodes nothing is encoded.
	['http://anna:100%@10.0.0.1', 'http', '10.0.0.1', 80, createLogin('100%25')],
])("gives a proxy to n8n's client in its parts: %s", (...row) => {
	const [address, protocol, host, port, auth] = row;
	expect(toClientProxy(new URL(address))).toEqual({ protocol, host, port, auth });
});
