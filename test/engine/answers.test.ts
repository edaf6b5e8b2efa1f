import type { INodeParameters } from 'n8n-workflow';

import { apiKey, recording, speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes, json, sha256, type Answer } from '../support/recorder';
import { flac, m4a, mp3, oggOpus, wav } from '../support/recordings';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

const pcm = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

/** Of each kind of operation one. */
const promises: Array<[string, INodeParameters]> = [
	['speech to text', speechToText],
	['an undocumented operation', undocumented],
];

describe('JSON', () => {
	const jsonText = (text: string, type: string | undefined = 'application/json') =>
		bytes(text, type);

	describe.each(promises)('of %s', (_what, parameters) => {
		it.each<[string, Answer, unknown]>([
			[
				'an object, unchanged',
				json({ text: 'a', nested: { list: [1, 'b', null, true] }, empty: {} }),
				{ text: 'a', nested: { list: [1, 'b', null, true] }, empty: {} },
			],
			['an empty object', json({}), {}],
			['an array under data', json([{ text: 'a' }, 2]), { data: [{ text: 'a' }, 2] }],
			['a bare text under data', json('a'), { data: 'a' }],
			['a bare number under data', json(-1.5), { data: -1.5 }],
			['null under data', json(null), { data: null }],
			['false under data', json(false), { data: false }],
			[
				'integers that JavaScript can not hold, as text',
				jsonText(
					'{"id":9007199254740993,"n":[-12345678901234567890],"max":18446744073709551615,"e":1e400}',
				),
				{
					id: '9007199254740993',
					n: ['-12345678901234567890'],
					max: '18446744073709551615',
					e: '1e400',
				},
			],
			[
				'numbers that it can hold, and digits inside texts, as they are',
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
			['without an announced type', jsonText('{"text":"a"}', undefined), { text: 'a' }],
			['announced as text', jsonText('{"text":"a"}', 'text/plain'), { text: 'a' }],
			['announced as HTML', jsonText('\n {"text":"a"} \n', 'text/html'), { text: 'a' }],
			['announced as audio', jsonText('{"text":"a"}', 'audio/mpeg'), { text: 'a' }],
			['behind a byte order mark', jsonText('\ufeff{"text":"ä"}'), { text: 'ä' }],
			[
				'in the charset that it announces',
				bytes(Buffer.from('{"text":"ä"}', 'latin1'), 'application/json; charset=iso-8859-1'),
				{ text: 'ä' },
			],
			['with status 201', json({ text: 'a' }, 201), { text: 'a' }],
			[
				'with the key that it echoes masked',
				json({ text: `your ${apiKey}!`, [apiKey]: [{ deep: apiKey }] }),
				{ text: 'your eak_test_***!', 'eak_test_***': [{ deep: 'eak_test_***' }] },
			],
		])('%s', async (_case, answer, expected) => {
			node.service.answer = answer;
			const { items } = await node.runOnce(parameters);
			expect(items.map((item) => item.json)).toEqual([expected]);
		});
	});

	it('of many megabytes, with a large number beside', async () => {
		const audio = 'ab\\n'.repeat(4_000_000);
		node.service.answer = jsonText(`{"audio":"${audio}","id":12345678901234567890}`);
		const { items } = await node.runOnce(speechToText);
		expect(items[0]?.json.id).toBe('12345678901234567890');
		expect(String(items[0]?.json.audio)).toHaveLength(12_000_000);
	});
});

describe.each<[string, INodeParameters, string]>([
	['text to speech', speak, 'speech'],
	['an undocumented operation', undocumented, 'audio'],
])('audio of %s', (_what, parameters, name) => {
	it.each<[string, Buffer, string | undefined, string, string]>([
		['WAV', wav(), 'audio/wav', 'audio/wav', 'wav'],
		['WAV under another of its types', wav(), 'audio/x-wav', 'audio/x-wav', 'wav'],
		['MP3', mp3(), 'audio/mpeg', 'audio/mpeg', 'mp3'],
		['WAV, a space behind its type', wav(), 'audio/x-wav ; x=1', 'audio/x-wav', 'wav'],
		['MP3, its type in capitals', mp3(), 'Audio/MPEG; x=1', 'audio/mpeg', 'mp3'],
		['MP3 announced as WAV', mp3(), 'audio/wav', 'audio/mpeg', 'mp3'],
		['WAV announced as JSON', wav(), 'application/json', 'audio/wav', 'wav'],
		['WAV announced as raw samples', wav(), 'audio/L16;rate=16000', 'audio/wav', 'wav'],
		['FLAC announced as bytes', flac(), 'application/octet-stream', 'audio/flac', 'flac'],
		['M4A', m4a(), 'audio/mp4', 'audio/mp4', 'm4a'],
		['OGG Opus', oggOpus(), 'audio/ogg; codecs=opus', 'audio/ogg', 'opus'],
		['FLAC without a type', flac(), undefined, 'audio/flac', 'flac'],
		['raw samples', pcm, 'audio/L16;rate=16000', 'audio/L16;rate=16000', 'pcm'],
		[
			'raw samples that begin like gzip by chance',
			Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), pcm]),
			'audio/pcm',
			'audio/pcm',
			'pcm',
		],
		['G.711', pcm, 'audio/PCMU', 'audio/PCMU', 'ulaw'],
		['audio that nobody knows', pcm, 'audio/vnd.codec-2', 'audio/vnd.codec-2', 'codec2'],
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

describe('an undocumented operation', () => {
	it.each<[string, Answer, object]>([
		[
			'text under data',
			bytes('It is\n a person.\n', 'text/plain'),
			{ data: 'It is\n a person.\n' },
		],
		['text without a type', bytes('ok', undefined), { data: 'ok' }],
		['HTML as text', bytes(html, 'text/html'), { data: html }],
		[
			'text that ends like half a letter',
			bytes(Buffer.from('caf\xc3', 'latin1'), 'text/plain'),
			{ data: 'cafÃ' },
		],
		['text that begins like JSON', bytes('[1] yes', 'text/plain'), { data: '[1] yes' }],
		[
			'text with the key that it echoes masked',
			bytes(`for ${apiKey}.`, 'text/plain'),
			{ data: 'for eak_test_***.' },
		],
		['nothing', bytes('', 'application/json', 200), {}],
		['nothing, with status 204', bytes('', undefined, 204), {}],
	])('takes %s', async (_case, answer, expected) => {
		node.service.answer = answer;
		const { items } = await node.runOnce(undocumented);
		expect(items.map((item) => item.json)).toEqual([expected]);
		// Only what came in travels on.
		expect(sha256(await node.engine.read(items[0]?.binary?.data))).toBe(sha256(recording));
	});
});
