/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
// n8n's protection of internal addresses reads its settings when n8n-core is loaded; a test below switches it on.
process.env.N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.1/32';

import { Container } from '@n8n/di';
import { sleep } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { n8n } from '../support/n8n';
import { apiKey, speechToText, useNode } from '../support/node';
import { bytes, json, Recorder, sha256, type Answer } from '../support/recorder';
import { wav } from '../support/recordings';
import { modes } from './till';
import { selfSigned } from './selfSigned';

const node = useNode();
const recording = Buffer.concat([wav(), Buffer.alloc(500_000, 3)]);
let source: Recorder;

beforeAll(async () => {
	source = await Recorder.start();
});
afterAll(async () => await source.stop());
beforeEach(() => source.reset(bytes(recording, 'audio/wav')));

async function fetchFrom(audioUrl: string, more = {}, settings = {}) {
	const parameters = { ...speechToText, audioSource: 'url', audioUrl, ...more };
	const output = await node.run(parameters, { files: {}, node: settings });
	return { ...output, sent: node.service.requests[0]?.parts[0] };
}

/** Nothing may have arrived at the service. */
async function refused(audioUrl: string, more = {}) {
	const { error } = await fetchFrom(audioUrl, more);
	expect(node.service.arrived).toBe(0);
	expect(error).toBeDefined();
	return `${error?.message} ${error?.description}`;
}

function redirect(location: string): Answer {
	return (_request, response) => response.writeHead(302, { Location: location }).end();
}

/** Follows `/5` to `/4`, and so on, to the recording at `/0`. */
const chain: Answer = (request, response, index) => {
	const left = Number(request.url.slice(1));
	(left === 0 ? bytes(recording, 'audio/wav') : redirect(`/${left - 1}`))(request, response, index);
};

function said(messages: Recorder): string {
	return JSON.stringify(
		messages.requests.map(({ headers, url, body }) => [headers, url, `${body}`]),
	);
}

