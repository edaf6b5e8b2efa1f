import { gzipSync } from 'node:zlib';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { useClock } from '../support/clock.mts';
import { createLongAdts } from '../support/media/adts.mts';
import { fileConvertedToWav, readAudioFile } from '../support/media/audioFiles.mts';
import { createNoise, createWav, rawSamples } from '../support/media/recordings.mts';
import { n8n, useSsrfProtection } from '../support/n8n.mts';
import { nodeKey, useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { expectMaybeDebited, expectNothingDebited, readErrorText } from '../support/outcome.mts';
import { RawServer, respondWithRawBytes } from '../support/servers/rawServer.mts';
import {
	computeSha256,
	respondInTurn,
	respondInTwoParts,
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createDeferred } from '../support/waiting.mts';

const node = useNode();
const recording = Buffer.concat([createWav(), Buffer.alloc(500_000, 3)]);
const sendRecording = respondWithBytes(recording, 'audio/wav');
const source = ScriptedServer.use(sendRecording);
/** A server that the source redirects to. */
const target = ScriptedServer.use(sendRecording);

async function fetchFrom(audioUrl: string, more = {}) {
	const parameters = { ...speechToTextParameters, audioSource: 'url', audioUrl, ...more };
	return await node.run(parameters, { files: {} });
}

/** The part of the request with the audio. */
async function readPart(audioUrl: string, more = {}) {
	const { error } = await fetchFrom(audioUrl, more);
	expect(error).toBeUndefined();
	return node.service.requests[0]?.parts[0];
}

async function expectSent(audioUrl: string, more = {}): Promise<void> {
	const part = await readPart(audioUrl, more);
	expect(part?.sha256).toBe(computeSha256(recording));
}

/** Nothing may arrive at the service. */
async function expectRejected(audioUrl: string, more = {}) {
	const { error } = await fetchFrom(audioUrl, more);
	expect(node.service.requestCount).toBe(0);
	const text = readErrorText({ error });
	expectNothingDebited(text);
	return { text, message: error!.message, description: error!.description! };
}

/** Responds with this status and these headers. */
function respondWith(status: number, headers: object, body?: Buffer): Responder {
	return (_request, response) => response.writeHead(status, { ...headers }).end(body);
}

const redirect = (location: string) => respondWith(302, { Location: location });

/** Redirects from `/5` to `/4`, and so on; the recording is at `/0`. */
const redirectRepeatedly: Responder = (...call) => {
	const left = Number(call[0].url.slice(1));
	(left === 0 ? sendRecording : redirect(`/${left - 1}`))(...call);
};

/** Sends the recording for this path, and responds to all others like this. */
const sendAt =
	(path: string, respondElsewhere: Responder): Responder =>
	(...call) =>
		(call[0].url === path ? sendRecording : respondElsewhere)(...call);

/** A header that consists of the bytes of UTF-8. Node sends each character as one byte. */
const toHeaderText = (text: string) => Buffer.from(text).toString('latin1');

describe('an error before the paid call', () => {
	it.each<[what: string, respond: Responder, why: string]>([
		['a part of it', respondWith(206, {}, recording), 'its server responded with status 206'],
		['a redirect to nowhere', respondWith(302, {}), 'its server responded with status 302'],
		[
			'a redirect to FTP',
			redirect('ftp://127.0.0.1/https:'),
			'it redirects to something that is not a web address',
		],
		['no response', (_request, response) => response.destroy(), 'its server did not return it'],
	])('names the address and the reason if the URL leads to %s', async (_, respond, why) => {
		source.respond = respond;
		const { message, description } = await expectRejected(source.baseUrl);
		const { host } = new URL(source.baseUrl);
		expect(message).toBe(`The audio could not be fetched from '${host}': ${why}`);
		expect(description).toMatch(
			/^Check 'Audio URL': it must lead to the audio file itself, without a login\./,
		);
	});

	it('names the server that a redirect leads to if it responds with an error', async () => {
		target.respond = respondWith(403, {});
		source.respond = redirect(target.baseUrl);
		const { message } = await expectRejected(source.baseUrl);
		expect(message).toContain(`from '${new URL(target.baseUrl).host}': its server responded`);
	});

	// test/call/openBody.test.mts tests what is not audio.
	it('says that the audio could not be read if it ends in its first bytes', async () => {
		source.respond = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 1_000_000 });
			response.write(recording.subarray(0, 100), () => response.destroy());
		};
		const { message } = await expectRejected(source.baseUrl);
		expect(message).toContain('The audio could not be read');
	});

	it('quotes the page at the URL after what is known of the debit', async () => {
		source.respond = respondWithBytes('<html>Log in</html>', 'text/html');
		const { description } = await expectRejected(source.baseUrl);
		expect(description).toMatch(
			/^Use an address that leads .* without a login\. Or download it with an 'HTTP Request' node .* This item was not sent, so it was not debited\. The address returns 'Log in'\.$/,
		);
	});

	it.each([
		['http://127.0.0.1:1/a.wav', 'its server did not return it', 'ECONNREFUSED'],
		['ftp://127.0.0.1/http://a.example', 'is not a web address', "it is 'ftp://"],
	])('says why the URL %s is rejected', async (address, what, why) => {
		const { message, description, text } = await expectRejected(address);
		expect(message).toContain(what);
		expect(description).toContain(why);
		// These words belong to the advice for a call to the service.
		expect(text).not.toMatch(/offline|'Base URL'/);
	});
});

