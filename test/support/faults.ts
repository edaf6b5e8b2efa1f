/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { readdirSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

import { isWhole, type Manner } from './rawServer';
import { mp3 } from './recordings';

/** What a service would have answered, byte for byte. */
export interface WholeAnswer {
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

export const speech = mp3(40);

const transcript = Buffer.from(JSON.stringify({ text: 'hello '.repeat(40).trim() }));

export const wholeAnswers = {
	json: answer('JSON', 'application/json', transcript),
	chunkedJson: answer('JSON in chunks', 'application/json', transcript, 11),
	audio: answer('audio', 'audio/mpeg', speech),
	chunkedAudio: answer('audio in chunks', 'audio/mpeg', speech, 500),
};

type Ending = (socket: Socket, last: Buffer) => void;

export const endings: Record<'close' | 'reset', Ending> = {
	close: (socket, last) => socket.end(last),
	reset: (socket, last) => socket.write(last, () => socket.resetAndDestroy()),
};

/** Answers with so many bytes and no more. */
export function cutAfter(count: number, { bytes }: WholeAnswer, ending: Ending): Manner {
	return (socket, request) => {
		if (isWhole(request)) ending(socket, bytes.subarray(0, count));
	};
}

/** Answers before the request has come, and does not read on. */
export function cutUpload(ending: Ending, last: string): Manner {
	return (socket) => {
		socket.pause();
		ending(socket, Buffer.from(last));
		// Nothing is read any more: only so does the connection end.
		void sleep(50).then(() => socket.destroy());
	};
}

/** Where the open files of this process lie, by the kernel's own list; empty where there is none. */
export function openFiles(): string[] {
	if (process.platform !== 'linux') return [];
	return readdirSync('/proc/self/fd').flatMap((descriptor) => {
		try {
			return [readlinkSync(`/proc/self/fd/${descriptor}`)];
		} catch {
			return []; // closed meanwhile: the one that reads this list
		}
	});
}

/** What a process holds open. */
export function openHandles(): Record<string, number> {
	const handles: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
	const listeners = process
		.eventNames()
		.reduce((sum, name) => sum + process.listenerCount(name), 0);
	return { ...handles, files: openFiles().length, listeners };
}
