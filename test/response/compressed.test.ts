/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { INodeParameters } from 'n8n-workflow';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { errorText, expectMaybeDebited } from '../support/outcome';
import { sha256, type Answer } from '../support/scriptedServer';
import { mp3 } from '../support/recordings';

const node = useNode();

const encodings: Array<{ encoding: string; compress: (body: Buffer) => Buffer }> = [
	{ encoding: 'gzip', compress: gzipSync },
	{ encoding: 'br', compress: brotliCompressSync },
	{ encoding: 'deflate', compress: deflateSync },
];

/** Audio that does not compress to nothing: half of it is plenty. */
const audio = Buffer.concat([mp3(10), randomBytes(40_000), mp3(10)]);
const words = randomBytes(6_000).toString('hex');
const transcript = Buffer.from(JSON.stringify({ text: words }));

const bodies: Array<{ what: string; type: string; body: Buffer; parameters: INodeParameters }> = [
	{ what: 'a transcript', type: 'application/json', body: transcript, parameters: speechToText },
	{ what: 'speech', type: 'audio/mpeg', body: audio, parameters: speak },
	{
		what: 'text of an undocumented operation',
		type: 'text/plain',
		body: Buffer.from(words),
		parameters: undocumented,
	},
];

/** Complete as HTTP counts: with its length, or as chunks with their end. */
function respond(body: Buffer, type: string, encoding: string, chunked: boolean): Answer {
	return (_request, response) => {
		response.writeHead(200, {
			'Content-Type': type,
			'Content-Encoding': encoding,
			...(chunked ? {} : { 'Content-Length': body.length }),
		});
		for (let at = 0; at < body.length; at += 4096) response.write(body.subarray(at, at + 4096));
		response.end();
	};
}

it.each<{ encoding: string; type: string; parameters: INodeParameters }>([
	{ encoding: 'gzip, gzip', type: 'audio/L16;rate=16000', parameters: speak },
	{ encoding: 'dcb', type: 'audio/L16;rate=16000', parameters: undocumented },
	{ encoding: 'zstd', type: 'application/json', parameters: speechToText },
])(
	'fails for a response compressed with $encoding, which n8n does not decompress: $type',
	async ({ encoding, type, parameters }) => {
		node.service.answer = respond(randomBytes(6_000), type, encoding, false);
		const output = await node.run(parameters);
		expect(output.items).toEqual([]);
		expect(output.error?.message).toBe(
			`The response is compressed (${encoding}), and n8n cannot decompress it`,
		);
		expectMaybeDebited(errorText(output));
	},
);

describe.each(encodings)('compressed with $encoding', ({ encoding, compress }) => {
	describe.each(bodies)('$what', ({ what, type, body, parameters }) => {
		const compressed = compress(body);

		// Known limit: n8n's client decompresses, and takes any end of a compressed body for its proper end (axios passes
		// Z_SYNC_FLUSH as finishFlush). The node asks for uncompressed bodies; JSON that ends early is invalid.
		const isNoticed = type === 'application/json';

		(isNoticed ? it : it.failing).each([Math.floor(compressed.length / 2), compressed.length - 20])(
			'is an error if it ends early, after %i bytes',
			async (length) => {
				for (const chunked of [false, true]) {
					node.service.reset(respond(compressed.subarray(0, length), type, encoding, chunked));
					const output = await node.run(parameters);
					expect(output.items).toEqual([]);
					expectMaybeDebited(errorText(output));
					expect(node.service.arrived).toBe(1);
				}
			},
		);

		it.each([false, true])(
			`outputs ${what} compressed with ${encoding} if it is complete, in chunks: %s`,
			async (chunked) => {
				node.service.answer = respond(compressed, type, encoding, chunked);
				const [item] = (await node.runOnce(parameters)).items;
				if (type === 'audio/mpeg') {
					expect(sha256(await node.engine.read(item?.binary?.data))).toBe(sha256(body));
				} else {
					expect(item?.json).toEqual({ [type === 'text/plain' ? 'data' : 'text']: words });
				}
			},
		);
	});
});