describe('a recording from a URL', () => {
	// The node replaces quotes in names of files.
	it.each([
		[undefined, 'march 27.wav'],
		['attachment; filename="monday.wav"', 'monday.wav'],
		['attachment; filename = "a;\\"b\\".wav"; size=1', 'a;_b_.wav'],
		[`filename*=UTF-8'en'a%20b.wav; filename="c.wav"`, 'a b.wav'],
		[`filename="b"; filename*=UTF-8''f%C3%BCr.wav`, 'für.wav'],
		[toHeaderText('attachment; filename="für Zoë.wav"'), 'für Zoë.wav'],
		['attachment; filename=voice note.wav ; size=1', 'voice note.wav'],
		['attachment; filename=""', 'march 27.wav'],
		['x-filename="a.exe"; title="; filename=b.exe"; filename="monday.wav"', 'monday.wav'],
	])('of the header %s is named %s', async (header, fileName) => {
		const headers = header === undefined ? {} : { 'Content-Disposition': header };
		// A Location is not followed if the status is not that of a redirect.
		source.respond = respondWith(201, { ...headers, Location: '/' }, recording);
		expect(await readPart(` \t${source.baseUrl}/calls/march%2027.wav?token=1\n`)).toMatchObject({
			fileName,
			sha256: computeSha256(recording),
			headers: { 'content-type': 'audio/wav' },
		});
	});

	it('is at, and named by, the address that a redirect has as the bytes of UTF-8', async () => {
		source.respond = sendAt('/calls/f%C3%BCr.wav', redirect(toHeaderText('/calls/für.wav')));
		expect(await readPart(`${source.baseUrl}/1`)).toMatchObject({ fileName: 'für.wav' });
	});

	it.each([
		['audio/L16; rate=16000', 'audio/l16; rate=16000'],
		['audio/L16; name="a.json"', 'audio/l16'],
	])('is accepted as raw samples, and what is declared as %s is sent as %s', async (...types) => {
		const [declared, sent] = types;
		source.respond = respondWithBytes(rawSamples, declared);
		const part = await readPart(source.baseUrl, { options: { otherFormats: 'send' } });
		expect(part?.headers['content-type']).toBe(sent);
	});

	it('is sent while it arrives, with its length', async () => {
		const halfArrived = createDeferred();
		source.respond = respondInTwoParts(recording, 300_000, async () => await halfArrived.promise);
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

	// n8n's client decompresses the audio, and leaves the compressed length in the headers.
	const outcome = n8n.hidesDecompression ? 'fails during the upload' : 'is sent completely';

	it(`${outcome} if its server compresses it, although the node asks for uncompressed bytes`, async () => {
		const audio = Buffer.concat([createWav(), createNoise(300_000), Buffer.alloc(300_000)]);
		const compressed = gzipSync(audio);
		const headers = { 'Content-Encoding': 'gzip', 'Content-Length': compressed.length };
		source.respond = respondWith(200, { 'Content-Type': 'audio/wav', ...headers }, compressed);
		const { error } = await fetchFrom(source.baseUrl);
		if (n8n.hidesDecompression) {
			expect(error?.message).toBe('Reading the audio failed during the upload');
			expect(error?.description).toContain(`not as long as reported (${compressed.length} bytes)`);
			expect(node.service.requests).toEqual([]);
			return;
		}
		expect(error).toBeUndefined();
		expect(node.service.requests[0]?.parts[0]?.sha256).toBe(computeSha256(audio));
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

	it('is sent with an unknown Content-Encoding unless that is a compression', async () => {
		const respondEncoded = (encoding: string) =>
			respondWith(200, { 'Content-Type': 'audio/wav', 'Content-Encoding': encoding }, recording);
		source.respond = respondEncoded('gzip, br');
		const { text } = await expectRejected(source.baseUrl);
		expect(text).toContain('its server compresses it (gzip, br)');
		source.respond = respondEncoded('aws-chunked');
		await expectSent(source.baseUrl);
	});

	it('is not fetched for a key that the node does not allow', async () => {
		const { text } = await expectRejected(source.baseUrl, { allowedEnvironment: 'live' });
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
		source.respond = redirect(`${target.baseUrl}/elsewhere`);
		await expectSent(source.baseUrl);
		expect([source.requestCount, target.requestCount, node.service.requestCount]).toEqual([
			1, 1, 1,
		]);
		const listReceived = (server: ScriptedServer) =>
			JSON.stringify(server.requests.map(({ headers, url, body }) => [headers, url, `${body}`]));
		for (const server of [source, target]) {
			expect(listReceived(server)).not.toContain(nodeKey);
			expect(listReceived(server).toLowerCase()).not.toContain('x-api-key');
		}
		expect(listReceived(node.service)).toContain(nodeKey);
	});

	it('is fetched along 20 redirects, but not 21', async () => {
		source.respond = redirectRepeatedly;
		const { text } = await expectRejected(`${source.baseUrl}/21`);
		expect(text).toContain('redirects more than 20 times');
		// The podcast of test/full/examples shows that this works.
		expect(text).toContain(
			"Or download it with an 'HTTP Request' node before this one, and set 'Audio Source' to 'File From Previous Step'",
		);
		source.requestCount = 0;
		await expectSent(`${source.baseUrl}/20`);
		expect(source.requestCount).toBe(21);
	});

	it('is fetched once to convert it', async () => {
		source.respond = respondWithBytes(readAudioFile(fileConvertedToWav.file), 'audio/ogg');
		expect(await readPart(`${source.baseUrl}/voice.oga`)).toMatchObject({ fileName: 'voice.wav' });
		expect(source.requestCount).toBe(1);
	});
});

describe('a recording from a URL that is too long to be kept', () => {
	const long = createLongAdts();
	const sendLong = respondWithBytes(long, 'audio/aac');

	it('is fetched twice to convert it', async () => {
		source.respond = sendLong;
		const part = await readPart(`${source.baseUrl}/voice.aac`);
		expect(part?.fileName).toBe('voice.m4a');
		expect(part?.body.length).toBeGreaterThan(10_000_000);
		expect(source.requestCount).toBe(2);
	});

	// test/audio/repeatableAudio.test.mts tests one that has changed.
	it('may have been paid for if it is gone at the second reading', async () => {
		// Nobody listens there. A refused connection to the service would prove that nothing was sent.
		source.respond = respondInTurn(sendLong, redirect('http://127.0.0.1:1/'));
		const output = await fetchFrom(`${source.baseUrl}/voice.aac`);
		expect(source.requestCount).toBe(2);
		expect(node.service.requests).toEqual([]);
		expect(output.error).toMatchObject({
			message: 'Reading the audio failed during the upload',
			context: { debit: 'possible' },
		});
		expect(output.error?.description).not.toContain('not sent');
		expect(output.error?.description).toContain('could not be fetched');
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
		const { text } = await expectRejected(secure.baseUrl);
		expect(text).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
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
				const { text } = await expectRejected(what === 'a redirect' ? source.baseUrl : address);
				expect(text).toContain(n8n.ssrfProtection ? 'restricted IP address' : 'ECONNREFUSED');
			},
		);

		it('lets an allowed address pass, redirects included', async () => {
			source.respond = redirectRepeatedly;
			await expectSent(`${source.baseUrl}/5`);
		});
	});
});

describe("'Response Timeout (Seconds)'", () => {
	const clock = useClock();

	it('counts from the end of the upload', async () => {
		const isLate = createDeferred();
		source.respond = respondInTwoParts(recording, 20_000, async () => await isLate.promise);
		const running = fetchFrom(source.baseUrl, { options: { responseTimeoutSeconds: 1 } });
		await waitUntil(() => node.service.requestCount === 1);
		await clock.advance(2_000);
		isLate.resolve();
		expect((await running).error).toBeUndefined();
	});
});

describe('the connection to the server of a URL', () => {
	/** A response that never ends. */
	const respondEndlessly =
		(status: number, headers: Record<string, string> = {}): Responder =>
		(_request, response) =>
			void response.writeHead(status, headers).write('<html>'.repeat(2000));

	const waitForClosing = async () => await waitUntil(() => source.inProgress === 0);

	it.each([200, 404])('is closed for a response %i that does not end', async (status) => {
		source.respond = respondEndlessly(status);
		await expectRejected(source.baseUrl);
		await waitForClosing();
		expect(source.requestCount).toBe(1);
	});

	it('is closed for a redirect that does not end, while the call is in progress', async () => {
		source.respond = sendAt('/recording', respondEndlessly(302, { Location: '/recording' }));
		node.service.respond = async (...call) => {
			// Otherwise the call gets no response.
			await waitForClosing();
			respondWithJson({})(...call);
		};
		await expectSent(source.baseUrl);
		expect(source.requestCount).toBe(2);
	});
});
