import type { INodeParameters } from 'n8n-workflow';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes, sha256 } from '../support/scriptedServer';

const node = useNode();

const operations: Array<[string, INodeParameters]> = [
	['text to speech', speak],
	['an undocumented operation', undocumented],
];

const samples = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

/** Samples that begin with these bytes, as they may by chance. */
const beginning = (...first: number[]) => Buffer.concat([Buffer.from(first), samples]);

describe.each(operations)('%s takes as audio, by its announced type alone', (_what, parameters) => {
	it.each<[string, Buffer, string, string]>([
		['silence of 8 bits', Buffer.alloc(6000, 0x80), 'audio/L8;rate=8000', 'pcm'],
		['silence of 16 bits', Buffer.alloc(6000), 'audio/L16;rate=8000', 'pcm'],
		['silence in mu-law', Buffer.alloc(6000, 0xff), 'audio/basic', 'ulaw'],
		['silence in A-law', Buffer.alloc(6000, 0xd5), 'audio/x-alaw', 'alaw'],
		['samples that begin like JPEG', beginning(0xff, 0xd8, 0xff), 'audio/raw', 'pcm'],
		['a type that is called like something else', samples, 'audio/constructor', 'constructor'],
		['a type without a letter', samples, 'audio/+', 'bin'],
		['a type that goes on and on', samples, `audio/${'x'.repeat(99)}`, 'x'.repeat(16)],
	])('%s', async (_case, body, contentType, extension) => {
		node.service.answer = bytes(body, contentType);
		const { items } = await node.runOnce(parameters);
		expect(items[0]?.json.fileName).toMatch(new RegExp(`^(speech|audio)\\.${extension}$`));
		expect(items[0]?.json.mimeType).toBe(contentType);
		expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(body));
	});
});

describe.each(operations)('%s takes no text for audio', (_what, parameters) => {
	it.each<[string, string | Buffer, string]>([
		['a sentence', 'Sorry, not today', 'audio/L16;rate=16000'],
		['a sentence under an unknown type', 'Sorry, not today', 'audio/x-own'],
		['a sentence that begins like JSON', '[Sorry, not today', 'audio/mpeg'],
		['letters of anywhere', 'Désolé, 今日はだめ', 'audio/pcm'],
		['a page', '<!doctype html><h1>Sorry, not today</h1>', 'audio/wav'],
		['UTF-16', Buffer.from('\ufeffSorry, not today', 'utf16le'), 'audio/mpeg'],
	])('%s', async (_case, body, contentType) => {
		node.service.answer = bytes(Buffer.from(body), contentType);
		const { error, items } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The service returned .* instead of audio$/);
		expect(error?.description).toContain(`Its Content-Type is '${contentType}'.`);
		expect(error?.description).toMatch(/ starts with '.*(Sorry, not today|Désolé, 今日はだめ)/);
		expect(error?.description).toContain('The call may have been debited');
	});
});

describe('an undocumented operation keeps every byte of what is no text', () => {
	it.each<[string, Buffer, string | undefined, string, string]>([
		['samples without a type', samples, undefined, 'bin', 'application/octet-stream'],
		['silence in A-law', Buffer.alloc(6000, 0xd5), 'x/y ; z=1', 'bin', 'x/y'],
		['samples of nearly an audio type', samples, 'x-audio/pcm', 'bin', 'x-audio/pcm'],
		['a picture', beginning(0xff, 0xd8, 0xff), 'image/jpeg', 'jpg', 'image/jpeg'],
		['a video', Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  '), undefined, 'mov', 'video/quicktime'],
	])('%s', async (_case, body, contentType, extension, mimeType) => {
		node.service.answer = bytes(body, contentType);
		const { items } = await node.runOnce(undocumented);
		expect(items[0]?.json).toEqual({
			fileName: `audio.${extension}`,
			mimeType,
			bytes: body.length,
		});
		expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(body));
	});
});

it.each(['01234567890123456789', '[01234567890123456789]', '{"n":01234567890123456789}'])(
	'what is nearly JSON does not become JSON: %s',
	async (body) => {
		node.service.answer = bytes(body, 'application/json');
		const { error } = await node.run(speechToText);
		expect(error?.message).toContain('incomplete or invalid data instead of JSON');
		expect(error?.description).toContain(`starts with '${body}'.`);
	},
);

it.each(['', 'x'])(
	'a long answer is quoted whole characters at a time, %j in front',
	async (first) => {
		node.service.answer = bytes(`${first}${'語'.repeat(3000)}`, 'text/plain');
		const { error } = await node.run(speechToText);
		const quoted = `${first}${'語'.repeat(200 - first.length)}`;
		expect(error?.description).toContain(`starts with '${quoted}…'.`);
	},
);
