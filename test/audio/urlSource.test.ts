import { sleep } from 'n8n-workflow';

import { speechToText, useNode } from '../support/node';
import { bytes, json, ScriptedServer, sha256, type Answer } from '../support/scriptedServer';
import { wav } from '../support/recordings';

// Credits, the key, and n8n's own settings: test/credits/audio-url.test.ts.

const node = useNode();
const recording = wav();
const source = ScriptedServer.use(bytes(recording, 'audio/wav'));

function from(audioUrl: string, more = {}) {
	return { ...speechToText, audioSource: 'url', audioUrl, ...more };
}

async function errorOf(audioUrl: string, more = {}) {
	return await node.runUnsent(from(audioUrl, more), { files: {} });
}

async function partOf(audioUrl: string, more = {}) {
	const { request } = await node.runOnce(from(audioUrl, more), { files: {} });
	return request.parts[0];
}

const unchecked = { options: { formatCheck: 'off' } };

/** Responds with this status and these headers. */
function respond(status: number, headers: Record<string, string>, body?: Buffer): Answer {
	return (_request, response) => response.writeHead(status, headers).end(body);
}

/** Announces more than it sends, and ends the connection. */
const broken: Answer = (_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 100_000 });
	response.write(recording.subarray(0, 100), () => response.destroy());
};

describe('an error before the paid call names the address and the reason', () => {
	const noAddress = 'it redirects to something that is not a web address';
	const check = /^Check 'Audio URL': it must lead to the audio file itself, without a login\./;

	it.each<[string, Answer, string]>([
		['a part of it', bytes(recording, 'audio/wav', 206), 'its server responded with status 206'],
		['a status 404', bytes(recording, 'audio/wav', 404), 'its server responded with status 404'],
		['a redirect to nowhere', respond(302, {}), 'its server responded with status 302'],
		['a redirect to FTP', respond(302, { Location: 'ftp://127.0.0.1/https:' }), noAddress],
		['a redirect to no address', respond(302, { Location: 'http://' }), noAddress],
		['no response', (_request, response) => response.destroy(), 'its server did not return it'],
	])('%s', async (_what, answer, why) => {
		source.answer = answer;
		const { message, description } = await errorOf(source.baseUrl);
		const { host } = new URL(source.baseUrl);
		expect(message).toBe(`The audio could not be fetched from '${host}': ${why}`);
		expect(description).toMatch(check);
		expect(description).toContain('This item was not sent, so it was not debited.');
	});

	it.each<[string, Answer, string, object?]>([
		['a page', bytes('<html>Log in</html>', 'audio/wav'), "'Audio URL' leads to HTML"],
		['a picture', bytes('\u0001?', 'Image/Own; a=b'), "'Audio URL' leads to image/own"],
		['JSON', bytes('{"error":"no"}', 'application/json'), "'Audio URL' leads to JSON", unchecked],
		['nothing', bytes('', 'audio/wav'), 'is empty'],
		['an end in the first bytes', broken, 'The audio could not be read'],
	])('%s', async (_what, answer, says, more = {}) => {
		source.answer = answer;
		const { message, description } = await errorOf(source.baseUrl, more);
		expect(message).toContain(says);
		expect(description).toContain('This item was not sent, so it was not debited.');
	});

	it.each([
		['http://127.0.0.1:1/a.wav', 'its server did not return it', 'ECONNREFUSED'],
		['http://', 'is not a web address', "it is 'http://'"],
		['ftp://127.0.0.1/http://a.example', 'is not a web address', "it is 'ftp://"],
		[`file:${'x'.repeat(999)}`, 'is not a web address', `'file:${'x'.repeat(195)}'.`],
	])('%p', async (address, what, why) => {
		const { message, description } = await errorOf(address);
		expect(message).toContain(what);
		expect(description).toContain(why);
		// Those are the advice for a call.
		expect(`${message} ${description}`).not.toMatch(/offline|'Base URL'/);
	});
});

describe('a recording is accepted', () => {
	const untyped = bytes(recording, undefined);
	const named = (disposition: string) =>
		respond(200, { 'Content-Disposition': disposition }, recording);

	it.each<[what: string, path: string, Answer, name: string]>([
		['without a type', '/', untyped, 'recording.wav'],
		['with the type of a text', '/', bytes(recording, 'text/plain'), 'recording.wav'],
		['with a Location', '/', respond(201, { Location: '/' }, recording), 'recording.wav'],
		['named by its path', '/calls/march%2027.wav?token=1', untyped, 'march 27.wav'],
		['named by a path with an invalid escape', '/calls/50%.wav', untyped, '50%.wav'],
		['named by a header', '/b', named('attachment; filename="monday.wav"'), 'monday.wav'],
		['named by a header without quotes', '/b', named('inline; filename=monday.wav'), 'monday.wav'],
		['named in UTF-8', '/b', named(`filename="b"; filename*=UTF-8''f%C3%BCr.wav`), 'für.wav'],
		['named by an invalid escape', '/b', named('attachment; filename="50%.wav"'), '50%.wav'],
	])('%s', async (_what, path, answer, fileName) => {
		source.answer = answer;
		expect(await partOf(` \t${source.baseUrl}${path}\n`)).toMatchObject({
			...{ fileName, sha256: sha256(recording) },
			headers: { 'content-type': 'audio/wav' },
		});
	});

	it.each([
		['audio/L16; rate=16000', 'audio/l16; rate=16000'],
		['audio/L16; name="a.json"', 'audio/l16'],
		['audio/L16 ; rate=16000', 'audio/l16 ; rate=16000'],
		['audio/L16; rate=16000, and more', 'audio/l16'],
		['raw audio/L16', 'application/octet-stream'],
	])('of raw samples, declared as %s', async (declared, onTheWire) => {
		const samples = Buffer.from(Array.from({ length: 900 }, (_, index) => (index * 7) % 251));
		source.answer = bytes(samples, declared);
		const part = await partOf(source.baseUrl, unchecked);
		expect(part?.headers['content-type']).toBe(onTheWire);
	});
});

describe('the connection to its server is closed', () => {
	/** A response that never ends. */
	const endless =
		(status: number, headers: Record<string, string> = {}): Answer =>
		(_request, response) =>
			void response.writeHead(status, headers).write('<html>'.repeat(2000));

	async function closing(): Promise<number> {
		for (let tries = 0; tries < 300 && source.inProgress > 0; tries++) await sleep(10);
		return source.inProgress;
	}

	it.each([
		['a page', 200],
		['an error', 404],
	])('where it leads to %s that does not end', async (_what, status) => {
		source.answer = endless(status);
		await errorOf(source.baseUrl);
		expect(await closing()).toBe(0);
	});

	it('behind a redirect that does not end, while the call is in progress', async () => {
		source.answer = (...call) => {
			const isThere = call[0].url === '/recording';
			(isThere ? bytes(recording, 'audio/wav') : endless(302, { Location: '/recording' }))(...call);
		};
		let left: number | undefined;
		node.service.answer = async (...call) => {
			left = await closing();
			json({})(...call);
		};
		await node.runOnce(from(source.baseUrl), { files: {} });
		expect(left).toBe(0);
	});
});
