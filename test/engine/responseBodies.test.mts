import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';

import { useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { expectDebited, readErrorText } from '../support/outcome.mts';
import { createMp3, createNoise } from '../support/media/recordings.mts';
import {
	respondWithBytes,
	computeSha256,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { findKeyPieces, secretKey } from '../support/secret.mts';

// test/text/decode.test.mts tests encodings, and test/response/serviceResponse.test.mts white space before a body.

const node = useNode();

const sentence = 'Credits are “short” on Tüesday 語';

describe.each([
	{ name: 'UTF-8, declared as Latin-1', encoding: 'utf8', mark: '', charset: 'iso-8859-1' },
	{ name: 'UTF-16, declared', encoding: 'utf16le', mark: '', charset: 'utf-16le' },
	{ name: 'UTF-16 after a mark', encoding: 'utf16le', mark: '\ufeff', charset: 'utf-16' },
] as const)('$name', ({ encoding, mark, charset }) => {
	const respondWith = (text: string, type: string, status = 200) =>
		respondWithBytes(Buffer.from(mark + text, encoding), `${type}; charset=${charset}`, status);

	it('is read as JSON, also after white space', async () => {
		node.service.respond = respondWith(`\n ${JSON.stringify({ text: sentence })}`, 'a/json');
		const { items } = await node.runOnce(speechToTextParameters);
		expect(items[0]?.json).toEqual({ text: sentence });
	});

	it('is read as text', async () => {
		node.service.respond = respondWith(sentence, 'text/plain');
		const { items } = await node.runOnce(undocumentedParameters);
		expect(items[0]?.json).toEqual({ data: sentence });
	});

	it('is read in a refusal, and quoted in place of audio', async () => {
		node.service.respond = respondWith(JSON.stringify({ detail: sentence }), 'a/json', 400);
		const { error: refusal } = await node.run(textToSpeechParameters);
		expect(refusal?.message).toContain(`(400): ${sentence}`);
		node.service.respond = respondWith(sentence, 'text/plain');
		const { error } = await node.run(textToSpeechParameters);
		expect(error?.description).toContain(`The response starts with '${sentence}'.`);
	});
});

it('reads JSON after 70 kB of white space, which a service may send while it works', async () => {
	const padding = ' \n\t\r'.repeat(17_500);
	node.service.respond = respondWithBytes(`${padding}{"text":"hello"}`, 'application/json');
	const { items } = await node.runOnce(speechToTextParameters);
	expect(items[0]?.json).toEqual({ text: 'hello' });
});

it('reads JSON that nests lists in objects 20,000 levels deep, and masks the key in it', async () => {
	const deep = `${'[{"a":'.repeat(10_000)}"${secretKey}"${'}]'.repeat(10_000)}`;
	node.service.respond = respondWithBytes(`{"text":"hello","deep":${deep}}`, 'application/json');
	const output = await node.run(undocumentedParameters, { credential: { apiKey: secretKey } });
	expect(output.error?.message).toBeUndefined();
	const { text, deep: value } = output.items[0]?.json ?? {};
	expect(text).toBe('hello');
	// Deep values overflow the stack, so this is not recursive.
	let depth = 0;
	let leaf: unknown = value;
	while (typeof leaf === 'object' && leaf !== null) {
		leaf = Array.isArray(leaf) ? leaf[0] : (leaf as IDataObject).a;
		depth++;
	}
	expect(depth).toBe(20_000);
	expect(findKeyPieces(String(leaf))).toEqual([]);
});

/** Responds with a body that is complete for HTTP, with its length, or as chunks with their end. */
function respondCompressed(
	body: Buffer,
	type: string,
	encoding: string,
	chunked: boolean,
): Responder {
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
	{ encoding: 'gzip, gzip', type: 'audio/L16;rate=16000', parameters: textToSpeechParameters },
	{ encoding: 'zstd', type: 'application/json', parameters: speechToTextParameters },
])(
	'fails for a response compressed with $encoding, which n8n does not decompress: $type',
	async ({ encoding, type, parameters }) => {
		node.service.respond = respondCompressed(createNoise(6_000), type, encoding, false);
		const output = await node.run(parameters);
		expect(output.items).toEqual([]);
		expect(output.error?.message).toBe(
			`The response is compressed (${encoding}), and n8n cannot decompress it`,
		);
		expectDebited(readErrorText(output));
	},
);

describe('a response that n8n decompresses', () => {
	const transcript = JSON.stringify({ text: createNoise(6_000).toString('hex') });
	/** Audio that does not compress to nothing, so that half of it is plenty. */
	const audio = Buffer.concat([createMp3(10), createNoise(40_000), createMp3(10)]);

	it.each([true, false])('is output if it is complete, in chunks: %s', async (chunked) => {
		const body = gzipSync(transcript);
		node.service.respond = respondCompressed(body, 'application/json', 'gzip', chunked);
		const { items } = await node.runOnce(speechToTextParameters);
		expect(JSON.stringify(items[0]?.json)).toBe(transcript);
	});

	it.each([true, false])('is an error if JSON ends early, in chunks: %s', async (chunked) => {
		const body = gzipSync(transcript).subarray(0, -20);
		node.service.respond = respondCompressed(body, 'application/json', 'gzip', chunked);
		const output = await node.run(speechToTextParameters);
		expect(output.items).toEqual([]);
		expectDebited(readErrorText(output));
		expect(node.service.requestCount).toBe(1);
	});

	// This must be an error, but n8n makes that impossible. Its client decompresses every body, and takes any end of a
	// compressed one for its proper end (axios passes Z_SYNC_FLUSH as finishFlush). Its request options cannot turn that
	// off. Only older versions of n8n tell the node that the body was compressed. JSON shows by itself that it is
	// incomplete, but audio and text do not (docs/large-files.md). Once n8n reports the early end, this test must expect an
	// error.
	it('is output incomplete if audio ends early, because n8n does not report that', async () => {
		const compressed = gzipSync(audio);
		const half = compressed.subarray(0, compressed.length / 2);
		node.service.respond = respondCompressed(half, 'audio/mpeg', 'gzip', false);
		const { items } = await node.runOnce(textToSpeechParameters);
		const output = await node.engine.readFile(items[0]?.binary?.data);
		expect(output.length).toBeGreaterThan(audio.length / 3);
		expect(output.length).toBeLessThan(audio.length);
		expect(computeSha256(output)).toBe(computeSha256(audio.subarray(0, output.length)));
	});
});
