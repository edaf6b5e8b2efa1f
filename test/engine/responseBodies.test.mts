import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';

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

const node = useNode();

const sentence = 'Credits are “short” on Tüesday';

type Encode = (text: string) => Buffer;

const encodeUtf8: Encode = (text) => Buffer.from(text);
const encodeUtf16le: Encode = (text) => Buffer.from(text, 'utf16le');
const encodeUtf16be: Encode = (text) => encodeUtf16le(text).swap16();
/** Windows-1252 has quotation marks where Latin-1 has control characters. */
const encodeWindows1252: Encode = (text) =>
	Buffer.from(text.replace(/“/g, '\u0093').replace(/”/g, '\u0094'), 'latin1');

/** How a server may encode a text, and what it adds to the Content-Type. */
const encodings: Array<{ name: string; encode: Encode; charset: string }> = [
	{ name: 'UTF-8', encode: encodeUtf8, charset: '; charset=utf-8' },
	{ name: 'UTF-8, declared as Latin-1', encode: encodeUtf8, charset: '; charset=iso-8859-1' },
	{
		name: 'windows-1252, declared as Latin-1',
		encode: encodeWindows1252,
		charset: ';charset=iso-8859-1',
	},
	{
		name: 'UTF-16 big-endian after a mark',
		encode: (text) => encodeUtf16be(`\ufeff${text}`),
		charset: '; charset=utf-16',
	},
	{ name: 'UTF-16 little-endian, declared', encode: encodeUtf16le, charset: '; charset=utf-16le' },
	{ name: 'UTF-16 big-endian, declared', encode: encodeUtf16be, charset: '; charset=UTF-16BE' },
];

describe.each(encodings)('$name', ({ name, encode, charset }) => {
	const respondWith = (text: string, type: string, status = 200) =>
		respondWithBytes(encode(text), `${type}${charset}`, status);

	it('is read as JSON', async () => {
		const output = { text: name.includes('1252') ? sentence : `${sentence} 語` };
		node.service.respond = respondWith(JSON.stringify(output), 'application/json');
		for (const parameters of [speechToTextParameters, undocumentedParameters]) {
			const { items } = await node.run(parameters);
			expect(items[0]?.json).toEqual(output);
		}
	});

	it('is read as text', async () => {
		node.service.respond = respondWith(sentence, 'text/plain');
		const { items } = await node.runOnce(undocumentedParameters);
		expect(items[0]?.json).toEqual({ data: sentence });
	});

	it('is read in a refusal, and quoted in place of audio', async () => {
		const body = JSON.stringify({ detail: sentence });
		node.service.respond = respondWith(body, 'application/json', 400);
		const { error: refusal } = await node.run(textToSpeechParameters);
		expect(refusal?.message).toContain(`(400): ${sentence}`);
		node.service.respond = respondWith(sentence, 'text/plain');
		const { error, items } = await node.run(textToSpeechParameters);
		expect(items).toEqual([]);
		expect(error?.description).toContain(`The response starts with '${sentence}'.`);
	});
});

/** Some proxies and services send white space while they work, to keep the connection alive. */
const padding = ' \n\t\r'.repeat(17_500);
const padded = `${padding}{"text":"hello"}`;
const inUtf16 = Buffer.from('\n {"text":"hello"}', 'utf16le');

/** The value in the lists and objects, each with one element. Deep values overflow the stack, so this is not recursive. */
function findLeaf(value: unknown): { depth: number; leaf: unknown } {
	let depth = 0;
	let leaf = value;
	while (typeof leaf === 'object' && leaf !== null) {
		leaf = Array.isArray(leaf) ? leaf[0] : (leaf as IDataObject).a;
		depth++;
	}
	return { depth, leaf };
}

describe.each<{ operation: string; parameters: INodeParameters }>([
	{ operation: 'speech to text', parameters: speechToTextParameters },
	{ operation: 'an undocumented operation', parameters: undocumentedParameters },
])('$operation', ({ parameters }) => {
	it.each<{ what: string; body: Buffer | string; type: string | undefined }>([
		{ what: '70 kB of white space', body: padded, type: 'application/json' },
		{
			what: 'a byte order mark and white space',
			body: `\ufeff${padded}`,
			type: 'application/json',
		},
		{ what: 'white space in UTF-16', body: inUtf16, type: 'application/json; charset=utf-16le' },
	])('reads JSON after $what', async ({ body, type }) => {
		node.service.respond = respondWithBytes(body, type);
		const { items } = await node.runOnce(parameters);
		expect(items[0]?.json).toEqual({ text: 'hello' });
	});

	it.each([{ what: 'lists in objects', open: '[{"a":', close: '}]', count: 10_000 }])(
		'reads JSON that nests $what 20,000 levels deep',
		async ({ open, close, count }) => {
			const deep = `${open.repeat(count)}"${secretKey}"${close.repeat(count)}`;
			node.service.respond = respondWithBytes(
				`{"text":"hello","deep":${deep}}`,
				'application/json',
			);
			const output = await node.run(parameters, { credential: { apiKey: secretKey } });
			expect(output.error?.message).toBeUndefined();
			const { text, deep: value } = output.items[0]?.json ?? {};
			expect(text).toBe('hello');
			const { depth, leaf } = findLeaf(value);
			expect(depth).toBe(20_000);
			// The key is masked at any depth.
			expect(typeof leaf).toBe('string');
			expect(findKeyPieces(String(leaf))).toEqual([]);
		},
	);
});