describe('audio from a URL', () => {
	it('is passed on while it arrives, with its length', async () => {
		let release = () => {};
		const arriving = new Promise<void>((resolve) => (release = resolve));
		source.answer = async (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': recording.length });
			response.write(recording.subarray(0, 300_000));
			await arriving;
			response.end(recording.subarray(300_000));
		};
		let received = 0;
		let length: string | undefined;
		node.service.intercept = (request, response) => {
			length = request.headers['content-length'];
			request.on('data', (chunk: Buffer) => {
				received += chunk.length;
				// The source sends its second half only once the service has most of the first.
				if (received > 200_000) release();
			});
			request.on('end', () => response.end('{}'));
			return true;
		};
		const { error } = await fetchFrom(`${source.baseUrl}/call.wav`);
		expect(error).toBeUndefined();
		expect(Number(length)).toBe(received);
		expect(received).toBeGreaterThan(recording.length);
	});

	it('arrives whole, under its own name and type', async () => {
		const { sent, items } = await fetchFrom(`${source.baseUrl}/calls/monday.wav?token=1`);
		expect(items).toHaveLength(1);
		expect(sent?.sha256).toBe(sha256(recording));
		expect(sent?.fileName).toBe('monday.wav');
		expect(sent?.headers['content-type']).toBe('audio/wav');
	});

	it.each<[what: string, path: string, disposition: string | undefined, name: string]>([
		['the end of its address', '/calls/march%2027.wav', undefined, 'march 27.wav'],
		['the end as it stands, where that is no encoding', '/calls/50%.wav', undefined, '50%.wav'],
		['no name at all', '/', undefined, 'recording.wav'],
		['the header', '/download', 'attachment; filename="monday.wav"', 'monday.wav'],
		['the header without quotes', '/download', 'attachment; filename=monday.wav', 'monday.wav'],
		[
			'the longer form of the header, which knows every letter',
			'/download',
			`attachment; filename="fallback.wav"; filename*=UTF-8''f%C3%BCr%20dich.wav`,
			'für dich.wav',
		],
		['a header that is no encoding', '/download', 'attachment; filename="50%.wav"', '50%.wav'],
	])('takes its name from %s', async (_what, path, disposition, name) => {
		source.answer = (_request, response) => {
			const header = disposition === undefined ? {} : { 'Content-Disposition': disposition };
			response.writeHead(200, { 'Content-Type': 'audio/wav', ...header }).end(recording);
		};
		const { sent } = await fetchFrom(`${source.baseUrl}${path}`);
		expect(sent?.fileName).toBe(name);
	});

	it('is sent in chunks where its length is not told', async () => {
		source.answer = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(recording.subarray(0, 1000));
			response.end(recording.subarray(1000));
		};
		const { sent, error } = await fetchFrom(source.baseUrl);
		expect(error).toBeUndefined();
		expect(sent?.sha256).toBe(sha256(recording));
		expect(node.service.requests[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
	});

	it.each([
		['less', Buffer.concat([wav(), randomBytes(300_000), Buffer.alloc(300_000)])],
		['more', Buffer.concat([wav(), randomBytes(600_000)])],
	])('is never sent shortened: compressed unasked, and so %s than it is', async (_what, audio) => {
		// n8n's client decompresses it, and leaves the compressed length in the headers.
		const packed = gzipSync(audio);
		const headers = { 'Content-Encoding': 'gzip', 'Content-Length': packed.length };
		source.answer = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', ...headers }).end(packed);
		};
		const { error } = await fetchFrom(source.baseUrl);
		expect(error?.message).toBe('The audio could not be read to its end');
		expect(error?.description).toContain(`not as long as reported (${packed.length} bytes)`);
		expect(node.service.requests).toEqual([]);
	});

	it('never gets the key, nor does anyone it redirects to', async () => {
		const other = await Recorder.start(bytes(recording, 'audio/wav'));
		source.answer = redirect(`${other.baseUrl}/elsewhere`);
		const { error } = await fetchFrom(source.baseUrl);
		expect(error).toBeUndefined();
		expect([source.arrived, other.arrived, node.service.arrived]).toEqual([1, 1, 1]);
		for (const server of [source, other]) {
			expect(said(server)).not.toContain(apiKey);
			expect(said(server).toLowerCase()).not.toContain('x-api-key');
		}
		expect(said(node.service)).toContain(apiKey);
		await other.stop();
	});

	it('follows five redirects, and not a sixth', async () => {
		source.answer = chain;
		const { error } = await fetchFrom(`${source.baseUrl}/5`);
		expect(error).toBeUndefined();
		expect(source.arrived).toBe(6);
		node.service.reset();
		expect(await refused(`${source.baseUrl}/6`)).toContain('redirects');
	});

	it.each<[string, Answer, string]>([
		['a login page', bytes('<!doctype html><title>Log in</title>', 'text/html'), 'Log in'],
		['a login page that claims to be audio', bytes('<html>Log in</html>', 'audio/wav'), 'Log in'],
		['a page, where formats are not checked', bytes('{"error":"no"}', 'application/json'), 'JSON'],
		['a status 404', bytes(recording, 'audio/wav', 404), 'status 404'],
		['a status 403', bytes('', 'text/plain', 403), 'status 403'],
		['a status 500', json({}, 500), 'status 500'],
		['nothing', bytes('', 'audio/wav'), 'empty'],
		['a broken connection', (_request, response) => response.destroy(), 'could not be fetched'],
	])('is refused before the paid call where there is %s', async (what, answer, says) => {
		source.answer = answer;
		const options = what.includes('not checked') ? { formatCheck: 'off' } : {};
		expect((await refused(source.baseUrl, { options })).toLowerCase()).toContain(
			says.toLowerCase(),
		);
	});

	it.each([
		['=', 'is empty'],
		['calls/monday.wav', 'is not a web address'],
		['ftp://127.0.0.1/a.wav', 'is not a web address'],
		['http://', 'is not a web address'],
		['http://127.0.0.1:1/a.wav', 'ECONNREFUSED'],
		['http://no-such-host.invalid/a.wav', 'could not be fetched'],
	])('is refused before the paid call: %p', async (address, says) => {
		const text = await refused(address);
		expect(text).toContain(says);
		expect(text).not.toContain('offline');
		expect(text).not.toContain("credential's 'Base URL'");
	});

	it('says so where it breaks off within the first bytes: nothing is sent', async () => {
		source.answer = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 100_000 });
			response.write(recording.subarray(0, 100));
			void sleep(50).then(() => response.destroy());
		};
		const text = await refused(source.baseUrl);
		expect(text).toContain('The audio could not be read');
		expect(text).toContain('nothing was debited');
	});

	it.each(['told', 'not told'])(
		'says so where it breaks off midway, its length %s',
		async (length) => {
			source.answer = (_request, response) => {
				const headers = { 'Content-Type': 'audio/wav' };
				const told = { ...headers, 'Content-Length': String(recording.length) };
				response.writeHead(200, length === 'told' ? told : headers);
				response.write(recording.subarray(0, 200_000));
				void sleep(50).then(() => response.destroy());
			};
			const { error } = await fetchFrom(source.baseUrl);
			expect(error?.message).toBe('The audio could not be read to its end');
			expect(error?.description).toContain('usage dashboard');
			expect(node.service.arrived).toBe(1);
			expect(node.service.requests).toEqual([]);
		},
	);
});

