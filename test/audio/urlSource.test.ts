import { sleep } from 'n8n-workflow';

import { speechToText, useNode } from '../support/node';
import { bytes, json, ScriptedServer, sha256, type Answer } from '../support/scriptedServer';
import { wav } from '../support/recordings';

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

/** Responds with this status and these headers. */
function respond(status: number, headers: Record<string, string>, body?: Buffer): Answer {
	return (_request, response) => response.writeHead(status, headers).end(body);
}

const check =
	"Check 'Audio URL': it must lead to the audio file itself, without a login. Nothing was sent, so nothing was debited.";

describe('an error names the address and the reason', () => {
	const noAddress = 'it redirects to something that is not a web address';

	it.each<[string, Answer, string]>([
		['a status 300', respond(300, {}), 'its server responded with status 300'],
		['a redirect to nowhere', respond(302, {}), 'its server responded with status 302'],
		['a redirect to mail', respond(302, { Location: 'mailto:a@b.example' }), noAddress],
		['a redirect to FTP', respond(302, { Location: 'ftp://127.0.0.1/https:' }), noAddress],
		['a redirect to no address', respond(302, { Location: 'http://' }), noAddress],
	])('%s', async (_what, answer, why) => {
		source.answer = answer;
		const host = new URL(source.baseUrl).host;
		expect(await errorOf(source.baseUrl)).toEqual({
			message: `The audio could not be fetched from '${host}': ${why}`,
			description: check,
		});
	});

	it('a long text is quoted by its beginning', async () => {
		const { description } = await errorOf(`file:${'x'.repeat(999)}`);
		expect(description).toContain(`and it is 'file:${'x'.repeat(195)}'.`);
	});

	it('a page, its type in capitals and with parameters', async () => {
		source.answer = bytes('Please log in', 'Text/Plain; Charset=UTF-8');
		const { message } = await errorOf(source.baseUrl, { options: { formatCheck: 'off' } });
		expect(message).toBe("'Audio URL' leads to text, not to audio");
	});
});

describe('a recording is accepted', () => {
	it.each<[string, Answer]>([
		['without a type', bytes(recording, undefined)],
		['with the type of a text', bytes(recording, 'text/plain')],
		['with status 201 and a Location', respond(201, { Location: '/' }, recording)],
	])('%s', async (_what, answer) => {
		source.answer = answer;
		expect(await partOf(source.baseUrl)).toMatchObject({
			sha256: sha256(recording),
			headers: { 'content-type': 'audio/wav' },
		});
	});

	it('from an address with white space around it', async () => {
		expect(await partOf(` \t${source.baseUrl}/a.wav\n`)).toMatchObject({ fileName: 'a.wav' });
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
		const part = await partOf(source.baseUrl, { options: { formatCheck: 'off' } });
		expect(part?.headers['content-type']).toBe(onTheWire);
	});
});

describe('the connection to its server is closed', () => {
	/** A response that never ends. */
	const endless =
		(status: number, headers: Record<string, string>): Answer =>
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
		source.answer = endless(status, {});
		await errorOf(source.baseUrl);
		expect(await closing()).toBe(0);
	});

	it('behind a redirect that does not end, while the call is in progress', async () => {
		source.answer = (request, ...more) => {
			const isThere = request.url === '/recording';
			const answer = isThere
				? bytes(recording, 'audio/wav')
				: endless(302, { Location: '/recording' });
			answer(request, ...more);
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
