import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { maxQuoteLength } from '../../nodes/VoiceSpeech/limits.ts';
import { useClock } from '../support/clock.mts';
import { useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	computeSha256,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { rawSamples, createWav } from '../support/media/recordings.mts';
import { createDeferred } from '../support/waiting.mts';

// test/credits/audioUrl.test.mts tests credits, the key, and n8n's own settings.

const node = useNode();
const recording = createWav();
const source = ScriptedServer.use(respondWithBytes(recording, 'audio/wav'));
/** A server that the source redirects to. */
const target = ScriptedServer.use(respondWithBytes(recording, 'audio/wav'));

function createParameters(audioUrl: string, more = {}) {
	return { ...speechToTextParameters, audioSource: 'url', audioUrl, ...more };
}

async function readError(audioUrl: string, more = {}) {
	return await node.runUnsent(createParameters(audioUrl, more), { files: {} });
}

async function readPart(audioUrl: string, more = {}) {
	const { request } = await node.runOnce(createParameters(audioUrl, more), { files: {} });
	return request.parts[0];
}

const unchecked = { options: { otherFormats: 'send' } };

/** Responds with this status and these headers. */
function respondWith(status: number, headers: Record<string, string>, body?: Buffer): Responder {
	return (_request, response) => response.writeHead(status, headers).end(body);
}

/** A header that consists of the bytes of UTF-8. Node sends each character as one byte. */
const toHeaderText = (text: string) => Buffer.from(text).toString('latin1');

/** Declares a longer body than it sends, and ends the connection. */
const breakOff: Responder = (_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 100_000 });
	response.write(recording.subarray(0, 100), () => response.destroy());
};

describe('an error before the paid call', () => {
	const check = /^Check 'Audio URL': it must lead to the audio file itself, without a login\./;

	it.each<{ what: string; respond: Responder; why: string }>([
		{
			what: 'a part of it',
			respond: respondWithBytes(recording, 'audio/wav', 206),
			why: 'its server responded with status 206',
		},
		{
			what: 'a redirect to nowhere',
			respond: respondWith(302, {}),
			why: 'its server responded with status 302',
		},
		{
			what: 'a redirect to FTP',
			respond: respondWith(302, { Location: 'ftp://127.0.0.1/https:' }),
			why: 'it redirects to something that is not a web address',
		},
		{
			what: 'no response',
			respond: (_request, response) => response.destroy(),
			why: 'its server did not return it',
		},
	])('names the address and the reason if the URL leads to $what', async ({ respond, why }) => {
		source.respond = respond;
		const { message, description } = await readError(source.baseUrl);
		const { host } = new URL(source.baseUrl);
		expect(message).toBe(`The audio could not be fetched from '${host}': ${why}`);
		expect(description).toMatch(check);
		expect(description).toContain('This item was not sent, so it was not debited.');
	});

	it('names the server that a redirect leads to if it responds with an error', async () => {
		target.respond = respondWith(403, {});
		source.respond = respondWith(302, { Location: target.baseUrl });
		const { message } = await readError(source.baseUrl);
		const { host } = new URL(target.baseUrl);
		expect(message).toBe(
			`The audio could not be fetched from '${host}': its server responded with status 403`,
		);
	});

	// test/call/openBody.test.mts tests what else is not audio.
	it.each<{ what: string; respond: Responder; says: string }>([
		{
			what: 'a picture',
			respond: respondWithBytes('\u0001?', 'Image/Own; a=b'),
			says: "'Audio URL' leads to image/own",
		},
		{ what: 'nothing', respond: respondWithBytes('', 'audio/wav'), says: 'is empty' },
		{ what: 'an end in the first bytes', respond: breakOff, says: 'The audio could not be read' },
	])('names the obstacle if the URL leads to $what in place of audio', async (row) => {
		source.respond = row.respond;
		const { message, description } = await readError(source.baseUrl);
		expect(message).toContain(row.says);
		expect(description).toContain('This item was not sent, so it was not debited.');
	});

	it('quotes the page at the URL after what is known of the debit', async () => {
		source.respond = respondWithBytes('<html>Log in</html>', 'text/html');
		const { description } = await readError(source.baseUrl);
		expect(description).toMatch(
			/^Use an address that leads .* without a login\. Or download it with an 'HTTP Request' node .* This item was not sent, so it was not debited\. The address returns 'Log in'\.$/,
		);
	});

	it.each([
		{
			address: 'http://127.0.0.1:1/a.wav',
			what: 'its server did not return it',
			why: 'ECONNREFUSED',
		},
		{
			address: 'ftp://127.0.0.1/http://a.example',
			what: 'is not a web address',
			why: "it is 'ftp://",
		},
		{
			address: `file:${'x'.repeat(maxQuoteLength)}`,
			what: 'is not a web address',
			why: `'file:${'x'.repeat(maxQuoteLength - 'file:'.length)}…'.`,
		},
	])('says why the URL $address is rejected', async ({ address, what, why }) => {
		const { message, description } = await readError(address);
		expect(message).toContain(what);
		expect(description).toContain(why);
		// These words belong to the advice for a call to the service.
		expect(`${message} ${description}`).not.toMatch(/offline|'Base URL'/);
	});
});

