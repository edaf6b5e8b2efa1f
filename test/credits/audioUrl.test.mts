import { gzipSync } from 'node:zlib';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { createLongAdts } from '../support/media/adts.mts';
import { n8n, useSsrfProtection } from '../support/n8n.mts';
import { nodeKey, useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { readErrorText, expectMaybeDebited, expectNothingDebited } from '../support/outcome.mts';
import { respondWithRawBytes, RawServer } from '../support/servers/rawServer.mts';
import { createNoise, createWav } from '../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	computeSha256,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createDeferred } from '../support/waiting.mts';

// test/engine/audioUrl.test.mts tests names and types of the audio, and what is not audio.

const node = useNode();
const recording = Buffer.concat([createWav(), Buffer.alloc(500_000, 3)]);
const sendRecording = respondWithBytes(recording, 'audio/wav');
const source = ScriptedServer.use(sendRecording);

async function fetchFrom(audioUrl: string, more = {}) {
	const parameters = { ...speechToTextParameters, audioSource: 'url', audioUrl, ...more };
	return await node.run(parameters, { files: {} });
}

async function expectSent(audioUrl: string, more = {}) {
	const { error } = await fetchFrom(audioUrl, more);
	expect(error).toBeUndefined();
	expect(node.service.requests[0]?.parts[0]?.sha256).toBe(computeSha256(recording));
}

/** Nothing may arrive at the service. */
async function expectRejected(audioUrl: string, more = {}) {
	const output = await fetchFrom(audioUrl, more);
	expect(node.service.requestCount).toBe(0);
	expectNothingDebited(readErrorText(output));
	return readErrorText(output);
}

function redirect(location: string): Responder {
	return (_request, response) => response.writeHead(302, { Location: location }).end();
}

/** Redirects from `/5` to `/4`, and so on; the recording is at `/0`. */
const redirectRepeatedly: Responder = (...call) => {
	const left = Number(call[0].url.slice(1));
	(left === 0 ? sendRecording : redirect(`/${left - 1}`))(...call);
};

/** The podcast of test/full/examples shows that it works. */
const otherWay =
	"Or download it with an 'HTTP Request' node before this one, and set 'Audio Source' to 'File From Previous Step'";

describe('audio from a URL', () => {
	const other = ScriptedServer.use(sendRecording);

	it('is sent while it arrives, with its length', async () => {
		const halfArrived = createDeferred();
		source.respond = async (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': recording.length });
			response.write(recording.subarray(0, 300_000));
			await halfArrived.promise;
			response.end(recording.subarray(300_000));
		};
		let received = 0;
		let length: string | undefined;
		node.service.intercept = (request, response) => {
			length = request.headers['content-length'];
			request.on('data', (chunk: Buffer) => {
				received += chunk.length;
				// The source sends its second half only once the service has most of the first.
				if (received > 200_000) halfArrived.resolve();
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
		source.respond = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(recording.subarray(0, 1000));
			response.end(recording.subarray(1000));
		};
		await expectSent(source.baseUrl);
		expect(node.service.requests[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
	});

	describe('that its server compresses, although the node asks for uncompressed bytes,', () => {
		// n8n's client decompresses the audio, and leaves the compressed length in the headers.
		const audio = Buffer.concat([createWav(), createNoise(300_000), Buffer.alloc(300_000)]);

		const what = n8n.hidesDecompression === true ? 'fails during the upload' : 'is sent completely';
		it(what, async () => {
			const compressed = gzipSync(audio);
			source.respond = (_request, response) => {
				response.writeHead(200, {
					'Content-Type': 'audio/wav',
					'Content-Encoding': 'gzip',
					'Content-Length': compressed.length,
				});
				response.end(compressed);
			};
			const { error } = await fetchFrom(source.baseUrl);
			if (n8n.hidesDecompression === true) {
				expect(error?.message).toBe('Reading the audio failed during the upload');
				expect(error?.description).toContain(
					`not as long as reported (${compressed.length} bytes)`,
				);
				expect(node.service.requests).toEqual([]);
				return;
			}
			expect(error).toBeUndefined();
			expect(node.service.requests[0]?.parts[0]?.sha256).toBe(computeSha256(audio));
		});
	});

	it.each([
		{ what: 'reported', headers: { 'Content-Length': recording.length } },
		{ what: 'not reported', headers: {} },
	])('fails the item if it breaks off midway, its length $what', async ({ headers }) => {
		source.respond = async (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', ...headers });
			response.write(recording.subarray(0, 200_000));
			await waitUntil(() => node.service.requestCount === 1);
			response.destroy();
		};
		const output = await fetchFrom(source.baseUrl);
		expect(output.error?.message).toBe('Reading the audio failed during the upload');
		expectMaybeDebited(readErrorText(output));
		expect(node.service.requestCount).toBe(1);
		expect(node.service.requests).toEqual([]);
	});

	it.each([
		{ encoding: 'gzip, br', isCompressed: true },
		{ encoding: 'aws-chunked', isCompressed: false },
	])(
		'is sent with the Content-Encoding $encoding unless that is a compression that n8n does not know',
		async ({ encoding, isCompressed }) => {
			source.respond = (_request, response) => {
				const headers = { 'Content-Type': 'audio/wav', 'Content-Encoding': encoding };
				response.writeHead(200, headers).end(recording);
			};
			if (!isCompressed) return await expectSent(source.baseUrl);
			const text = await expectRejected(source.baseUrl);
			expect(text).toContain(`its server compresses it (${encoding})`);
		},
	);

	it('is not fetched for a key that the node does not allow', async () => {
		const text = await expectRejected(source.baseUrl, { allowedEnvironment: 'live' });
		expect(text).toContain('This node allows live keys only');
		expect(source.requestCount).toBe(0);
	});

	it('is not fetched before the call of an earlier item', async () => {
		node.service.respond = respondWithJson({}, 422);
		const options = { concurrency: 1 };
		const parameters = { ...speechToTextParameters, audioSource: 'url', audioUrl: source.baseUrl };
		await node.run({ ...parameters, options }, { items: [{ json: {} }, { json: {} }] });
		expect([source.requestCount, node.service.requestCount]).toEqual([1, 1]);
	});

	it('is requested without the key, also where it redirects to', async () => {
		source.respond = redirect(`${other.baseUrl}/elsewhere`);
		await expectSent(source.baseUrl);
		expect([source.requestCount, other.requestCount, node.service.requestCount]).toEqual([1, 1, 1]);
		const listReceived = (server: ScriptedServer) =>
			JSON.stringify(server.requests.map(({ headers, url, body }) => [headers, url, `${body}`]));
		for (const server of [source, other]) {
			expect(listReceived(server)).not.toContain(nodeKey);
			expect(listReceived(server).toLowerCase()).not.toContain('x-api-key');
		}
		expect(listReceived(node.service)).toContain(nodeKey);
	});

	it('is fetched along 20 redirects, but not 21', async () => {
		source.respond = redirectRepeatedly;
		await expectSent(`${source.baseUrl}/20`);
		expect(source.requestCount).toBe(21);
		node.service.reset();
		const text = await expectRejected(`${source.baseUrl}/21`);
		expect(text).toContain('redirects more than 20 times');
		expect(text).toContain(otherWay);
	});
});

describe('for the URL of audio', () => {
	const proxy = ScriptedServer.use();
	const secure = RawServer.use({ tls: true });

	it("n8n applies 'Proxy' of the request options", async () => {
		proxy.respond = (...call) =>
			(call[0].url.startsWith(source.baseUrl) ? sendRecording : respondWithJson({}))(...call);
		const { error } = await fetchFrom(source.baseUrl, { requestOptions: { proxy: proxy.baseUrl } });
		expect(error).toBeUndefined();
		expect(proxy.requests.map(({ url }) => new URL(url).origin)).toEqual([
			source.baseUrl,
			node.service.baseUrl,
		]);
		expect(proxy.requests[1]?.parts[0]?.sha256).toBe(computeSha256(recording));
	});

	it("n8n applies 'Ignore SSL Issues'", async () => {
		secure.respond = respondWithRawBytes(
			Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\n\r\n'), recording]),
		);
		expect(await expectRejected(secure.baseUrl)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
		await expectSent(secure.baseUrl, { requestOptions: { allowUnauthorizedCerts: true } });
	});

	describe('the protection of internal addresses', () => {
		useSsrfProtection('127.0.0.1');

		it.each(['the address', 'a redirect'])(
			'rejects %s before the request only if n8n has it',
			async (what) => {
				// Nobody listens there, so a request that is sent would fail for another reason.
				const address = 'http://127.0.0.9:1/a.wav';
				source.respond = redirect(address);
				const text = await expectRejected(what === 'a redirect' ? source.baseUrl : address);
				expect(text).toContain(n8n.ssrfProtection ? 'restricted IP address' : 'ECONNREFUSED');
			},
		);

		it('lets an allowed address pass, redirects included', async () => {
			source.respond = redirectRepeatedly;
			await expectSent(`${source.baseUrl}/5`);
		});
	});
});

const longAac = createLongAdts();
const changedAac = Buffer.from(longAac);
changedAac.fill(0, 12_000_000);

it.each([
	// Nobody listens there. A refused connection to the service would prove that nothing was sent.
	{ what: 'is at a server that is gone', second: redirect('http://127.0.0.1:1/') },
	{ what: 'has changed', second: respondWithBytes(changedAac, 'audio/aac') },
])(
	'says that a call may have been debited if audio from a URL that is read twice $what at the second reading',
	async ({ second }) => {
		let fetches = 0;
		source.respond = (...call) => {
			fetches++;
			const respond = fetches === 1 ? respondWithBytes(longAac, 'audio/aac') : second;
			respond(...call);
		};
		const audioUrl = `${source.baseUrl}/voice.aac`;
		const { error } = await fetchFrom(audioUrl);
		expect(fetches).toBe(2);
		expect(error).toMatchObject({ context: { debit: 'possible' } });
		expect(error?.description).not.toContain('not sent');
	},
);
