import { sleep, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { useNode, type RunSetup } from '../support/node.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { listOpenFiles } from '../support/openFiles.mts';
import {
	respondWithRawBytes,
	RawServer,
	type RawResponder,
} from '../support/servers/rawServer.mts';
import { createMp3 } from '../support/media/recordings.mts';

const node = useNode();
const server = RawServer.use();

/** Runs the node with the server as its service. */
const run = async (parameters: INodeParameters, setup?: RunSetup) =>
	await node.run(parameters, { credential: { baseUrl: server.baseUrl }, ...setup });

/** A complete response, byte for byte; in chunks if their size is given. */
function createRawResponse(type: string, body: Buffer, chunk?: number): Buffer {
	const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n`;
	if (chunk === undefined) {
		return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
	}
	const pieces: Buffer[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
	for (let at = 0; at < body.length; at += chunk) {
		const piece = body.subarray(at, at + chunk);
		pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
	}
	return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

const speech = createMp3(40);
const transcript = Buffer.from(JSON.stringify({ text: 'hello '.repeat(40).trim() }));

const responses = {
	JSON: createRawResponse('application/json', transcript),
	'JSON in chunks': createRawResponse('application/json', transcript, 11),
	audio: createRawResponse('audio/mpeg', speech),
	'audio in chunks': createRawResponse('audio/mpeg', speech, 500),
};

type Ending = 'close' | 'reset';

/** Responds before the request has arrived, and stops reading. */
function cutUpload(last: string, ending: Ending): RawResponder {
	return (socket) => {
		socket.pause();
		if (ending === 'close') socket.end(last);
		else socket.write(last, () => socket.resetAndDestroy());
		// Nothing is read any more, so the connection must be ended. The delay lets the response arrive before its end.
		void sleep(50).then(() => socket.destroy());
	};
}

const calls = 10_000;

/** Items of one node run. */
const batch = 100;

/** A response of another kind than the operation promises, which breaks off. The node reads it to its end, to keep it. */
const respondWithOther = (type: string, text: string) =>
	respondWithRawBytes(
		`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 9999999\r\n\r\n${text.repeat(3000)}`,
	);

/** Never responds. */
const silent: RawResponder = () => {};

/** Ends another part of the response at every connection. */
const cutAnywhere =
	(bytes: Buffer, ending: Ending): RawResponder =>
	(socket, request, connection) => {
		const count = (connection.index * 13) % bytes.length;
		respondWithRawBytes(bytes.subarray(0, count), ending)(socket, request, connection);
	};

const broken: RawResponder[] = [
	respondWithOther('text/html', '<p>'),
	respondWithOther('audio/mpeg', 'Sorry '),
	respondWithRawBytes('SMTP 220 ready\r\n'),
	respondWithRawBytes('HTTP/1.1 500 Ouch\r\nContent-Length: 99\r\n\r\nhalf of it'),
	...Object.values(responses).flatMap((bytes) => [
		cutAnywhere(bytes, 'close'),
		cutAnywhere(bytes, 'reset'),
	]),
];

/** Responses and breaks before the upload is over, so that its file is still open. */
const early: RawResponder[] = [
	cutUpload('', 'close'),
	cutUpload('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{', 'close'),
	cutUpload('HTTP/1.1 413 No\r\nContent-Length: 9\r\n\r\n', 'reset'),
	(socket) => socket.destroy(),
];

/** Runs the node once, with these responses in turn; expects that this many of its items fail. */
async function expectFailures(
	count: number,
	responders: RawResponder[],
	parameters: INodeParameters,
	item: INodeExecutionData,
	options: INodeParameters = {},
) {
	server.respond = (socket, request, connection) =>
		responders[connection.index % responders.length]!(socket, request, connection);
	const failing = {
		...parameters,
		options: { concurrency: 25, rateLimitRetries: 0, ...options },
	};
	const { items } = await run(failing, {
		items: new Array<INodeExecutionData>(batch).fill(item),
		node: { onError: 'continueRegularOutput' },
	});
	expect(items.filter(({ json }) => 'error' in json)).toHaveLength(count);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What the process holds once all connections have ended, by kind. Memory is in units of 10 MB. */
async function measureResources(): Promise<Record<string, number>> {
	await waitUntil(() => server.openConnections === 0);
	collectGarbage();
	const handles: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
	const listeners = process
		.eventNames()
		.reduce((sum, name) => sum + process.listenerCount(name), 0);
	const files = listOpenFiles().length;
	return { ...handles, files, listeners, memory: process.memoryUsage().heapUsed / 10e6 };
}

it(`${calls} broken calls, and others that succeed, leave no files, sockets, listeners or memory behind`, async () => {
	const createItem = async (bytes: Buffer) => {
		const data = { bytes, fileName: 'a.mp3', mimeType: 'audio/mpeg' };
		return await node.engine.createItemWithFiles({}, { data });
	};
	const small = await createItem(speech);
	const large = await createItem(createMp3(12_000));
	const largeId = String(large.binary?.data?.id).slice(-36);
	const runSilent = async () =>
		await expectFailures(batch, [silent], speechToTextParameters, small, {
			responseTimeoutSeconds: 1,
		});
	const runRound = async () => {
		await expectFailures(0, [respondWithRawBytes(responses.JSON)], speechToTextParameters, small);
		await expectFailures(batch, broken, speechToTextParameters, small);
		await expectFailures(batch, broken, textToSpeechParameters, small);
		await expectFailures(batch, early, speechToTextParameters, large);
		// At the end of the test, garbage collection would have closed what was forgotten, so each round checks its files.
		await waitUntil(() => !listOpenFiles().some((file) => file.endsWith(largeId)));
	};
	// After two rounds, everything that is created only once exists.
	await runRound();
	await runRound();
	await runSilent();
	const before = await measureResources();
	for (let failed = 0; failed < calls; failed += 3 * batch) await runRound();
	await runSilent();
	const after = await measureResources();
	for (const [kind, count] of Object.entries(after)) {
		const room = kind === 'memory' ? 1.5 : 5;
		expect({ kind, more: count - (before[kind] ?? 0) > room }).toEqual({ kind, more: false });
	}
});
