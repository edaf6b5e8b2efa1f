import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { buffer } from 'node:stream/consumers';

import { enableRetryOnFail, onErrorSettings } from '../support/calls.mts';
import { useNode } from '../support/node.mts';
import { textToSpeechParameters, undocumentedTextParameters } from '../support/nodeParameters.mts';
import {
	listErrors,
	readErrorText,
	maybeDebited,
	nothingDebited,
	wasDebited,
} from '../support/outcome.mts';
import { createMp3 } from '../support/media/recordings.mts';
import { respondWithBytes, type Responder } from '../support/servers/scriptedServer.mts';

// n8n's own storage is on disk. This one fails where a test wants it.
const node = useNode('database');

/** What n8n's storage does with a file. */
type Store = (
	location: unknown,
	file: AsyncIterable<Buffer>,
) => Promise<{ fileId: string; fileSize: number }>;

function useStore(store: Store): void {
	Container.get(BinaryDataService).setManager('database', { store } as never);
}

function createDiskFullError(): Error {
	const facts = { code: 'ENOSPC', errno: -28, syscall: 'write' };
	return Object.assign(new Error('ENOSPC: no space left on device, write'), facts);
}

/** Reads a file up to a number of bytes and then throws, which ends the stream as in `fs.writeFile`. */
function throwAfter(limit: number, error: () => Error): Store {
	return async (_location, file) => {
		let length = 0;
		for await (const chunk of file) {
			length += chunk.length;
			if (length >= limit) throw error();
		}
		throw error();
	};
}

const createDatabaseError = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });

const long = createMp3(20_000);

/** Responds in chunks, and so without a Content-Length. */
const respondInChunks: Responder = (_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
	for (let at = 0; at < long.length; at += 50_000) response.write(long.subarray(at, at + 50_000));
	response.end();
};

function expectPaid(text: string | undefined, reason: string): void {
	expect(text).toMatch(wasDebited);
	expect(text).not.toMatch(maybeDebited);
	expect(text).not.toMatch(nothingDebited);
	expect(text).toContain(reason);
	// It is not a fault of the network.
	expect(text).not.toMatch(/connection broke|did not get through/i);
}

describe.each<{ what: string; respond: Responder }>([
	{ what: 'short audio', respond: respondWithBytes(createMp3(10), 'audio/mpeg') },
	{ what: 'long audio in chunks', respond: respondInChunks },
])('$what that cannot be stored', ({ respond }) => {
	it.each<{ failure: string; store: Store; reason: string }>([
		{
			failure: 'the disk is full before the first byte',
			store: async () => await Promise.reject(createDiskFullError()),
			reason: 'ENOSPC',
		},
		{
			failure: 'the disk is full after 1 MB',
			store: throwAfter(1e6, createDiskFullError),
			reason: 'ENOSPC',
		},
		{
			failure: 'the database is gone',
			store: throwAfter(Infinity, createDatabaseError),
			reason: 'ECONNRESET',
		},
	])('was paid, and the error says so: $failure', async ({ store, reason }) => {
		node.service.respond = respond;
		useStore(store);
		for (const parameters of [textToSpeechParameters, undocumentedTextParameters]) {
			node.service.requestCount = 0;
			const output = await node.run(parameters, {
				items: [{ json: {} }],
				// A later try would pay for it again.
				node: enableRetryOnFail(2),
			});
			expect(output.items).toEqual([]);
			expectPaid(readErrorText(output), reason);
			expect(node.service.requestCount).toBe(1);
		}
	});
});

it('outputs the items that could be stored if On Error is Continue', async () => {
	node.service.respond = respondWithBytes(long, 'audio/mpeg');
	let files = 0;
	useStore(async (_location, file) => {
		files++;
		if (files === 2) throw createDiskFullError();
		return { fileId: String(files), fileSize: (await buffer(file)).length };
	});
	const output = await node.run(
		{ ...textToSpeechParameters, options: { concurrency: 1 } },
		{ items: [{ json: {} }, { json: {} }, { json: {} }], node: onErrorSettings.Continue },
	);
	const errors = listErrors(output);
	expect(errors).toEqual([undefined, expect.any(String), undefined]);
	expectPaid(errors[1], 'ENOSPC');
	expect(node.service.requestCount).toBe(3);
	const isStored = output.items.map(({ binary }) => binary?.data !== undefined);
	expect(isStored).toEqual([true, false, true]);
});
