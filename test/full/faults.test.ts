/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { sleep, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { cutAfter, cutUpload, endings, openHandles, speech, wholeAnswers } from '../support/faults';
import { speak, speechToText, useNode } from '../support/node';
import { RawServer, saying, type Manner } from '../support/rawServer';

const node = useNode();

const calls = Number(process.env.FAULTED_CALLS ?? 10_000);

/** Items of one run. */
const batch = 100;

const { json, chunkedJson, audio, chunkedAudio } = wholeAnswers;

/** By the number of the call, so that every kind comes often and at every place. */
function faultOf(number: number): Manner {
	const ending = number % 2 === 0 ? endings.close : endings.reset;
	const whole = [json, chunkedJson, audio, chunkedAudio][number % 4] ?? json;
	switch (number % 7) {
		case 0:
			return cutUpload(ending, '');
		case 1:
			return cutUpload(ending, 'HTTP/1.1 413 No\r\nContent-Length: 9\r\n\r\n');
		case 2:
			return saying('SMTP 220 ready\r\n');
		case 3:
			return saying('HTTP/1.1 500 Ouch\r\nContent-Length: 99\r\n\r\nhalf of it');
		case 4:
			return (socket) => socket.destroy();
		default:
			return cutAfter((number * 13) % whole.bytes.length, whole, ending);
	}
}

let server: RawServer;
let faulted = 0;

beforeAll(async () => {
	server = await new RawServer().start();
	server.manner = (socket, request) => {
		// One fault for each connection, however many pieces its request comes in.
		const kept = socket as typeof socket & { fault?: Manner };
		kept.fault ??= faultOf(faulted++);
		kept.fault(socket, request);
	};
});

afterAll(async () => await server.stop());

async function run(parameters: INodeParameters, items: INodeExecutionData[]): Promise<number> {
	const options = { concurrency: 25, rateLimitRetries: 0 };
	const { items: out } = await node.engine.run({
		parameters: { ...parameters, options },
		items,
		credential: node.credential({ baseUrl: `http://127.0.0.1:${server.port}` }),
		node: { onError: 'continueRegularOutput' },
	});
	return out.filter((item) => 'error' in item.json).length;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is still held once all that ends in the background has ended; memory in units of 10 MB. */
async function held(): Promise<Record<string, number>> {
	for (let tries = 0; tries < 100 && server.open > 0; tries++) await sleep(10);
	collectGarbage();
	return { ...openHandles(), memory: process.memoryUsage().heapUsed / 10e6 };
}

it('10,000 broken calls leave no file, socket or listener behind, and no memory', async () => {
	const item = await node.engine.item(
		{},
		{ data: { bytes: speech, fileName: 'a.mp3', mimeType: 'audio/mpeg' } },
	);
	const items = new Array<INodeExecutionData>(batch).fill(item);
	// Twice each, so that what is made once is there.
	for (const parameters of [speechToText, speak, speechToText, speak]) await run(parameters, items);
	const warnings: Error[] = [];
	process.on('warning', (warning) => warnings.push(warning));
	const before = await held();
	let failed = 0;
	for (let count = 0; count < calls; count += batch) {
		failed += await run(count % (2 * batch) === 0 ? speechToText : speak, items);
	}
	expect(failed).toBe(calls);
	expect(faulted).toBe(calls + 4 * batch);
	// Node warns of an emitter, or a signal, on which listeners gather.
	expect(warnings).toEqual([]);
	const after = await held();
	for (const [kind, count] of Object.entries(after)) {
		const room = kind === 'memory' ? 1.5 : 5;
		expect({ kind, more: count - (before[kind] ?? 0) > room }).toEqual({ kind, more: false });
	}
}, 300_000);
