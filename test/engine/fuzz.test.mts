import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readAudioFile, audioFiles } from '../support/media/audioFiles.mts';
import { useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { computeSha256, respondWithBytes } from '../support/servers/scriptedServer.mts';

const node = useNode();

const types = [
	'application/json',
	'text/plain',
	'text/html; charset=utf-8',
	'audio/wav',
	'audio/mpeg',
	'audio/L16;rate=16000',
	'audio/constructor',
	'application/octet-stream',
	undefined,
];

const someText = fc.oneof(
	fc.json(),
	fc.json().map((text) => text.slice(0, -1)),
	fc.string(),
	fc.bigInt({ min: 0n }).map((number) => `0${number}`),
);

const body = fc.oneof(
	someText.map((text) => Buffer.from(text)),
	someText.map((text) => Buffer.from(text, 'utf16le')),
	fc
		.uint8Array({ maxLength: 6000, size: 'max' })
		.map((bytes) => Buffer.from(bytes))
		// test/text/decode.test.mts tests the byte order marks of UTF-16.
		.filter((bytes) => !['fffe', 'feff'].includes(bytes.subarray(0, 2).toString('hex'))),
	fc
		.tuple(fc.constantFrom(...audioFiles), fc.nat(9000))
		.map(([{ file }, end]) => readAudioFile(file).subarray(0, end)),
);

function wrapInData(value: unknown): unknown {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? value : { data: value };
}

/** What a response of text says: its JSON, or the text itself. An integer that JavaScript cannot represent is a text. */
function readMeaning(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		const isInexact = /^\s*-?\d+\s*$/.test(text) && !Number.isSafeInteger(value);
		return wrapInData(isInexact ? text.trim() : value);
	} catch {
		return { data: text };
	}
}

/** What comes out of a success must be what was sent: the object, the text, or the bytes. */
function expectFaithful(sent: Buffer, json: IDataObject, stored: Buffer | undefined): void {
	if (stored !== undefined) {
		expect(computeSha256(stored)).toBe(computeSha256(sent));
		expect(json).toMatchObject({ bytes: sent.length });
		return;
	}
	// White space alone is a response without content; under an audio type nothing comes out of it.
	if (/^[ \t\r\n]*$/.test(sent.toString('latin1')) && Object.keys(json).length === 0) return;
	const isUtf8 = Buffer.from(sent.toString()).equals(sent);
	// A byte order mark is no part of the text.
	const text = sent.toString().replace(/^\ufeff/, '');
	const meaning = readMeaning(isUtf8 ? text : sent.toString('latin1'));
	// What is not UTF-8 is taken for windows-1252, which is Latin-1 but for these.
	// eslint-disable-next-line no-control-regex
	const found = JSON.stringify(json).replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, '?');
	const expected = JSON.stringify(meaning).replace(/[\u0080-\u009f]/g, '?');
	if (isUtf8) expect(json).toEqual(sent.length === 0 ? {} : meaning);
	else expect(found).toBe(expected);
}

it.each<[what: string, parameters: INodeParameters]>([
	['speech to text', speechToTextParameters],
	['text to speech', textToSpeechParameters],
	['an undocumented operation', undocumentedParameters],
])('any response to %s never becomes a success that differs from it', async (_, parameters) => {
	await fc.assert(
		fc.asyncProperty(body, fc.constantFrom(...types), async (sent, type) => {
			node.service.reset(respondWithBytes(sent, type));
			const { items, error } = await node.run(parameters);
			expect(node.service.requestCount).toBe(1);
			if (error !== undefined) {
				expect(error.message).toMatch(/^The service returned .+ instead of (JSON|audio)/);
				expect(error.description).toMatch(/(may have been|so it was) debited/);
				return;
			}
			const file = items[0]?.binary?.data;
			const stored = file === undefined ? undefined : await node.engine.readFile(file);
			expectFaithful(sent, items[0]?.json ?? {}, stored);
		}),
		{ numRuns: 120 },
	);
});
