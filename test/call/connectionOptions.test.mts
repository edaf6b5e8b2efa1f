import { readConnectionOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { catchError } from '../support/catchError.mts';

const https = 'https://api.example.com';
const http = 'http://10.0.0.5:8080';

const none = { timeoutMs: 0, proxy: undefined, skipSslCertificateValidation: false };

it.each([undefined, null, {}, { proxy: undefined }, { proxy: '' }, { proxy: ' \n' }])(
	'changes nothing for the request options %p',
	(given) => {
		expect(readConnectionOptions(given, https)).toEqual(none);
	},
);

it.each([
	{ timeout: 1500, type: 'of type number', read: 1500 },
	{ timeout: '1500', type: 'of type text', read: 1500 },
	{ timeout: 0.5, type: 'of type number', read: 1 },
	{ timeout: 0, type: 'of type number', read: 0 },
	{ timeout: '', type: 'of type text', read: 0 },
	{ timeout: undefined, type: 'without a value,', read: 0 },
	{ timeout: null, type: 'without a value,', read: 0 },
])('reads the timeout $type $timeout as $read ms', ({ timeout, read }) => {
	expect(readConnectionOptions({ timeout }, https).timeoutMs).toBe(read);
});

it.each(['2147483648', '-1', -0.5, 'soon', Infinity, true, [5], {}])(
	'rejects the timeout %p',
	(timeout) => {
		const error = catchError(() => readConnectionOptions({ timeout }, https));
		expect(error.message).toBe(
			"'Timeout' in the request options is not a valid number of milliseconds",
		);
		expect(error).toHaveProperty(
			'description',
			expect.stringMatching(/^Enter a number from 0 to 2147483647, or remove it\./),
		);
	},
);

it('skips the check of certificates if the user chose it', () => {
	const read = readConnectionOptions({ allowUnauthorizedCerts: true }, https);
	expect(read.skipSslCertificateValidation).toBe(true);
});

it.each([false, undefined, 'false'])(
	"checks certificates if 'Ignore SSL Issues' is %p",
	(allowUnauthorizedCerts) => {
		const read = readConnectionOptions({ allowUnauthorizedCerts }, https);
		expect(read.skipSslCertificateValidation).toBe(false);
	},
);

describe('a proxy', () => {
	it('is read as an address', () => {
		const { proxy } = readConnectionOptions(
			{ proxy: ' HTTPS://Proxy.example.com:80/path ' },
			https,
		);
		expect(proxy?.href).toBe('https://proxy.example.com:80/path');
	});

	it.each(['proxy.example.com:3128', 'proxy', 'socks5://10.0.0.1', 'http://', 'file:///etc/hosts'])(
		'is rejected if it is not a web address: %s',
		(proxy) => {
			expect(catchError(() => readConnectionOptions({ proxy }, https))).toMatchObject({
				message: "'Proxy' in the request options is not a valid address",
				description: "Enter it like 'http://user:password@host:port'.",
			});
		},
	);

	it.each([
		{ proxy: 'http://proxy.example.com:3128', baseUrl: https },
		{ proxy: 'http://10.0.0.1:3128', baseUrl: https },
		{ proxy: 'http://10.0.0.1:3128', baseUrl: http },
		{ proxy: 'http://localhost:3128', baseUrl: http },
		{ proxy: 'http://proxy.internal', baseUrl: http },
		{ proxy: 'http://[fd00::1]:3128', baseUrl: http },
		{ proxy: 'http://proxy:3128', baseUrl: http },
	])('is allowed for $baseUrl: $proxy', ({ proxy, baseUrl }) => {
		expect(readConnectionOptions({ proxy }, baseUrl).proxy?.href).toBe(`${proxy}/`);
	});

	it.each(['http://proxy.example.com:3128', 'https://proxy.example.com', 'http://8.8.8.8:3128'])(
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
