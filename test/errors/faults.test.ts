import { sleep } from 'n8n-workflow';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { cutAfter, cutUpload, endings, speech, wholeAnswers } from '../support/faults';
import { RawServer, saying } from '../support/rawServer';
import { sha256 } from '../support/recorder';

const node = useNode();

let server: RawServer;

beforeAll(async () => {
	server = await new RawServer().start();
});

afterAll(async () => await server.stop());

async function run(parameters: typeof speechToText) {
	const before = server.connections;
	const credential = { baseUrl: `http://127.0.0.1:${server.port}` };
	const output = await node.run(parameters, { credential });
	expect(server.connections).toBe(before + 1);
	return output;
}

/** Every place in the headers, and some in the body: its first bytes, its last, and where chunks begin and end. */
function placesIn({ bytes }: { bytes: Buffer }): number[] {
	const body = bytes.indexOf('\r\n\r\n') + 4;
	const every = (step: number, from: number, to: number) =>
		Array.from({ length: Math.ceil((to - from) / step) }, (_, count) => from + count * step);
	return [
		...every(9, 0, body),
		...every(1, body - 4, body + 24),
		...every(Math.ceil((bytes.length - body) / 12), body, bytes.length),
		...every(1, bytes.length - 9, bytes.length),
	];
}

const { json, chunkedJson, audio, chunkedAudio } = wholeAnswers;

describe.each(['close', 'reset'] as const)('ended by a %s', (ending) => {
	it.each([
		{ ...json, parameters: speechToText },
		{ ...chunkedJson, parameters: speechToText },
		{ ...json, parameters: undocumented },
		{ ...audio, parameters: speak },
		{ ...chunkedAudio, parameters: speak },
		{ ...chunkedAudio, parameters: undocumented },
	])('$name, after any number of bytes, is no success', async ({ parameters, ...whole }) => {
		for (const count of placesIn(whole)) {
			server.manner = cutAfter(count, whole, endings[ending]);
			const { items, error } = await run(parameters);
			expect({ count, items }).toEqual({ count, items: [] });
			expect(error?.description).toContain('The call may have been debited');
		}
	});
});

it.each([json, chunkedJson, audio, chunkedAudio])('$name that is whole is one', async (whole) => {
	server.manner = cutAfter(Infinity, whole, endings.close);
	const isAudio = whole.name.startsWith('audio');
	const { items, error } = await run(isAudio ? speak : speechToText);
	expect(error).toBeUndefined();
	if (isAudio) {
		const file = items[0]?.binary?.data;
		expect(sha256(await node.engine.read(file))).toBe(sha256(speech));
	} else {
		expect(String(items[0]?.json.text)).toHaveLength(239);
	}
});

it.each(['close', 'reset'] as const)(
	'an upload that is cut off by a %s is no success',
	async (ending) => {
		for (const last of ['', 'HTTP/1.1 20', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{']) {
			server.manner = cutUpload(endings[ending], last);
			const { items, error } = await run(speechToText);
			expect(items).toEqual([]);
			expect(error?.description).toContain('The call may have been debited');
		}
	},
);

it('an answer that is not what is due is not waited for, and its connection is closed', async () => {
	const endless = (type: string, text: string) =>
		`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 9999999\r\n\r\n${text.repeat(1000)}`;
	server.manner = saying(endless('text/html', '<html>'), 'keep');
	for (const parameters of [speechToText, speak]) {
		const { error } = await run(parameters);
		expect(error?.message).toContain('The service returned HTML');
	}
	server.manner = saying(endless('audio/mpeg', 'Sorry '), 'keep');
	const { error } = await run(undocumented);
	expect(error?.message).toContain('something else instead of audio');
	for (let tries = 0; tries < 100 && server.open > 0; tries++) await sleep(10);
	expect(server.open).toBe(0);
});
