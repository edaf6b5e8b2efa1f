import { speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes } from '../support/scriptedServer';

const node = useNode();

const sentence = 'Credits are “short” on Tüesday';

type Encode = (text: string) => Buffer;

const utf8: Encode = (text) => Buffer.from(text);
const behindMark: Encode = (text) => utf8(`\ufeff${text}`);
const utf16le: Encode = (text) => Buffer.from(text, 'utf16le');
const utf16be: Encode = (text) => utf16le(text).swap16();
/** It has quotes where Latin-1 has control characters. */
const windows1252: Encode = (text) =>
	Buffer.from(text.replace(/“/g, '\u0093').replace(/”/g, '\u0094'), 'latin1');

/** How a server may encode a text, and what it adds to the Content-Type. */
const encodings: Array<{ name: string; encode: Encode; charset: string }> = [
	{ name: 'UTF-8', encode: utf8, charset: '; charset=utf-8' },
	{ name: 'UTF-8, in quotes and capitals', encode: utf8, charset: '; Charset="UTF-8"; x=1' },
	{ name: 'UTF-8, declared as Latin-1', encode: utf8, charset: '; charset=iso-8859-1' },
	{ name: 'UTF-8 with an unknown charset', encode: utf8, charset: '; charset=klingon' },
	{ name: 'UTF-8 behind a byte order mark', encode: behindMark, charset: '' },
	{
		name: 'UTF-8 behind a byte order mark, declared as Latin-1',
		encode: behindMark,
		charset: '; charset=iso-8859-1',
	},
	{ name: 'windows-1252', encode: windows1252, charset: '; charset=windows-1252' },
	{
		name: 'windows-1252, declared as Latin-1',
		encode: windows1252,
		charset: ';charset=iso-8859-1',
	},
	{ name: 'windows-1252, not declared', encode: windows1252, charset: '' },
	{ name: 'windows-1252, declared as UTF-8', encode: windows1252, charset: '; charset=utf-8' },
	{
		name: 'UTF-16 little-endian behind a mark',
		encode: (text) => utf16le(`\ufeff${text}`),
		charset: '',
	},
	{
		name: 'UTF-16 big-endian behind a mark',
		encode: (text) => utf16be(`\ufeff${text}`),
		charset: '; charset=utf-16',
	},
	{ name: 'UTF-16 little-endian, declared', encode: utf16le, charset: '; charset=utf-16le' },
	{ name: 'UTF-16 big-endian, declared', encode: utf16be, charset: '; charset=UTF-16BE' },
];

describe.each(encodings)('$name', ({ name, encode, charset }) => {
	const answering = (text: string, type: string, status = 200) =>
		bytes(encode(text), `${type}${charset}`, status);

	it(`reads JSON in ${name}`, async () => {
		const answer = { text: name.includes('1252') ? sentence : `${sentence} 語` };
		node.service.answer = answering(JSON.stringify(answer), 'application/json');
		for (const parameters of [speechToText, undocumented]) {
			const { items } = await node.run(parameters);
			expect(items[0]?.json).toEqual(answer);
		}
	});

	it(`reads text in ${name}`, async () => {
		node.service.answer = answering(sentence, 'text/plain');
		const { items } = await node.runOnce(undocumented);
		expect(items[0]?.json).toEqual({ data: sentence });
	});

	it(`reads a refusal in ${name}, and quotes text in place of audio`, async () => {
		const body = JSON.stringify({ detail: sentence });
		node.service.answer = answering(body, 'application/json', 400);
		const { error: refusal } = await node.run(speak);
		expect(refusal?.message).toBe(`The service did not accept the request (400): ${sentence}`);
		node.service.answer = answering(sentence, 'text/plain');
		const { error, items } = await node.run(speak);
		expect(items).toEqual([]);
		expect(error?.description).toContain(`The response starts with '${sentence}'.`);
	});
});
