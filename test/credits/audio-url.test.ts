/** @jest-environment node */
/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
// n8n's protection of internal addresses reads its settings when n8n-core is loaded; a test below turns it on.
process.env.N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.1/32';

import { sleep } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { n8n, useProtection } from '../support/n8n';
import { apiKey, speechToText, useNode } from '../support/node';
import { errorText } from '../support/outcome';
import { wav } from '../support/recordings';
import { bytes, forward, ScriptedServer, sha256, type Answer } from '../support/scriptedServer';

const node = useNode();
const recording = Buffer.concat([wav(), Buffer.alloc(500_000, 3)]);
const sendRecording = bytes(recording, 'audio/wav');
const source = ScriptedServer.use(sendRecording);

async function fetchFrom(audioUrl: string, more = {}) {
	const parameters = { ...speechToText, audioSource: 'url', audioUrl, ...more };
	const output = await node.run(parameters, { files: {} });
	return { ...output, sent: node.service.requests[0]?.parts[0] };
}

async function expectSent(audioUrl: string, more = {}) {
	const { error, sent } = await fetchFrom(audioUrl, more);
	expect(error).toBeUndefined();
	expect(sent?.sha256).toBe(sha256(recording));
	return sent;
}

/** Nothing may arrive at the service. */
async function refused(audioUrl: string, more = {}) {
	const output = await fetchFrom(audioUrl, more);
	expect(node.service.arrived).toBe(0);
	expect(output.error).toBeDefined();
	return errorText(output);
}

function redirect(location: string): Answer {
	return (_request, response) => response.writeHead(302, { Location: location }).end();
}

/** Redirects from `/5` to `/4`, and so on; the recording is at `/0`. */
const chain: Answer = (request, response, index) => {
	const left = Number(request.url.slice(1));
	(left === 0 ? sendRecording : redirect(`/${left - 1}`))(request, response, index);
};

/** Sends this many bytes, and then breaks the connection. */
function breakAfter(length: number, headers = {}): Answer {
	return (_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/wav', ...headers });
		response.write(recording.subarray(0, length));
		void sleep(50).then(() => response.destroy());
	};
}