/** Brotli, whose default quality takes a hundred times as long. */
function compressQuickly(body: Buffer): Buffer {
	return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

const compressions: Array<{ encoding: string; compress: (body: Buffer) => Buffer }> = [
	{ encoding: 'gzip', compress: gzipSync },
	{ encoding: 'br', compress: compressQuickly },
	{ encoding: 'deflate', compress: deflateSync },
];

/** Audio that does not compress to nothing, so that half of it is plenty. */
const audio = Buffer.concat([createMp3(10), createNoise(40_000), createMp3(10)]);
const words = createNoise(6_000).toString('hex');

interface CompressedBody {
	what: string;
	type: string;
	body: Buffer;
	parameters: INodeParameters;
	/** Reads the body from the output. */
	readOutput: (item: INodeExecutionData) => Promise<Buffer>;
}

const compressedTranscript: CompressedBody = {
	what: 'a transcript',
	type: 'application/json',
	body: Buffer.from(JSON.stringify({ text: words })),
	parameters: speechToTextParameters,
	readOutput: async ({ json }) => Buffer.from(JSON.stringify(json)),
};

const compressedSpeech: CompressedBody = {
	what: 'speech',
	type: 'audio/mpeg',
	body: audio,
	parameters: textToSpeechParameters,
	readOutput: async ({ binary }) => await node.engine.readFile(binary?.data),
};

const compressedText: CompressedBody = {
	what: 'text of an undocumented operation',
	type: 'text/plain',
	body: Buffer.from(words),
	parameters: undocumentedParameters,
	readOutput: async ({ json }) => Buffer.from(String(json.data)),
};

const bodies = [compressedTranscript, compressedSpeech, compressedText];

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
	{ encoding: 'dcb', type: 'audio/L16;rate=16000', parameters: undocumentedParameters },
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

describe.each(compressions)('compressed with $encoding', ({ encoding, compress }) => {
	it.each(bodies.flatMap((body) => [true, false].map((chunked) => ({ ...body, chunked }))))(
		'$what is output if it is complete, in chunks: $chunked',
		async ({ type, body, parameters, readOutput, chunked }) => {
			node.service.respond = respondCompressed(compress(body), type, encoding, chunked);
			const [item] = (await node.runOnce(parameters)).items;
			expect(computeSha256(await readOutput(item!))).toBe(computeSha256(body));
		},
	);

	it.each([true, false])(
		'a transcript that ends early is an error, in chunks: %s',
		async (chunked) => {
			const { type, body, parameters } = compressedTranscript;
			const part = compress(body).subarray(0, -20);
			node.service.respond = respondCompressed(part, type, encoding, chunked);
			const output = await node.run(parameters);
			expect(output.items).toEqual([]);
			expectDebited(readErrorText(output));
			expect(node.service.requestCount).toBe(1);
		},
	);

	// This must be an error, but n8n makes that impossible. Its client decompresses every body, and takes any end of a
	// compressed one for its proper end (axios passes Z_SYNC_FLUSH as finishFlush). Its request options cannot turn that
	// off. Only older versions of n8n tell the node that the body was compressed. JSON shows by itself that it is
	// incomplete, but audio and text do not (docs/large-files.md). Once n8n reports the early end, this test must expect an
	// error.
	it.each([compressedSpeech, compressedText])(
		'$what is output incomplete after half of it, because n8n does not report the early end',
		async ({ type, body, parameters, readOutput }) => {
			const compressed = compress(body);
			const half = compressed.subarray(0, compressed.length / 2);
			node.service.respond = respondCompressed(half, type, encoding, false);
			const [item] = (await node.runOnce(parameters)).items;
			const output = await readOutput(item!);
			expect(output.length).toBeLessThan(body.length);
			expect(output.length).toBeGreaterThan(body.length / 3);
			expect(computeSha256(output)).toBe(computeSha256(body.subarray(0, output.length)));
		},
	);
});