describe("n8n's own settings hold for the URL too", () => {
	it('goes through the proxy of the request options', async () => {
		const asked: string[] = [];
		const proxy = createServer((request, response) => {
			asked.push(new URL(request.url ?? '').origin);
			const { method, headers, url } = request;
			request.pipe(
				httpRequest(url ?? '', { method, headers }, (answer) => {
					response.writeHead(answer.statusCode ?? 0, answer.headers);
					answer.pipe(response);
				}),
			);
		}).listen(0, '127.0.0.1');
		await once(proxy, 'listening');
		const { port } = proxy.address() as AddressInfo;
		const { error, sent } = await fetchFrom(source.baseUrl, {
			requestOptions: { proxy: `http://127.0.0.1:${port}` },
		});
		proxy.closeAllConnections();
		proxy.close();
		expect(error).toBeUndefined();
		expect(sent?.sha256).toBe(sha256(recording));
		expect(asked).toEqual([source.baseUrl, node.service.baseUrl]);
	});

	it("trusts a certificate of one's own only with 'Ignore SSL Issues'", async () => {
		const server = createTlsServer(selfSigned, (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(recording);
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = `https://localhost:${(server.address() as AddressInfo).port}/a.wav`;
		expect(await refused(address)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
		const { error, sent } = await fetchFrom(address, {
			requestOptions: { allowUnauthorizedCerts: true },
		});
		server.closeAllConnections();
		server.close();
		expect(error).toBeUndefined();
		expect(sent?.sha256).toBe(sha256(recording));
	});

	const describeProtection = n8n.ssrfProtection ? describe : describe.skip;
	describeProtection('the protection of internal addresses', () => {
		let internal: Server;
		let address: string;
		let asked = 0;
		let ssrfConfig: { enabled: boolean };

		beforeAll(async () => {
			// Not a static import: an n8n without the protection lacks this package.
			const { OutboundHttp } = await import('@n8n/backend-network');
			({ ssrfConfig } = Container.get(OutboundHttp) as unknown as {
				ssrfConfig: { enabled: boolean };
			});
			internal = createServer((_request, response) => {
				asked++;
				response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(recording);
			});
			await new Promise<void>((resolve) => internal.listen(0, '127.0.0.9', resolve));
			address = `http://127.0.0.9:${(internal.address() as AddressInfo).port}/a.wav`;
		});
		afterAll(() => {
			internal.closeAllConnections();
			internal.close();
		});
		beforeEach(() => (asked = 0));
		afterEach(() => (ssrfConfig.enabled = false));

		it('is off by default', async () => {
			expect((await fetchFrom(address)).error).toBeUndefined();
			expect(asked).toBe(1);
		});

		it.each(['the address', 'a redirect'])('refuses %s before anything is asked', async (what) => {
			ssrfConfig.enabled = true;
			source.answer = redirect(address);
			const text = await refused(what === 'a redirect' ? source.baseUrl : address);
			expect(text).toContain('restricted IP address');
			expect(asked).toBe(0);
		});

		it('lets what is allowed through, redirects included', async () => {
			ssrfConfig.enabled = true;
			source.answer = chain;
			expect((await fetchFrom(`${source.baseUrl}/5`)).error).toBeUndefined();
			node.service.reset();
			expect(await refused(`${source.baseUrl}/6`)).toContain('redirects');
		});
	});
});

it('fetches once, with continue as without, and pays nothing for what is refused', async () => {
	source.answer = json({}, 404);
	const { items } = await fetchFrom(source.baseUrl, {}, modes.continue);
	expect(items[0]?.json.error).toMatchObject({ message: expect.stringContaining('status 404') });
	expect([source.arrived, node.service.arrived]).toEqual([1, 0]);
});
