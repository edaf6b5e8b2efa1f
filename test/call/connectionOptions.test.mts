import { readConnectionOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { catchError } from '../support/catchError.mts';

const https = 'https://api.example.com';
const http = 'http://10.0.0.5:8080';

const none = { timeoutMs: 0, proxy: undefined, skipSslCertificateValidation: false };

it.each([undefined, {}, { proxy: ' \n' }])('has defaults for the request options %p', (given) => {
	expect(readConnectionOptions(given, https)).toEqual(none);
});

it.each([
	[1500, 1500],
	['1500', 1500],
	[0.5, 1],
	[0, 0],
	['', 0],
	[undefined, 0],
	[null, 0],
])('reads the timeout %p as %i ms', (timeout, read) => {
	expect(readConnectionOptions({ timeout }, https).timeoutMs).toBe(read);
});

it.each(['2147483648', '-1', 'soon', true, [5]])('rejects the timeout %p', (timeout) => {
	expect(catchError(() => readConnectionOptions({ timeout }, https))).toMatchObject({
		message: "'Timeout' in the request options is not a valid number of milliseconds",
		description: expect.stringMatching(
			/^Enter a number from 0 to 2147483647, or remove it\./,
		) as string,
	});
});

it.each([
	[true, true],
	[undefined, false],
	['false', false],
])("for 'Ignore SSL Issues' %p, skips the check of certificates: %p", (given, isSkipped) => {
	const read = readConnectionOptions({ allowUnauthorizedCerts: given }, https);
	expect(read.skipSslCertificateValidation).toBe(isSkipped);
});

describe('a proxy', () => {
	it.each(['proxy.example.com:3128', 'socks5://10.0.0.1', 'http://'])(
		'is rejected if it is not a web address: %s',
		(proxy) => {
			expect(catchError(() => readConnectionOptions({ proxy }, https))).toMatchObject({
				message: "'Proxy' in the request options is not a valid address",
				description: "Enter it like 'http://user:password@host:port'.",
			});
		},
	);

	it.each([
		[https, ' HTTPS://Proxy.example.com:80/path ', 'https://proxy.example.com:80/path'],
		[https, 'http://proxy.example.com:3128', 'http://proxy.example.com:3128/'],
		[http, 'http://10.0.0.1:3128', 'http://10.0.0.1:3128/'],
		[http, 'http://proxy.internal', 'http://proxy.internal/'],
	])('is allowed for %s: "%s", which is read as %s', (baseUrl, proxy, address) => {
		expect(readConnectionOptions({ proxy }, baseUrl).proxy?.href).toBe(address);
	});

	it.each(['http://proxy.example.com:3128', 'http://8.8.8.8:3128'])(
		'is rejected if it is public and would get the key unencrypted: %s',
		(proxy) => {
			const error = catchError(() => readConnectionOptions({ proxy }, http));
			expect(error.message).toContain(
				"'Proxy' in the request options would get the key unencrypted",
			);
			expect(error.description).toContain("Use a 'Base URL' that starts with 'https://'");
		},
	);
});
