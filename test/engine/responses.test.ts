import type { INodeParameters } from 'n8n-workflow';

import {
	apiKey,
	clone,
	recording,
	speak,
	speechToText,
	undocumented,
	useNode,
} from '../support/node';
import { errorText, expectMaybeDebited } from '../support/outcome';
import { flac, mp3, oggOpus, wav } from '../support/recordings';
import { bytes, json, sha256, type Answer } from '../support/scriptedServer';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

const pcm = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

const likeJpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), pcm]);

const pdf = Buffer.concat([Buffer.from(`%PDF-1.4\n${'% text\n'.repeat(900)}`), pcm]);

const masked = 'eak_test_***';

const jsonText = (text: string) => bytes(text, 'application/json');

describe.each<[string, INodeParameters]>([
	['speech to text', speechToText],
	['an undocumented operation', undocumented],
])('JSON of %s', (_what, parameters) => {
	const nested = { text: 'a', nested: { list: [1, 'b', null, true] }, empty: {} };

	it.each<[string, Answer, unknown]>([
		['an object, unchanged', json(nested), nested],
		['an empty object', json({}), {}],
		['an array under data', json([{ text: 'a' }, 2]), { data: [{ text: 'a' }, 2] }],
		['a bare text under data', json('a'), { data: 'a' }],
		['a bare number under data', json(-1.5), { data: -1.5 }],
		['null under data', json(null), { data: null }],
		['false under data', json(false), { data: false }],
		['large integers as texts', jsonText('{"id":9007199254740993}'), { id: '9007199254740993' }],
		['without a Content-Type', bytes('{"text":"a"}', undefined), { text: 'a' }],
		['declared as text', bytes('{"text":"a"}', 'text/plain'), { text: 'a' }],
		['declared as HTML', bytes('\n {"text":"a"} \n', 'text/html'), { text: 'a' }],
		['declared as audio', bytes('{"text":"a"}', 'audio/mpeg'), { text: 'a' }],
		['with status 201', json({ text: 'a' }, 201), { text: 'a' }],
		[
			'with the key masked',
			json({ text: `your ${apiKey}!`, [apiKey]: [{ deep: apiKey }] }),
			{ text: `your ${masked}!`, [masked]: [{ deep: masked }] },
		],
	])('%s', async (_case, answer, expected) => {
		node.service.answer = answer;
		const { items } = await node.runOnce(parameters);
		expect(items.map((item) => item.json)).toEqual([expected]);
	});
});

describe.each<[string, INodeParameters, string]>([
	['text to speech', speak, 'speech'],
	['an undocumented operation', undocumented, 'audio'],
])('audio of %s', (_what, parameters, name) => {
	const likeGzip = Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), pcm]);
	/** Low levels of mu-law that begin like a byte order mark. */
	const likeUtf16 = Buffer.from('fffe7ffefefdff7f'.repeat(800), 'hex');
	const likeUtf16be = Buffer.from(likeUtf16).swap16();

	it.each<[string, Buffer, string | undefined, string, string]>([
		['WAV, a space behind its type', wav(), 'audio/x-wav ; x=1', 'audio/x-wav', 'wav'],
		['WAV declared as JSON', wav(), 'application/json', 'audio/wav', 'wav'],
		['WAV declared as raw samples', wav(), 'audio/L16;rate=16000', 'audio/wav', 'wav'],
		['MP3, its type in capitals', mp3(), 'Audio/MPEG; x=1', 'audio/mpeg', 'mp3'],
		['FLAC without a type', flac(), undefined, 'audio/flac', 'flac'],
		['OGG Opus', oggOpus(), 'audio/ogg; codecs=opus', 'audio/ogg', 'opus'],
		['raw samples', pcm, 'audio/L16;rate=16000', 'audio/L16;rate=16000', 'pcm'],
		['raw samples that begin like gzip', likeGzip, 'audio/pcm', 'audio/pcm', 'pcm'],
		['silence in mu-law', Buffer.alloc(6000, 0xff), 'audio/basic', 'audio/basic', 'ulaw'],
		['silence in mu-law like text', Buffer.alloc(6000, 0x7f), 'audio/basic', 'audio/basic', 'ulaw'],
		['silence in A-law like text', Buffer.alloc(6000, 0x55), 'audio/PCMA', 'audio/PCMA', 'alaw'],
		['samples like UTF-16, little-endian', likeUtf16, 'audio/basic', 'audio/basic', 'ulaw'],
		['samples like UTF-16, big-endian', likeUtf16be, 'audio/PCMU', 'audio/PCMU', 'ulaw'],
		['samples that begin like JPEG', likeJpeg, 'audio/raw', 'audio/raw', 'pcm'],
		['a type called like a property', pcm, 'audio/constructor', 'audio/constructor', 'constructor'],
		['a type without a letter', pcm, 'audio/+', 'audio/+', 'bin'],
		['a long type', pcm, `audio/${'x'.repeat(99)}`, `audio/${'x'.repeat(99)}`, 'x'.repeat(16)],
	])('%s', async (_case, body, contentType, mimeType, extension) => {
		node.service.answer = bytes(body, contentType);
		const { items } = await node.runOnce(parameters);
		const fileName = `${name}.${extension}`;
		const about = parameters === speak ? { voiceId: 'vc_1', characters: 5 } : {};
		expect(items.map((item) => item.json)).toEqual([
			{ fileName, mimeType, bytes: body.length, ...about },
		]);
		expect(items[0]?.binary?.data).toMatchObject({ fileName, mimeType });
		expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(body));
	});
});

