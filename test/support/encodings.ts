/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** How a server may encode a text. */
export interface Encoding {
	name: string;
	encode: (text: string) => Buffer;
	/** Added to the Content-Type. */
	charset: string;
	contentEncoding?: string;
}

function utf16be(text: string): Buffer {
	return Buffer.from(text, 'utf16le').swap16();
}

/** windows-1252 has quotes where Latin-1 has control characters. */
function windows1252(text: string): Buffer {
	return Buffer.from(text.replace(/“/g, '\u0093').replace(/”/g, '\u0094'), 'latin1');
}

const utf8 = (text: string) => Buffer.from(text);

const behindMark = (text: string) => utf8(`\ufeff${text}`);
const utf16le = (text: string) => Buffer.from(text, 'utf16le');

const rows: Array<[string, Encoding['encode'], string]> = [
	['UTF-8', utf8, '; charset=utf-8'],
	['UTF-8, in quotes and capitals', utf8, '; Charset="UTF-8"; x=1'],
	['UTF-8 with an unknown charset', utf8, '; charset=klingon'],
	['UTF-8 behind a byte order mark', behindMark, ''],
	['UTF-8 behind a byte order mark, declared as Latin-1', behindMark, '; charset=iso-8859-1'],
	['windows-1252', windows1252, '; charset=windows-1252'],
	['windows-1252, declared as Latin-1', windows1252, ';charset=iso-8859-1'],
	['windows-1252, not declared', windows1252, ''],
	['windows-1252, declared as UTF-8', windows1252, '; charset=utf-8'],
	['UTF-16 little-endian behind a byte order mark', (text) => utf16le(`\ufeff${text}`), ''],
	[
		'UTF-16 big-endian behind a byte order mark',
		(text) => utf16be(`\ufeff${text}`),
		'; charset=utf-16',
	],
	['UTF-16 little-endian, declared', utf16le, '; charset=utf-16le'],
	['UTF-16 big-endian, declared', utf16be, '; charset=UTF-16BE'],
];

const compressions = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };

export const encodings: Encoding[] = [
	...rows.map(([name, encode, charset]) => ({ name, encode, charset })),
	...Object.entries(compressions).map(([contentEncoding, compress]) => ({
		name: `UTF-8 in ${contentEncoding}`,
		encode: (text: string) => compress(utf8(text)),
		charset: '',
		contentEncoding,
	})),
];
