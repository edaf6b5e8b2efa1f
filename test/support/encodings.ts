/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A text on its way through a server that encodes it. */
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

export const encodings: Encoding[] = [
	{ name: 'UTF-8', encode: utf8, charset: '; charset=utf-8' },
	{ name: 'UTF-8, in quotes and capitals', encode: utf8, charset: '; Charset="UTF-8"; x=1' },
	{ name: 'UTF-8 behind a byte order mark', encode: (text) => utf8(`\ufeff${text}`), charset: '' },
	{ name: 'UTF-8 under a charset that nobody knows', encode: utf8, charset: '; charset=klingon' },
	{
		name: 'UTF-8 behind a byte order mark, announced as Latin-1',
		encode: (text) => utf8(`\ufeff${text}`),
		charset: '; charset=iso-8859-1',
	},
	{ name: 'windows-1252', encode: windows1252, charset: '; charset=windows-1252' },
	{
		name: 'windows-1252, announced as Latin-1',
		encode: windows1252,
		charset: ';charset=iso-8859-1',
	},
	{ name: 'windows-1252, not announced', encode: windows1252, charset: '' },
	{ name: 'windows-1252, announced as UTF-8', encode: windows1252, charset: '; charset=utf-8' },
	{
		name: 'UTF-16 little-endian behind a byte order mark',
		encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
		charset: '',
	},
	{
		name: 'UTF-16 big-endian behind a byte order mark',
		encode: (text) => utf16be(`\ufeff${text}`),
		charset: '; charset=utf-16',
	},
	{
		name: 'UTF-16 little-endian, announced',
		encode: (text) => Buffer.from(text, 'utf16le'),
		charset: '; charset=utf-16le',
	},
	{ name: 'UTF-16 big-endian, announced', encode: utf16be, charset: '; charset=UTF-16BE' },
	...[
		{ contentEncoding: 'gzip', compress: gzipSync },
		{ contentEncoding: 'br', compress: brotliCompressSync },
		{ contentEncoding: 'deflate', compress: deflateSync },
	].map(({ contentEncoding, compress }) => ({
		name: `UTF-8 in ${contentEncoding}`,
		encode: (text: string) => compress(utf8(text)),
		charset: '',
		contentEncoding,
	})),
];
