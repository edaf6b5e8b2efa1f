import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep } from 'n8n-workflow';
import type { Readable } from 'node:stream';

import { openingStallSeconds, responseStallSeconds } from '../../nodes/VoiceSpeech/limits';
import { respondAfter, createNumberedItems } from '../support/calls';
import { createLargeWav, useNode } from '../support/node';
import {
	cloneParameters,
	numberedTextParameters,
	speechToTextParameters,
	textToSpeechParameters,
} from '../support/nodeParameters';
import { readErrorText } from '../support/outcome';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer';
import { createMp3, createWav } from '../support/media/recordings';

const node = useNode();

/** More than n8n's own five minutes for a request. */
const responseSeconds = 305;

/** More than any limit on the total time of an upload that the node ever had. */
const uploadSeconds = 240;

/** More than a response may stall. */
const storingSeconds = responseStallSeconds + 10;

type Store = (location: unknown, file: Readable | Buffer, ...more: unknown[]) => Promise<never>;

/** n8n stores files on disk as it does, but begins late to read those that come as a stream. */
function storeLate(): void {
	const service = Container.get(BinaryDataService) as unknown as {
		managers: { filesystem: { store: Store } };
	};
	const { filesystem } = service.managers;
	const store = filesystem.store.bind(filesystem);
	filesystem.store = async (location, file, ...more) => {
		if (!Buffer.isBuffer(file)) await sleep(storingSeconds * 1_000);
		return await store(location, file, ...more);
	};
}

/** An item whose file n8n's storage never returns. */
function createItemWithLostFile() {
	const getMetadata = async () => await new Promise<never>(() => {});
	Container.get(BinaryDataService).setManager('database', { getMetadata } as never);
	const data = { id: 'database:1', data: 'database', mimeType: 'audio/wav' };
	return [{ json: {}, binary: { data } }];
}

/** A WAV file whose format is behind a chunk of this many bytes, as some recorders write it. */
function createWavBehindChunk(bytes: number): Buffer {
	const audio = createWav(10);
	const junk = Buffer.alloc(8 + bytes);
	junk.write('JUNK');
	junk.writeUInt32LE(bytes, 4);
	const file = Buffer.concat([audio.subarray(0, 12), junk, audio.subarray(12)]);
	file.writeUInt32LE(file.length - 8, 4);
	return file;
}

/** Responds with some bytes at a time. */
function respondSlowly(
	body: Buffer,
	contentType: string,
	size: number,
	everyMs: number,
): Responder {
	return async (_request, response) => {
		response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': body.length });
		for (let at = 0; at < body.length; at += size) {
			response.write(body.subarray(at, at + size));
			await sleep(everyMs);
		}
		response.end();
	};
}

/** The calls mostly wait, so they run at the same time. */
it(
	'no limit ends a response, an upload, audio from a URL or storage that is slow but makes progress',
	async () => {
		storeLate();
		const services = await Promise.all([
			// This response takes longer than a response may stall.
			ScriptedServer.start(respondSlowly(Buffer.from('{"a":12}'), 'application/json', 1, 20_000)),
			ScriptedServer.start(
				respondAfter(responseSeconds * 1_000, respondWithJson({ text: 'late' })),
			),
			ScriptedServer.start(respondWithJson({ voice_id: 'v' })),
			ScriptedServer.start(
				respondSlowly(createWavBehindChunk(6_000_000), 'audio/wav', 40_000, 1_000),
			),
			ScriptedServer.start(respondWithBytes(createMp3(20_000), 'audio/mpeg')),
			ScriptedServer.start(),
		]);
		const [dripping, late, cloning, source, speaking, early] = services;
		const createCredential = ({ baseUrl }: ScriptedServer) => ({ baseUrl });
		const readSlowly: ScriptedServer['intercept'] = (request, response) => {
			let seconds = 0;
			const timer = setInterval(() => {
				seconds++;
				if (seconds < uploadSeconds) {
					// A flowing stream would read faster than these 10 kB/s.
					request.read(10_000);
					return;
				}
				clearInterval(timer);
				request.resume().on('end', () => response.end('{"text":"slow"}'));
			}, 1_000);
			return true;
		};
		node.service.intercept = readSlowly;
		early.intercept = (request, response, index) => {
			response.flushHeaders();
			return readSlowly(request, response, index);
		};
		const cloneFromUrl = {
			...cloneParameters,
			audioSource: 'url',
			audioUrl: `${source.baseUrl}/sample.wav`,
			options: { sampleCheck: 'reject' },
		};
		const [lost, ...outputs] = await Promise.all([
			node.run(speechToTextParameters, { items: createItemWithLostFile() }),
			node.run(numberedTextParameters, {
				items: createNumberedItems(1),
				credential: createCredential(dripping),
			}),
			node.run(numberedTextParameters, {
				items: createNumberedItems(1),
				credential: createCredential(late),
			}),
			node.run(cloneFromUrl, { credential: createCredential(cloning) }),
			node.run(speechToTextParameters, { files: { data: createLargeWav() } }),
			node.run(speechToTextParameters, {
				files: { data: createLargeWav() },
				credential: createCredential(early),
			}),
			node.run(textToSpeechParameters, {
				items: [{ json: {} }],
				credential: createCredential(speaking),
			}),
		]);
		const stalled = `^The audio stalled for ${openingStallSeconds} seconds before .*was not debited`;
		expect(readErrorText(lost)).toMatch(new RegExp(stalled));
		await Promise.all(services.map(async (service) => await service.stop()));
		expect(outputs.map(readErrorText)).toEqual(['', '', '', '', '', '']);
		expect(outputs.map(({ items }) => items[0]?.json)).toEqual([
			{ a: 12 },
			{ text: 'late' },
			{ voice_id: 'v' },
			{ text: 'slow' },
			{ text: 'slow' },
			expect.objectContaining({ bytes: createMp3(20_000).length }),
		]);
	},
	(responseSeconds + 60) * 1_000,
);