describe('a recording from a URL', () => {
	// The node replaces quotes in names of files.
	it.each([
		{ header: undefined, fileName: 'march 27.wav' },
		{ header: 'attachment; filename="monday.wav"', fileName: 'monday.wav' },
		{ header: 'attachment; filename = "a;\\"b\\".wav"; size=1', fileName: 'a;_b_.wav' },
		{ header: `filename*=UTF-8'en'a%20b.wav; filename="c.wav"`, fileName: 'a b.wav' },
		{ header: `filename="b"; filename*=UTF-8''f%C3%BCr.wav`, fileName: 'für.wav' },
		{ header: toHeaderText('attachment; filename="für Zoë.wav"'), fileName: 'für Zoë.wav' },
		{ header: 'attachment; filename=voice note.wav ; size=1', fileName: 'voice note.wav' },
		{ header: 'attachment; filename=""', fileName: 'march 27.wav' },
		{
			header: 'attachment; x-filename="a.exe"; title="; filename=b.exe"; filename="monday.wav"',
			fileName: 'monday.wav',
		},
	])('is named $fileName by the header $header', async ({ header, fileName }) => {
		const headers: Record<string, string> = header ? { 'Content-Disposition': header } : {};
		// A Location is not followed if the status is not that of a redirect.
		source.respond = respondWith(201, { ...headers, Location: '/' }, recording);
		expect(await readPart(` \t${source.baseUrl}/calls/march%2027.wav?token=1\n`)).toMatchObject({
			fileName,
			sha256: computeSha256(recording),
			headers: { 'content-type': 'audio/wav' },
		});
	});

	it('is at the address that a redirect has as the bytes of UTF-8', async () => {
		source.respond = (...call) => {
			const isThere = call[0].url === '/calls/f%C3%BCr.wav';
			(isThere
				? respondWithBytes(recording, 'audio/wav')
				: respondWith(302, { Location: toHeaderText('/calls/für.wav') }))(...call);
		};
		expect(await readPart(`${source.baseUrl}/1`)).toMatchObject({ fileName: 'für.wav' });
	});

	it('is named by the address that a redirect leads to', async () => {
		source.respond = respondWith(302, { Location: `${target.baseUrl}/calls/monday.wav` });
		expect(await readPart(`${source.baseUrl}/1`)).toMatchObject({ fileName: 'monday.wav' });
	});

	it.each([
		{ declared: 'audio/L16; rate=16000', onTheWire: 'audio/l16; rate=16000' },
		{ declared: 'audio/L16; name="a.json"', onTheWire: 'audio/l16' },
		{ declared: 'text/plain', onTheWire: 'text/plain' },
	])('is accepted as raw samples, declared as $declared', async ({ declared, onTheWire }) => {
		source.respond = respondWithBytes(rawSamples, declared);
		const part = await readPart(source.baseUrl, unchecked);
		expect(part?.headers['content-type']).toBe(onTheWire);
	});
});

describe("'Response Timeout (Seconds)'", () => {
	const clock = useClock();

	it('counts from the end of the upload', async () => {
		const isLate = createDeferred();
		const audio = createWav(1);
		source.respond = async (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audio.length });
			response.write(audio.subarray(0, 20_000));
			await isLate.promise;
			response.end(audio.subarray(20_000));
		};
		const options = { responseTimeoutSeconds: 1 };
		const running = node.run(createParameters(source.baseUrl, { options }), { files: {} });
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
		await readError(source.baseUrl);
		await waitForClosing();
		expect(source.requestCount).toBe(1);
	});

	it('is closed for a redirect that does not end, while the call is in progress', async () => {
		source.respond = (...call) => {
			const isThere = call[0].url === '/recording';
			(isThere
				? respondWithBytes(recording, 'audio/wav')
				: respondEndlessly(302, { Location: '/recording' }))(...call);
		};
		node.service.respond = async (...call) => {
			// Otherwise the call gets no response.
			await waitForClosing();
			respondWithJson({})(...call);
		};
		await node.runOnce(createParameters(source.baseUrl), { files: {} });
		expect(source.requestCount).toBe(2);
	});
});
