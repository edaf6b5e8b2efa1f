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
import { flac, mp3, oggOpus, wav } from '../support/recordings';
import { bytes, json, sha256, type Answer } from '../support/scriptedServer';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

const pcm = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

const likeJpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), pcm]);

const pdf = Buffer.concat([Buffer.from(`%PDF-1.4\n${'% text\n'.repeat(900)}`), pcm]);

const masked = 'eak_test_***';

function jsonText(text: string, type: string | undefined = 'application/json'): Answer {
	return bytes(text, type);
}

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
		[
			'integers that JavaScript cannot represent, as text',
			jsonText('{"id":9007199254740993,"n":[-12345678901234567890],"e":1e400}'),
			{ id: '9007199254740993', n: ['-12345678901234567890'], e: '1e400' },
		],
		[
			'numbers that it can represent, and digits inside texts, unchanged',
			jsonText(
				'{"a":9007199254740992,"b":1.2345678901234567,"c":1e21,"\\"12345678901234567890":"\\\\\\"12345678901234567890,"}',
			),
			{
				a: 9007199254740992,
				b: 1.2345678901234567,
				c: 1e21,
				'"12345678901234567890': '\\"12345678901234567890,',
			},
		],
		['without a Content-Type', jsonText('{"text":"a"}', undefined), { text: 'a' }],
		['declared as text', jsonText('{"text":"a"}', 'text/plain'), { text: 'a' }],
		['declared as HTML', jsonText('\n {"text":"a"} \n', 'text/html'), { text: 'a' }],
		['declared as audio', jsonText('{"text":"a"}', 'audio/mpeg'), { text: 'a' }],
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
		['audio of an unknown type', pcm, 'audio/vnd.codec-2', 'audio/vnd.codec-2', 'codec2'],
		['silence in mu-law', Buffer.alloc(6000, 0xff), 'audio/basic', 'audio/basic', 'ulaw'],
		['silence in mu-law like text', Buffer.alloc(6000, 0x7f), 'audio/basic', 'audio/basic', 'ulaw'],
		['silence in A-law like text', Buffer.alloc(6000, 0x55), 'audio/PCMA', 'audio/PCMA', 'alaw'],
		['silence of 8 bits like text', Buffer.alloc(6000, 0x7f), 'audio/L8', 'audio/L8', 'pcm'],
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
	[
		'text that ends like half a letter',
		bytes(Buffer.from('caf\xc3', 'latin1'), 'text/plain'),
		{ data: 'cafÃ' },
	],
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
])(
	'an undocumented operation keeps every byte of a response that is not text: %s',
	async (...row) => {
		const [, body, contentType, extension, mimeType] = row;
		node.service.answer = bytes(body, contentType);
		const { items } = await node.runOnce(undocumented);
		const fileName = `audio.${extension}`;
		expect(items[0]?.json).toEqual({ fileName, mimeType, bytes: body.length });
		expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(body));
	},
);

const next = "Check the credential's 'Base URL', then ask your provider.";

const maybePaid =
	"The call may have been debited: check the usage dashboard in the service's console before you send it again.";

/** Response, what the error says that it is, and what it quotes of it, if that is legible. */
type Unusable = [what: string, answer: Answer, found: string, quoted?: string];

const notAudio: Unusable[] = [
	['JSON', json({ audio: 'UklGRg==' }), 'JSON instead of audio', '{"audio":"UklGRg=="}'],
	['HTML', bytes(html, 'audio/wav'), 'HTML instead of audio', html],
	['text', bytes('Not\ttoday\n', 'text/plain'), 'something else instead of audio', 'Not today'],
	[
		'text of anywhere',
		bytes('今日はだめ', 'audio/pcm'),
		'something else instead of audio',
		'今日はだめ',
	],
	[
		'bytes without a header, declared as MP3',
		bytes(pcm, 'audio/mpeg'),
		'something else instead of audio',
	],
	['bytes without a type', bytes(pcm, undefined), 'something else instead of audio'],
];

const notJson: Unusable[] = [
	['text', bytes('hello there', 'text/plain'), 'something else instead of JSON', 'hello there'],
	['HTML declared as JSON', bytes(html, 'application/json'), 'HTML instead of JSON', html],
	[
		'JSON that ends early',
		jsonText('{"text":"hel'),
		'incomplete or invalid data instead of JSON',
		'{"text":"hel',
	],
	[
		'what is nearly JSON',
		jsonText('[01234567890123456789]'),
		'incomplete or invalid data instead of JSON',
		'[01234567890123456789]',
	],
	['audio', bytes(wav(), 'audio/wav'), 'WAV instead of JSON'],
];

describe.each<[string, string, INodeParameters, Unusable[]]>([
	['text to speech', 'audio', speak, notAudio],
	['speech to text', 'JSON', speechToText, notJson],
	['voice cloning', 'JSON', clone, notJson],
])('%s is an error without %s', (_what, due, parameters, unusable) => {
	const nothing = `an empty response instead of ${due}`;

	it.each<Unusable>([
		...unusable,
		['nothing', bytes('', 'audio/wav'), nothing],
		['nothing, with status 204', bytes('', undefined, 204), nothing],
		[
			'a repeated key, which is masked',
			bytes(`<html>${apiKey}</html>`, 'text/html'),
			`HTML instead of ${due}`,
			`<html>${masked}</html>`,
		],
		[
			'a long text: only its start is quoted, in whole characters',
			bytes(`<p>${'語'.repeat(100_000)}`, 'text/html'),
			`something else instead of ${due}`,
			`<p>${'語'.repeat(197)}…`,
		],
	])('but %s', async (_case, answer, found, quoted = '') => {
		node.service.answer = answer;
		const { error, items, run } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service returned ${found}`);
		const { description } = error ?? {};
		if (found === nothing) {
			const type = _case === 'nothing' ? " Its Content-Type is 'audio/wav'." : '';
			expect(description).toBe(`${next}${type} ${maybePaid}`);
		} else {
			const start = quoted === '' ? '' : `${quoted}'. `;
			expect(description).toContain(`${next} The response starts with '${start}`);
		}
		expect(description).toContain(maybePaid);
		expect(node.service.arrived).toBe(1);
		expect(JSON.stringify(run)).not.toContain(apiKey);
	});
});
