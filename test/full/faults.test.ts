/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { sleep, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import {
	cutAfter,
	cutUpload,
	endings,
	openFiles,
	openHandles,
	speech,
	wholeAnswers,
} from '../support/faults';
import { speak, speechToText, useNode } from '../support/node';
import { RawServer, saying, type Manner } from '../support/rawServer';
import { mp3 } from '../support/recordings';

const node = useNode();

const calls = Number(process.env.FAULTED_CALLS ?? 10_000);

/** Items of one run. */
const batch = 100;

const { json, chunkedJson, audio, chunkedAudio } = wholeAnswers;

/** An answer of another kind than is due, which goes on and on: nobody may wait for its end. */
const endless = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999999\r\n\r\n${'<p>'.repeat(3000)}`;

/** Before the upload is over, so that its file is still open. */
const early: Manner[] = [
	cutUpload(endings.close, ''),
	cutUpload(endings.reset, 'HTTP/1.1 413 No\r\nContent-Length: 9\r\n\r\n'),
	(socket) => socket.destroy(),
];

/** By the number of the call, so that every kind comes often and at every place. */
function faultOf(number: number): Manner {
	const ending = number % 2 === 0 ? endings.close : endings.reset;
	const whole = [json, chunkedJson, audio, chunkedAudio][number % 4] ?? json;
	switch (number % 7) {
		case 0:
			return saying(endless, 'keep');
		case 1:
			return saying('SMTP 220 ready\r\n');
		case 2:
			return saying('HTTP/1.1 500 Ouch\r\nContent-Length: 99\r\n\r\nhalf of it');
		default:
			return cutAfter((number * 13) % whole.bytes.length, whole, ending);
	}
}

/** Whether the files of this run are so large that the faults come while they are sent. */
let isLarge = false;

let server: RawServer;
let faulted = 0;

beforeAll(async () => {
	server = await new RawServer().start();
	server.choose = () => {
		const number = faulted++;
		return (isLarge ? early[number % early.length] : undefined) ?? faultOf(number);
	};
});

afterAll(async () => await server.stop());

/** @returns how many of its items failed */
async function run(parameters: INodeParameters, item: INodeExecutionData): Promise<number> {
	const options = { concurrency: 25, rateLimitRetries: 0 };
	const { items } = await node.engine.run({
		parameters: { ...parameters, options },
		items: new Array<INodeExecutionData>(batch).fill(item),
		credential: node.credential({ baseUrl: `http://127.0.0.1:${server.port}` }),
		node: { onError: 'continueRegularOutput' },
	});
	return items.filter(({ json: fields }) => 'error' in fields).length;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is still held once all that ends in the background has ended; memory in units of 10 MB. */
async function held(): Promise<Record<string, number>> {
	for (let tries = 0; tries < 100 && server.open > 0; tries++) await sleep(10);
	collectGarbage();
	return { ...openHandles(), memory: process.memoryUsage().heapUsed / 10e6 };
}

it(`${calls} broken calls leave no file, socket or listener behind, and no memory`, async () => {
	const itemWith = async (bytes: Buffer) =>
		await node.engine.item({}, { data: { bytes, fileName: 'a.mp3', mimeType: 'audio/mpeg' } });
	const small = await itemWith(speech);
	const large = await itemWith(mp3(12_000));
	const largeId = String(large.binary?.data?.id).slice(-36);
	const round = async () => {
		isLarge = false;
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
	const begun = faulted;
	while (failed < calls) failed += await round();
	expect(faulted - begun).toBe(failed);
	expect(failed % (3 * batch)).toBe(0);
	const after = await held();
	for (const [kind, count] of Object.entries(after)) {
		const room = kind === 'memory' ? 1.5 : 5;
		expect({ kind, more: count - (before[kind] ?? 0) > room }).toEqual({ kind, more: false });
	}
}, 300_000);
