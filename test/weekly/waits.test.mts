import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep, type INodeParameters } from 'n8n-workflow';

import { openingStallSeconds, responseStallSeconds } from '../../nodes/VoiceSpeech/limits.ts';
import type { RunOutput } from '../support/engine.mts';
import { callWav, createLargeWav, useNode, type TestFile } from '../support/node.mts';
import {
	cloneParameters,
	numberedTextParameters,
	speechToTextParameters,
} from '../support/nodeParameters.mts';
import { readErrorText } from '../support/outcome.mts';
import {
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createWav } from '../support/media/recordings.mts';
import { waitForever } from '../support/waiting.mts';

const node = useNode();

/** More than n8n's own five minutes for a request. */
const responseSeconds = 305;

/** More than the opening and the response may stall, because their limits must not end an upload. */
const uploadSeconds = 2 * Math.max(openingStallSeconds, responseStallSeconds);

/** An item whose file n8n's storage never returns. */
function createItemWithLostFile() {
	const storage = { getMetadata: waitForever } as never;
	Container.get(BinaryDataService).setManager('database', storage);
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

/** Responds with 40 kB of audio each second. */
function respondSlowly(audio: Buffer): Responder {
	return async (_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audio.length });
		for (let at = 0; at < audio.length; at += 40_000) {
			response.write(audio.subarray(at, at + 40_000));
			await sleep(1_000);
		}
		response.end();
	};
}

/** Reads an upload slowly, and responds after its end. */
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

/** Serves the audio of a URL. */
const source = ScriptedServer.use();

interface SlowCall {
	what: string;
	/** How the service handles the call. */
	service: Partial<Pick<ScriptedServer, 'respond' | 'intercept'>>;
	parameters: INodeParameters;
	/** The file of the item; a short recording by default. */
	file?: TestFile;
	/** The fields of the output. */
	expected: object;
}

const slowCalls: SlowCall[] = [
	{
		what: 'a response that comes late',
		service: {
			async respond(...call) {
				await sleep(responseSeconds * 1_000);
				respondWithJson({ text: 'late' })(...call);
			},
		},
		parameters: numberedTextParameters,
		expected: { text: 'late' },
	},
	{
		what: 'audio from a URL that is slow, but makes progress',
		service: { respond: respondWithJson({ voice_id: 'v' }) },
		parameters: {
			...cloneParameters,
			audioSource: 'url',
			audioUrl: '={{ $json.url }}',
			options: { sampleCheck: 'reject' },
		},
		expected: { voice_id: 'v' },
	},
	{
		what: 'an upload that is slow, but makes progress',
		service: { intercept: readSlowly },
		parameters: speechToTextParameters,
		file: createLargeWav(),
		expected: { text: 'slow' },
	},
];

describe('of calls that all run at the same time, because they mostly wait,', () => {
	const services = slowCalls.map(() => ScriptedServer.use());
	const outputs = new Map<string, RunOutput>();
	let outputOfLostFile: RunOutput;

	beforeAll(
		async () => {
			const audio = createWavBehindChunk(50_000 * openingStallSeconds);
			source.respond = respondSlowly(audio);
			const json = { number: '1', url: `${source.baseUrl}/sample.wav` };
			const runs = slowCalls.map(async ({ what, service, parameters, file = callWav }, index) => {
				const { baseUrl } = Object.assign(services[index]!, service);
				const setup = { json, files: { data: file }, credential: { baseUrl } };
				outputs.set(what, await node.run(parameters, setup));
			});
			const items = createItemWithLostFile();
			outputOfLostFile = await node.run(speechToTextParameters, { items });
			await Promise.all(runs);
		},
		(responseSeconds + 60) * 1_000,
	);

	it.each(slowCalls)('no limit ends $what', ({ what, expected }) => {
		const output = outputs.get(what)!;
		expect(readErrorText(output)).toBe('');
		expect(output.items.map(({ json }) => json)).toEqual([expected]);
	});

	it("the limit of reading ends the one whose file n8n's storage never returns", () => {
		const stalled = `^The audio stalled for ${openingStallSeconds} seconds before .*was not debited`;
		expect(readErrorText(outputOfLostFile)).toMatch(new RegExp(stalled));
	});
});
