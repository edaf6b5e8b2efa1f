/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { wavHeader } from '../../support/recordings';
import { retryAfterOf, statusOf, type Reply } from './reply';
import type { Opening } from './scene';

/** A text that names the item, for the texts and the audio that are sent. */
export function markerOf(item: number): string {
	return `item-${item};`;
}

/** The item that these bytes name; -1 for none. */
export function itemIn(bytes: string): number {
	return Number(/item-(\d+);/.exec(bytes)?.[1] ?? -1);
}

/** In bytes, of two halves, each longer than what the node reads to recognize a format. */
const audioLength = 12_000;

function audioOf(item: number): Buffer {
	const audio = Buffer.alloc(audioLength);
	wavHeader(audioLength - 44, 16_000, 1).copy(audio);
	audio.write(markerOf(item), 44);
	return audio;
}

/**
 * Sends a reply to a call, and repeats the key in it.
 *
 * @param isSlow sends only the headers
 * @returns sends the body, if only the headers were sent
 */
export function sendReply(
	response: ServerResponse,
	reply: Reply,
	{ item, key }: { item: number; key: string },
	isSlow: boolean,
): (() => void) | undefined {
	if (reply === 'reset') {
		response.destroy();
		return undefined;
	}
	const body = JSON.stringify({ item, message: `Reply ${reply} to '${key}'`, key });
	if (reply === 'cut') {
		response.writeHead(200, {
			'Content-Type': 'application/json',
			'Content-Length': body.length * 2,
		});
		response.write(body, () => response.destroy());
		return undefined;
	}
	const retryAfter = retryAfterOf(reply);
	response.writeHead(statusOf(reply), {
		'Content-Type': 'application/json',
		...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
	});
	if (isSlow) {
		response.flushHeaders();
		return () => response.end(body);
	}
	response.end(body);
	return undefined;
}

/**
 * Responds to a request for an item's audio.
 *
 * @returns sends the rest of it, if not everything is sent at once
 */
export function sendAudio(
	response: ServerResponse,
	opening: Opening,
	item: number,
): (() => void) | undefined {
	if (opening === 'reset') {
		response.destroy();
		return undefined;
	}
	if (opening === 'missing' || opening === 'web page') {
		response.writeHead(opening === 'missing' ? 404 : 200, { 'Content-Type': 'text/html' });
		response.end('<html><h1>Please log in</h1></html>');
		return undefined;
	}
	const audio = audioOf(item);
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audio.length });
	if (opening === 'opens') {
		response.end(audio);
		return undefined;
	}
	response.write(audio.subarray(0, audioLength / 2));
	return () => {
		if (opening === 'breaks') response.destroy();
		else response.end(audio.subarray(audioLength / 2));
	};
}

/** What becomes of the requests of one scene. */
export interface Receiver {
	receiveCall(request: IncomingMessage, response: ServerResponse): void;
	receiveOpening(item: number, response: ServerResponse): void;
}

/** The service, and the server that has the audio: one scene at a time, each below a path of its own. */
export class ScriptedService {
	private scenes = 0;

	private receiver: Receiver | undefined;

	/** Requests of a scene that arrived after its end. */
	strays = 0;

	private readonly server = createServer((request, response) => this.receive(request, response));

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	/** @returns the address of the new scene */
	begin(receiver: Receiver): string {
		this.receiver = receiver;
		this.scenes++;
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${this.scenes}`;
	}

	private receive(request: IncomingMessage, response: ServerResponse): void {
		request.on('error', () => {});
		response.on('error', () => {});
		const [, scene, kind, item] = String(request.url).split('/');
		if (Number(scene) !== this.scenes || this.receiver === undefined) {
			this.strays++;
			response.destroy();
		} else if (kind === 'audio') {
			this.receiver.receiveOpening(Number(item), response);
		} else {
			this.receiver.receiveCall(request, response);
		}
	}
}