describe('audio from a URL', () => {
	it('is sent while it arrives, with its length', async () => {
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

	it('is sent in chunks if its length is not reported', async () => {
		source.answer = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(recording.subarray(0, 1000));
			response.end(recording.subarray(1000));
		};
		await expectSent(source.baseUrl);
		expect(node.service.requests[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
	});

	const attachment = (value: string) => `attachment; ${value}`;

	it.each<[what: string, path: string, disposition: string | undefined, name: string]>([
		['the path', '/calls/march%2027.wav?token=1', undefined, 'march 27.wav'],
		['a path with an invalid escape', '/calls/50%.wav', undefined, '50%.wav'],
		['nowhere', '/', undefined, 'recording.wav'],
		['a header', '/download', attachment('filename="monday.wav"'), 'monday.wav'],
		['a header without quotes', '/download', attachment('filename=monday.wav'), 'monday.wav'],
		[
			'the extended form of the header',
			'/download',
			attachment(`filename="fallback.wav"; filename*=UTF-8''f%C3%BCr%20dich.wav`),
			'für dich.wav',
		],
		['a header with an invalid escape', '/download', attachment('filename="50%.wav"'), '50%.wav'],
	])('has its name from %s', async (_what, path, disposition, name) => {
		source.answer = (_request, response) => {
			const header = disposition === undefined ? {} : { 'Content-Disposition': disposition };
			response.writeHead(200, { 'Content-Type': 'audio/wav', ...header }).end(recording);
		};
		const sent = await expectSent(`${source.baseUrl}${path}`);
		expect(sent?.fileName).toBe(name);
		expect(sent?.headers['content-type']).toBe('audio/wav');
	});

	it.each([
		['less', Buffer.concat([wav(), randomBytes(300_000), Buffer.alloc(300_000)])],
		['more', Buffer.concat([wav(), randomBytes(600_000)])],
	])(
		'is not sent shortened: compressed unasked, reported as %s than it is',
		async (_what, audio) => {
			// n8n's client decompresses it, and leaves the compressed length in the headers. The newest hides that.
			const packed = gzipSync(audio);
			const headers = { 'Content-Encoding': 'gzip', 'Content-Length': packed.length };
			source.answer = (_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/wav', ...headers }).end(packed);
			};
			const { error, sent } = await fetchFrom(source.baseUrl);
			if (n8n.hidesDecompression !== true) {
				expect(error).toBeUndefined();
				expect(sent?.sha256).toBe(sha256(audio));
				return;
			}
			expect(error?.message).toBe('The audio could not be read to its end');
			expect(error?.description).toContain(`not as long as reported (${packed.length} bytes)`);
			expect(node.service.requests).toEqual([]);
		},
	);

	it.each(['zstd', 'gzip, br', 'dcb'])(
		'is refused before the paid call: compressed with %s, which n8n does not decompress',
		async (encoding) => {
			source.answer = (_request, response) => {
				const headers = { 'Content-Type': 'audio/wav', 'Content-Encoding': encoding };
				response.writeHead(200, headers).end(randomBytes(10_000));
			};
			const text = await refused(source.baseUrl);
			expect(text).toContain(`its server compresses it (${encoding})`);
			expect(text).toContain('nothing was debited');
		},
	);

	it.each(['identity', 'aws-chunked', 'utf-8', ''])(
		'is sent as it is with the Content-Encoding %j, which is no compression',
		async (encoding) => {
			source.answer = (_request, response) => {
				const headers = { 'Content-Type': 'audio/wav', 'Content-Encoding': encoding };
				response.writeHead(200, headers).end(recording);
			};
			await expectSent(source.baseUrl);
		},
	);

	it('is not fetched for a key that the node does not allow', async () => {
		const text = await refused(source.baseUrl, { allowedEnvironment: 'live' });
		expect(text).toContain('This node allows live keys only');
		expect(source.arrived).toBe(0);
	});

	it('is requested without the key, and so are addresses that it redirects to', async () => {
		const other = await ScriptedServer.start(sendRecording);
		source.answer = redirect(`${other.baseUrl}/elsewhere`);
		await expectSent(source.baseUrl);
		expect([source.arrived, other.arrived, node.service.arrived]).toEqual([1, 1, 1]);
		const received = (server: ScriptedServer) =>
			JSON.stringify(server.requests.map(({ headers, url, body }) => [headers, url, `${body}`]));
		for (const server of [source, other]) {
			expect(received(server)).not.toContain(apiKey);
			expect(received(server).toLowerCase()).not.toContain('x-api-key');
		}
		expect(received(node.service)).toContain(apiKey);
		await other.stop();
	});

	it('may be behind five redirects, not behind six', async () => {
		source.answer = chain;
		await expectSent(`${source.baseUrl}/5`);
		expect(source.arrived).toBe(6);
		node.service.reset();
		expect(await refused(`${source.baseUrl}/6`)).toContain('redirects');
	});

	it.each<[string, Answer, string]>([
		['a login page', bytes('<!doctype html><title>Log in</title>', 'text/html'), 'Log in'],
		['a login page declared as audio', bytes('<html>Log in</html>', 'audio/wav'), 'Log in'],
		['a page, formats not checked', bytes('{"error":"no"}', 'application/json'), 'JSON'],
		['a status 404', bytes(recording, 'audio/wav', 404), 'status 404'],
		['nothing', bytes('', 'audio/wav'), 'empty'],
		['a broken connection', (_request, response) => response.destroy(), 'could not be fetched'],
		[
			'an end in the first bytes',
			breakAfter(100, { 'Content-Length': 100_000 }),
			'The audio could not be read',
		],
	])('is refused before the paid call: %s', async (what, answer, says) => {
		source.answer = answer;
		const options = what.includes('not checked') ? { formatCheck: 'off' } : {};
		const text = await refused(source.baseUrl, { options });
		expect(text.toLowerCase()).toContain(says.toLowerCase());
		expect(text).toContain('nothing was debited');
	});

	// Addresses that are empty or not of the web: test/engine/bad-input.test.ts.
	it.each([
		['http://', 'is not a web address'],
		['ftp://127.0.0.1/http://a.example', 'is not a web address'],
		['http://127.0.0.1:1/a.wav', 'its server did not return it'],
		['http://127.0.0.1:1/a.wav', 'ECONNREFUSED'],
		['http://no-such-host.invalid/a.wav', 'could not be fetched'],
	])('is refused before the paid call: %p', async (address, says) => {
		const text = await refused(address);
		expect(text).toContain(says);
		expect(text).not.toContain('offline');
		expect(text).not.toContain("credential's 'Base URL'");
	});

	it.each([
		['reported', { 'Content-Length': recording.length }],
		['not reported', {}],
	])('that breaks off midway is an error, its length %s', async (_what, headers) => {
		source.answer = breakAfter(200_000, headers);
		const { error } = await fetchFrom(source.baseUrl);
		expect(error?.message).toBe('The audio could not be read to its end');
		expect(error?.description).toContain('usage dashboard');
		expect(node.service.arrived).toBe(1);
		expect(node.service.requests).toEqual([]);
	});
});

describe("n8n's own settings apply to the URL too", () => {
	it("'Proxy' in the request options", async () => {
		const proxy = await ScriptedServer.start(forward());
		await expectSent(source.baseUrl, { requestOptions: { proxy: proxy.baseUrl } });
		const asked = proxy.requests.map(({ url }) => new URL(url).origin);
		expect(asked).toEqual([source.baseUrl, node.service.baseUrl]);
		await proxy.stop();
	});

	it("'Ignore SSL Issues'", async () => {
		const secure = await ScriptedServer.start(sendRecording, { tls: true });
		expect(await refused(secure.baseUrl)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
		await expectSent(secure.baseUrl, { requestOptions: { allowUnauthorizedCerts: true } });
		await secure.stop();
	});

	const describeProtection = n8n.ssrfProtection ? describe : describe.skip;
	describeProtection('the protection of internal addresses', () => {
		useProtection();
		it.each(['the address', 'a redirect'])('refuses %s before the request', async (what) => {
			// Nobody listens there: a request would fail for another reason.
			const address = 'http://127.0.0.9:1/a.wav';
			source.answer = redirect(address);
			const text = await refused(what === 'a redirect' ? source.baseUrl : address);
			expect(text).toContain('restricted IP address');
		});

		it('lets allowed addresses through, redirects included', async () => {
			source.answer = chain;
			await expectSent(`${source.baseUrl}/5`);
		});
	});
});