it.each<[string, Answer, object]>([
	['text under data', bytes('It is\n a person.\n', 'text/plain'), { data: 'It is\n a person.\n' }],
	['text without a type', bytes('ok', undefined), { data: 'ok' }],
	['HTML as text', bytes(html, 'text/html'), { data: html }],
	['text cut in a letter', bytes(Buffer.from('caf\xc3', 'latin1'), 'text/plain'), { data: 'cafÃ' }],
	['text that begins like CAF', bytes('caffeine', 'text/plain'), { data: 'caffeine' }],
	['text that begins like JSON', bytes('[1] yes', 'text/plain'), { data: '[1] yes' }],
	['text declared as audio', bytes('Sorry.', 'audio/mpeg'), { data: 'Sorry.' }],
	['JSON that ends early', jsonText('{"text":"hel'), { data: '{"text":"hel' }],
	['several JSON values', jsonText('{"a":1}\n{"a":2}\n'), { data: '{"a":1}\n{"a":2}\n' }],
	['text with the key masked', bytes(`for ${apiKey}.`, 'text/plain'), { data: `for ${masked}.` }],
	['nothing', bytes('', 'application/json', 200), {}],
	['nothing, with status 204', bytes('', undefined, 204), {}],
])('an undocumented operation accepts %s', async (_case, answer, expected) => {
	node.service.answer = answer;
	const parameters = { ...undocumented, options: { keepInputFiles: true } };
	const { items } = await node.runOnce(parameters);
	expect(items.map((item) => item.json)).toEqual([expected]);
	// The item has its input file only.
	expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(recording));
});

it.each<[string, Buffer, string | undefined, string, string]>([
	['samples without a type', pcm, undefined, 'bin', 'application/octet-stream'],
	['silence in A-law', Buffer.alloc(6000, 0xd5), 'x/y ; z=1', 'bin', 'x/y'],
	['samples of nearly an audio type', pcm, 'x-audio/pcm', 'bin', 'x-audio/pcm'],
	['a picture', likeJpeg, 'image/jpeg', 'jpg', 'image/jpeg'],
	['PDF that begins with 6 kB of text', pdf, 'application/pdf', 'pdf', 'application/pdf'],
	['a video', Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  '), undefined, 'mov', 'video/quicktime'],
])('an undocumented operation keeps every byte of what is not text: %s', async (...row) => {
	const [, body, contentType, extension, mimeType] = row;
	node.service.answer = bytes(body, contentType);
	const { items } = await node.runOnce(undocumented);
	const fileName = `audio.${extension}`;
	expect(items[0]?.json).toEqual({ fileName, mimeType, bytes: body.length });
	expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(body));
});

/** What the error says that the response is, and what it quotes of it, if that is legible. */
type Unusable = [what: string, Answer, found: string, quoted?: string];

const notAudio: Unusable[] = [
	['JSON', json({ audio: 'UklGRg==' }), 'JSON', '{"audio":"UklGRg=="}'],
	['HTML', bytes(html, 'audio/wav'), 'HTML', 'Sign in'],
	['text', bytes('Not\ttoday\n', 'text/plain'), 'something else', 'Not today'],
	['Japanese text', bytes('今日はだめ', 'audio/pcm'), 'something else', '今日はだめ'],
	['bytes without a header, declared as MP3', bytes(pcm, 'audio/mpeg'), 'something else'],
	['bytes without a type', bytes(pcm, undefined), 'something else'],
];

const invalid = 'incomplete or invalid data';

const notJson: Unusable[] = [
	['text', bytes('hello there', 'text/plain'), 'something else', 'hello there'],
	['HTML declared as JSON', bytes(html, 'application/json'), 'HTML', 'Sign in'],
	['JSON that ends early', jsonText('{"text":"hel'), invalid, '{"text":"hel'],
	['what is nearly JSON', jsonText('[01234567890123456789]'), invalid, '[01234567890123456789]'],
	['audio', bytes(wav(), 'audio/wav'), 'WAV'],
];

const long = '語'.repeat(100_000);
const longPage = `<p>${long}`;

const never: Unusable[] = [
	['nothing', bytes('', 'audio/wav'), 'an empty response'],
	['nothing, with status 204', bytes('', undefined, 204), 'an empty response'],
	['a repeated key', bytes(`<html>${apiKey}`, 'text/html'), 'HTML', masked],
	['a long text', bytes(longPage, 'text/html'), 'something else', `${long.slice(0, 200)}…`],
];

describe.each<[string, string, INodeParameters, Unusable[]]>([
	['text to speech', 'audio', speak, notAudio],
	['speech to text', 'JSON', speechToText, notJson],
	['voice cloning', 'JSON', clone, notJson],
])('%s is an error without %s', (_what, due, parameters, unusable) => {
	it.each([...unusable, ...never])('but %s', async (_case, answer, found, ...[quoted]) => {
		node.service.answer = answer;
		const { error, items, run } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service returned ${found} instead of ${due}`);
		const advice = "Check the credential's 'Base URL', then ask your provider.";
		const quote = quoted === undefined ? '' : ` The response starts with '${quoted}'.`;
		expect(error?.description).toContain(advice + quote);
		expectMaybeDebited(errorText({ error }));
		expect(node.service.arrived).toBe(1);
		expect(JSON.stringify(run)).not.toContain(apiKey);
	});
});

it('the error names the type of the response, and quotes only what there is of it', async () => {
	node.service.answer = bytes('', 'audio/l16');
	const { error } = await node.run(speechToText);
	expect(error?.description).toContain("provider. Its Content-Type is 'audio/l16'. The call may");
});
