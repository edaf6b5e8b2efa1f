import { startsWith, textAt } from './bytes';

/** What a file is by its first bytes. */
export interface Format {
	/** As a person would call it. */
	name: string;
	mimeType: string;
	/** Without a dot; the first is the usual one. */
	extensions: [string, ...string[]];
	kind: 'audio' | 'video' | 'other';
}

interface Signature extends Format {
	/** Whether the first bytes of a file show this format. */
	matches: (head: Uint8Array) => boolean;
}

function format(
	name: string,
	mimeType: string,
	extensions: Format['extensions'],
	matches: Signature['matches'],
	kind: Format['kind'] = 'audio',
): Signature {
	return { name, mimeType, extensions, kind, matches };
}

/** Bytes at the end of an ID3v2 tag, where the audio itself begins; 0 where there is no tag. */
export function endOfId3(head: Uint8Array): number {
	if (textAt(head, 0, 3) !== 'ID3' || head.length < 10) return 0;
	const [, , , , , flags = 0, a = 0, b = 0, c = 0, d = 0] = head;
	const footer = flags & 0x10 ? 10 : 0;
	return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127) + footer;
}

/** The frame header of MPEG audio: sync, a layer, and no reserved bit rate or sampling rate. */
function isMpegFrame(head: Uint8Array): boolean {
	const [a = 0, b = 0, c = 0] = head;
	return (
		a === 0xff &&
		(b & 0xe0) === 0xe0 &&
		(b & 0x18) !== 0x08 &&
		(b & 0x06) !== 0 &&
		(c & 0xf0) !== 0xf0 &&
		(c & 0x0c) !== 0x0c
	);
}

function isIsoMedia(head: Uint8Array, brands: RegExp): boolean {
	return textAt(head, 4, 4) === 'ftyp' && brands.test(textAt(head, 8, 4));
}

function isRiff(head: Uint8Array, type: string): boolean {
	return /^(RIFF|RF64|BW64)$/.test(textAt(head, 0, 4)) && textAt(head, 8, 4) === type;
}

function isOgg(head: Uint8Array, codec: string): boolean {
	// A first page holds one packet, after 27 bytes of header and a table of one entry or a few.
	return textAt(head, 0, 4) === 'OggS' && textAt(head, 27, 24).includes(codec);
}

function textBegins(head: Uint8Array, pattern: RegExp): boolean {
	return pattern.test(textAt(head, 0, 256).replace(/^(\u00ef\u00bb\u00bf)?\s*/, ''));
}

/** In this order: the more particular before the more general. */
const signatures: Signature[] = [
	format('WAV', 'audio/wav', ['wav', 'wave'], (head) => isRiff(head, 'WAVE')),
	format('FLAC', 'audio/flac', ['flac'], (head) => textAt(head, endOfId3(head), 4) === 'fLaC'),
	format('M4A', 'audio/mp4', ['m4a', 'mp4', 'm4b', 'm4p'], (head) =>
		isIsoMedia(head, /^(M4A |M4B |M4P |mp4[12]|iso[m2-9]|dash|MSNV|f4a |M4V )/i),
	),
	format(
		'AAC',
		'audio/aac',
		['aac'],
		(head) => head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0,
	),
	format('AAC', 'audio/aac', ['aac'], (head) => textAt(head, 0, 4) === 'ADIF'),
	format('MP3', 'audio/mpeg', ['mp3', 'mpga'], (head) => endOfId3(head) > 0 || isMpegFrame(head)),
	format('OGG Opus', 'audio/ogg', ['opus', 'ogg', 'oga'], (head) => isOgg(head, 'OpusHead')),
	format('OGG', 'audio/ogg', ['ogg', 'oga', 'spx'], (head) => textAt(head, 0, 4) === 'OggS'),
	format('WebM', 'audio/webm', ['webm', 'weba', 'mka', 'mkv'], (head) =>
		startsWith(head, [0x1a, 0x45, 0xdf, 0xa3]),
	),
	format('AMR', 'audio/amr', ['amr', 'awb'], (head) => textAt(head, 0, 5) === '#!AMR'),
	format(
		'AIFF',
		'audio/aiff',
		['aiff', 'aif', 'aifc'],
		(head) => textAt(head, 0, 4) === 'FORM' && /^AIF[FC]$/.test(textAt(head, 8, 4)),
	),
	format('AU', 'audio/basic', ['au', 'snd'], (head) => textAt(head, 0, 4) === '.snd'),
	format('CAF', 'audio/x-caf', ['caf'], (head) => textAt(head, 0, 4) === 'caff'),
	format('WMA', 'audio/x-ms-wma', ['wma', 'asf', 'wmv'], (head) =>
		startsWith(head, [0x30, 0x26, 0xb2, 0x75]),
	),
	format('3GP', 'audio/3gpp', ['3gp', '3g2'], (head) => isIsoMedia(head, /^3g/)),
	format(
		'QuickTime',
		'video/quicktime',
		['mov', 'qt'],
		(head) => isIsoMedia(head, /^qt /),
		'video',
	),
	format('AVI', 'video/x-msvideo', ['avi'], (head) => isRiff(head, 'AVI '), 'video'),
	format('PDF', 'application/pdf', ['pdf'], (head) => textAt(head, 0, 5) === '%PDF-', 'other'),
	format(
		'ZIP',
		'application/zip',
		['zip'],
		(head) => textAt(head, 0, 4) === 'PK\u0003\u0004',
		'other',
	),
	format(
		'gzip',
		'application/gzip',
		['gz', 'tgz'],
		(head) => startsWith(head, [0x1f, 0x8b]),
		'other',
	),
	format(
		'PNG',
		'image/png',
		['png'],
		(head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47]),
		'other',
	),
	format(
		'JPEG',
		'image/jpeg',
		['jpg', 'jpeg'],
		(head) => startsWith(head, [0xff, 0xd8, 0xff]),
		'other',
	),
	format('GIF', 'image/gif', ['gif'], (head) => textAt(head, 0, 4) === 'GIF8', 'other'),
	format(
		'HTML',
		'text/html',
		['html', 'htm'],
		(head) => textBegins(head, /^<(!doctype|html|head|body|script|!--)/i),
		'other',
	),
	format('XML', 'application/xml', ['xml'], (head) => textBegins(head, /^<\?xml/i), 'other'),
	format(
		'JSON',
		'application/json',
		['json'],
		(head) => textBegins(head, /^(\{\s*["}]|\[\s*[[{"\]\d])/),
		'other',
	),
];

/** How many bytes at the beginning of a file are enough to know its format, a tag in front of FLAC excepted. */
export const headLength = 512;

/**
 * Knows a file by its first bytes, whatever its name and announced type are.
 *
 * @param head the first bytes, {@link headLength} of them where the file is that long
 * @returns undefined for what shows no signature, raw PCM for example
 */
export function formatOf(head: Uint8Array): Format | undefined {
	return signatures.find((signature) => signature.matches(head));
}

const accepted = ['WAV', 'MP3', 'M4A', 'FLAC'];

/** Whether speech to text and voice cloning take this format (interface document, Endpoints). */
export function isAccepted(found: Format | undefined): boolean {
	return found !== undefined && accepted.includes(found.name);
}

/** Every extension that names a known format. */
export const knownExtensions = new Set(signatures.flatMap((signature) => signature.extensions));
