/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { sleep, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { openFiles, openHandles } from '../support/openFiles';
import { mp3 } from '../support/recordings';
import { isComplete, rawResponse, RawServer, type RawAnswer } from '../support/rawServer';
import { sha256 } from '../support/scriptedServer';

const node = useNode();

const server = RawServer.use();

/** A complete response, byte for byte. */
interface WholeAnswer {
	name: string;
	bytes: Buffer;
}

function answer(name: string, type: string, body: Buffer, chunk?: number): WholeAnswer {
	const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n`;
	if (chunk === undefined) {
		const length = `Content-Length: ${body.length}\r\n\r\n`;
		return { name, bytes: Buffer.concat([Buffer.from(head + length), body]) };
	}
	const pieces: Buffer[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
	for (let at = 0; at < body.length; at += chunk) {
		const piece = body.subarray(at, at + chunk);
		pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
	}
	return { name, bytes: Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]) };
}

const speech = mp3(40);

const transcript = Buffer.from(JSON.stringify({ text: 'hello '.repeat(40).trim() }));

const wholeAnswers = {
	json: answer('JSON', 'application/json', transcript),
	chunkedJson: answer('JSON in chunks', 'application/json', transcript, 11),
	audio: answer('audio', 'audio/mpeg', speech),
	chunkedAudio: answer('audio in chunks', 'audio/mpeg', speech, 500),
};

type Ending = (socket: Socket, last: Buffer) => void;

const endings: Record<'close' | 'reset', Ending> = {
	close: (socket, last) => socket.end(last),
	reset: (socket, last) => socket.write(last, () => socket.resetAndDestroy()),
};

/** Sends only this many bytes of a response. */
function cutAfter(count: number, { bytes }: WholeAnswer, ending: Ending): RawAnswer {
	return (socket, request) => {
		if (isComplete(request)) ending(socket, bytes.subarray(0, count));
	};
}

/** Responds before the request has arrived, and stops reading. */
function cutUpload(ending: Ending, last: string): RawAnswer {
	return (socket) => {
		socket.pause();
		ending(socket, Buffer.from(last));
		// Nothing is read any more, so the connection must be ended.
		void sleep(50).then(() => socket.destroy());
	};
}

const { json, chunkedJson, audio, chunkedAudio } = wholeAnswers;

async function runOnce(parameters: typeof speechToText) {
	const before = server.connections;
	const credential = { baseUrl: server.baseUrl };
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
			server.answer = cutAfter(count, whole, endings[ending]);
			const { items, error } = await runOnce(parameters);
			expect({ count, items }).toEqual({ count, items: [] });
			expect(error?.description).toContain('The call may have been debited');
		}
	});
});

it.each([json, chunkedJson, audio, chunkedAudio])('$name that is whole is one', async (whole) => {
	server.answer = cutAfter(Infinity, whole, endings.close);
	const isAudio = whole.name.startsWith('audio');
	const { items, error } = await runOnce(isAudio ? speak : speechToText);
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
			server.answer = cutUpload(endings[ending], last);
			const { items, error } = await runOnce(speechToText);
			expect(items).toEqual([]);
			expect(error?.description).toContain('The call may have been debited');
		}
	},
);

it('an answer that is not what is due is not waited for, and its connection is closed', async () => {
	const endless = (type: string, text: string) =>
		`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 9999999\r\n\r\n${text.repeat(1000)}`;
	server.answer = rawResponse(endless('text/html', '<html>'), 'keep');
	for (const parameters of [speechToText, speak]) {
		const { error } = await runOnce(parameters);
		expect(error?.message).toContain('The service returned HTML');
	}
	server.answer = rawResponse(endless('audio/mpeg', 'Sorry '), 'keep');
	const { error } = await runOnce(undocumented);
	expect(error?.message).toContain('something else instead of audio');
	for (let tries = 0; tries < 100 && server.openConnections > 0; tries++) await sleep(10);
	expect(server.openConnections).toBe(0);
});

const calls = Number(process.env.FAULTED_CALLS ?? 10_000);

/** Items of one run. */
const batch = 100;

/** An answer of another kind than is due, which goes on and on: nobody may wait for its end. */
const endless = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999999\r\n\r\n${'<p>'.repeat(3000)}`;

/** Before the upload is over, so that its file is still open. */
const early: RawAnswer[] = [
	cutUpload(endings.close, ''),
	cutUpload(endings.reset, 'HTTP/1.1 413 No\r\nContent-Length: 9\r\n\r\n'),
	(socket) => socket.destroy(),
];

/** By the number of the call, so that every kind comes often and at every place. */
function faultOf(number: number): RawAnswer {
	const ending = number % 2 === 0 ? endings.close : endings.reset;
	const whole = [json, chunkedJson, audio, chunkedAudio][number % 4] ?? json;
	switch (number % 7) {
		case 0:
			return rawResponse(endless, 'keep');
		case 1:
			return rawResponse('SMTP 220 ready\r\n');
		case 2:
			return rawResponse('HTTP/1.1 500 Ouch\r\nContent-Length: 99\r\n\r\nhalf of it');
		default:
			return cutAfter((number * 13) % whole.bytes.length, whole, ending);
	}
}

/** Whether the files of this run are so large that the faults come while they are sent. */
let isLarge = false;

/** Whether the calls of this run succeed: what a success leaves behind is found here too. */
let isWhole = false;

let arrived = 0;

/** @returns how many of its items failed */
async function run(parameters: INodeParameters, item: INodeExecutionData): Promise<number> {
	const options = { concurrency: 25, rateLimitRetries: 0 };
	const { items } = await node.engine.run({
		parameters: { ...parameters, options },
		items: new Array<INodeExecutionData>(batch).fill(item),
		credential: node.credential({ baseUrl: server.baseUrl }),
		node: { onError: 'continueRegularOutput' },
	});
	return items.filter(({ json: fields }) => 'error' in fields).length;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is still held once all that ends in the background has ended; memory in units of 10 MB. */
async function held(): Promise<Record<string, number>> {
	for (let tries = 0; tries < 100 && server.openConnections > 0; tries++) await sleep(10);
	collectGarbage();
	return { ...openHandles(), memory: process.memoryUsage().heapUsed / 10e6 };
}

it(`${calls} broken calls, and others that succeed, leave no file, socket or listener behind, and no memory`, async () => {
	server.answer = (...bytes) => {
		const { index } = bytes[2];
		arrived = index + 1;
		const whole = isWhole ? cutAfter(Infinity, json, endings.close) : undefined;
		(whole ?? (isLarge ? early[index % early.length] : undefined) ?? faultOf(index))(...bytes);
	};
	const itemWith = async (bytes: Buffer) =>
		await node.engine.item({}, { data: { bytes, fileName: 'a.mp3', mimeType: 'audio/mpeg' } });
	const small = await itemWith(speech);
	const large = await itemWith(mp3(12_000));
	const largeId = String(large.binary?.data?.id).slice(-36);
	const round = async () => {
		isLarge = false;
		isWhole = true;
		expect(await run(speechToText, small)).toBe(0);
		isWhole = false;
		const failed = (await run(speechToText, small)) + (await run(speak, small));
		isLarge = true;
		const all = failed + (await run(speechToText, large));
		await sleep(50);
		// After each round: in the end, garbage collection would have closed what was forgotten.
		expect(openFiles().filter((file) => file.endsWith(largeId))).toEqual([]);
		return all;
	};
	// What is made once is there then.
	await round();
	await round();
	const before = await held();
	let failed = 0;
	let rounds = 0;
	const begun = arrived;
	for (; failed < calls; rounds++) failed += await round();
	expect([failed, arrived - begun]).toEqual([rounds * 3 * batch, rounds * 4 * batch]);
	const after = await held();
	for (const [kind, count] of Object.entries(after)) {
		const room = kind === 'memory' ? 1.5 : 5;
		expect({ kind, more: count - (before[kind] ?? 0) > room }).toEqual({ kind, more: false });
	}
}, 300_000);
