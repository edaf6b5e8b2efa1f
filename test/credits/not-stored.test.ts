/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Container } from '@n8n/di';
import { BinaryDataService, FileTooLargeError } from 'n8n-core';
import type { Readable } from 'node:stream';

import { callWav, speak, undocumented, useNode } from '../support/node';
import {
	errorText,
	maybeDebited,
	nothingDebited,
	outcomesOf,
	wasDebited,
} from '../support/outcome';
import { bytes, type Answer } from '../support/recorder';
import { mp3 } from '../support/recordings';
import { modes, upTo } from './till';

const node = useNode();

type Store = (location: unknown, file: Readable | Buffer, metadata: object) => Promise<never>;

function diskFull(): Error {
	return Object.assign(new Error('ENOSPC: no space left on device, write'), {
		code: 'ENOSPC',
		errno: -28,
		syscall: 'write',
	});
}

/** Reads a file up to a number of bytes, and then throws, which ends the stream as in `fs.writeFile`. */
async function readUpTo(limit: number, file: Readable | Buffer, error: Error): Promise<never> {
	let length = 0;
	for await (const chunk of file as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length >= limit) throw error;
	}
	throw error;
}

/** How n8n's storage fails, and the reason that the error must contain. */
const failures: Array<{ what: string; store: Store; reason: string }> = [
	{
		what: 'the disk is full before the first byte',
		store: async () => await Promise.reject(diskFull()),
		reason: 'ENOSPC',
	},
	{
		what: 'the disk is full after the first chunk',
		store: async (_location, file) => await readUpTo(1, file, diskFull()),
		reason: 'ENOSPC',
	},
	{
		what: 'the disk is full after 1 MB',
		store: async (_location, file) => await readUpTo(1e6, file, diskFull()),
		reason: 'ENOSPC',
	},
	{
		what: 'the disk is full after the last byte',
		store: async (_location, file) => await readUpTo(Infinity, file, diskFull()),
		reason: 'ENOSPC',
	},
	{
		what: 'the file is too large for the database',
		store: async (_location, file) =>
			await readUpTo(
				Infinity,
				file,
				new FileTooLargeError({ fileSizeMb: 600, maxFileSizeMb: 512, fileId: 'a' }),
			),
		reason: 'exceeds the max size limit',
	},
	{
		what: 'the database is gone',
		store: async (_location, file) =>
			await readUpTo(Infinity, file, Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
		reason: 'ECONNRESET',
	},
];

interface Managers {
	managers: Record<string, object>;
}

/** Replaces n8n's storage by one that cannot store, but still has the files of before. */
function failWith(store: Store): void {
	const service = Container.get(BinaryDataService);
	const { managers } = service as unknown as Managers;
	const real = managers['filesystem-v2'] ?? {};
	for (const mode of ['filesystem', 'filesystem-v2']) {
		service.setManager(
			mode as never,
			Object.assign(Object.create(real) as object, { store }) as never,
		);
	}
}

let managers: Record<string, object>;

beforeAll(() => {
	({ managers } = Container.get(BinaryDataService) as unknown as Managers);
	managers = { ...managers };
});

afterEach(() => {
	const service = Container.get(BinaryDataService);
	for (const [mode, manager] of Object.entries(managers)) {
		service.setManager(mode as never, manager as never);
	}
});

const short = mp3(10);
const long = mp3(20_000);

/** Without a length, in chunks. */
function inChunks(audio: Buffer): Answer {
	return (_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
		for (let at = 0; at < audio.length; at += 50_000) {
			response.write(audio.subarray(at, at + 50_000));
		}
		response.end();
	};
}

const responses: Array<[string, Answer]> = [
	['short audio', bytes(short, 'audio/mpeg')],
	['short audio in chunks', inChunks(short)],
	['long audio', bytes(long, 'audio/mpeg')],
	['long audio in chunks', inChunks(long)],
];

function expectPaid(text: string | undefined, reason: string): void {
	expect(text).toMatch(wasDebited);
	expect(text).not.toMatch(maybeDebited);
	expect(text).not.toMatch(nothingDebited);
	expect(text).toContain(reason);
	// It is not a fault of the network.
	expect(text).not.toMatch(/connection broke|did not get through/i);
}

describe.each(responses)('%s that was paid and cannot be stored', (_what, answer) => {
	it.each(failures)('says so: $what', async ({ store, reason }) => {
		node.service.answer = answer;
		const items = [await node.engine.item({}, { data: callWav })];
		failWith(store);
		for (const parameters of [speak, undocumented]) {
			node.service.arrived = 0;
			const output = await node.run(parameters, { files: {}, items });
			expect(output.items).toEqual([]);
			expectPaid(errorText(output), reason);
			expect(node.service.arrived).toBe(1);
		}
	});
});

it('with continue, the items that could be stored come out', async () => {
	node.service.answer = bytes(long, 'audio/mpeg');
	const { store: real } = managers['filesystem-v2'] as { store: Store };
	let stored = 0;
	failWith(async (...file) => {
		if (stored++ === 1) throw diskFull();
		return await real.apply(managers['filesystem-v2'], file);
	});
	const output = await node.run(
		{ ...speak, options: { concurrency: 1 } },
		{ files: {}, items: upTo(3).map(() => ({ json: {} })), node: modes.continue },
	);
	const errors = outcomesOf(output).map(({ error }) => error);
	expect(errors).toEqual([undefined, expect.any(String), undefined]);
	expectPaid(errors[1], 'ENOSPC');
	expect(node.service.arrived).toBe(3);
	expect(output.items.map(({ binary }) => binary?.data !== undefined)).toEqual([
		...[true, false, true],
	]);
});
