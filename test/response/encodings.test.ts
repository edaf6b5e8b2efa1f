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
const encodings: Array<[name: string, Encode, charset: string]> = [
	['UTF-8', utf8, '; charset=utf-8'],
	['UTF-8, in quotes and capitals', utf8, '; Charset="UTF-8"; x=1'],
	['UTF-8, declared as Latin-1', utf8, '; charset=iso-8859-1'],
	['UTF-8 with an unknown charset', utf8, '; charset=klingon'],
	['UTF-8 behind a byte order mark', behindMark, ''],
	['UTF-8 behind a byte order mark, declared as Latin-1', behindMark, '; charset=iso-8859-1'],
	['windows-1252', windows1252, '; charset=windows-1252'],
	['windows-1252, declared as Latin-1', windows1252, ';charset=iso-8859-1'],
	['windows-1252, not declared', windows1252, ''],
	['windows-1252, declared as UTF-8', windows1252, '; charset=utf-8'],
	['UTF-16 little-endian behind a mark', (text) => utf16le(`\ufeff${text}`), ''],
	['UTF-16 big-endian behind a mark', (text) => utf16be(`\ufeff${text}`), '; charset=utf-16'],
	['UTF-16 little-endian, declared', utf16le, '; charset=utf-16le'],
	['UTF-16 big-endian, declared', utf16be, '; charset=UTF-16BE'],
];

describe.each(encodings)('%s', (name, encode, charset) => {
	const answering = (text: string, type: string, status = 200) =>
		bytes(encode(text), `${type}${charset}`, status);

	it('is read as JSON', async () => {
		const answer = { text: name.includes('1252') ? sentence : `${sentence} 語` };
		node.service.answer = answering(JSON.stringify(answer), 'application/json');
		for (const parameters of [speechToText, undocumented]) {
			const { items } = await node.run(parameters);
			expect(items[0]?.json).toEqual(answer);
		}
	});

	it('is read as text', async () => {
		node.service.answer = answering(sentence, 'text/plain');
		const { items } = await node.runOnce(undocumented);
		expect(items[0]?.json).toEqual({ data: sentence });
	});

	it('is read as a refusal, and quoted instead of audio', async () => {
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
