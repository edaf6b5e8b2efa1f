import { startsWith, textAt } from './bytes';
import { viewOf } from './headers/header';
import { firstFrames } from './headers/mpegFrame';

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
	/** Whether the first bytes of a file, behind tags, show this format. */
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

/** A file that is no recording. */
function other(
	name: string,
	mimeType: string,
	extensions: Format['extensions'],
	matches: Signature['matches'],
): Signature {
	return format(name, mimeType, extensions, matches, 'other');
}

function isMpegLayer(head: Uint8Array, layer: number): boolean {
	return firstFrames(viewOf(head))?.first.layer === layer;
}

/** Length of an ADTS frame, in bytes (ISO/IEC 13818-7, 6.2); 0 where none begins here. */
function adtsLength(head: Uint8Array, place: number): number {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = head.subarray(place, place + 6);
	const isFrame = a === 0xff && (b & 0xf6) === 0xf0 && (c & 0x3c) < 13 << 2;
	const length = ((d & 3) << 11) | (e << 3) | (f >> 5);
	return isFrame && length > 7 ? length : 0;
}

function isAdts(head: Uint8Array): boolean {
	const next = adtsLength(head, 0);
	return next > 0 && (next + 6 > head.length || adtsLength(head, next) > 0);
}

const mp4Brands = /^(M4[ABPV] |mp4[12]|iso[m2-9]|dash|MSNV|F4[AV] )/i;

/** Brands that are compatible with MP4's and still are something else: phones' video, pictures. */
const otherBrands = /^(3g|qt|heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis)/;

/** By the brand that an ISO media file calls itself by, and those it is compatible with (14496-12, 4.3). */
function isMp4(head: Uint8Array): boolean {
	const own = textAt(head, 8, 4);
	if (textAt(head, 4, 4) !== 'ftyp' || otherBrands.test(own)) return false;
	const end = Math.min(viewOf(head).getUint32(0), head.length, 256);
	const brands = [own];
	for (let place = 16; place + 4 <= end; place += 4) brands.push(textAt(head, place, 4));
	return brands.some((brand) => mp4Brands.test(brand));
}

function isRiff(head: Uint8Array, type: string): boolean {
	return /RIFF|RF64|BW64/.test(textAt(head, 0, 4)) && textAt(head, 8, 4) === type;
}

function isOgg(head: Uint8Array, codec: string): boolean {
	// A first page holds one packet, after 27 bytes of header and a table of one entry or a few.
	return textAt(head, 0, 4) === 'OggS' && textAt(head, 27, 24).includes(codec);
}

function isAiff(head: Uint8Array): boolean {
	return textAt(head, 0, 4) === 'FORM' && /AIF[FC]/.test(textAt(head, 8, 4));
}

/** With a brand of its own, or from before there were brands. */
function isQuickTime(head: Uint8Array): boolean {
	return /^(ftypqt |moov|wide|mdat)/.test(textAt(head, 4, 8));
}

function beginsWith(text: string): Signature['matches'] {
	return (head) => textAt(head, 0, text.length) === text;
}

function textBegins(pattern: RegExp): Signature['matches'] {
	return (head) =>
		pattern.test(textAt(head, 0, 256).replace(/^(\u00ef\u00bb\u00bf)?[ \t\r\n]*/, ''));
}

const htmlTag = /^<(!doctype|html|head|body|script|title|meta|!--)/i;

const jsonStart = /^(\{\s*["}]|\[\s*[[{"\]\d])/;

/** What the first bytes show for certain, more or less. In this order: the more particular before the more general. */
export const signatures: Signature[] = [
	format('WAV', 'audio/wav', ['wav', 'wave'], (head) => isRiff(head, 'WAVE')),
	format('FLAC', 'audio/flac', ['flac'], beginsWith('fLaC')),
	format('M4A', 'audio/mp4', ['m4a', 'mp4', 'm4b', 'm4p'], isMp4),
	format('OGG Opus', 'audio/ogg', ['opus', 'ogg', 'oga'], (head) => isOgg(head, 'OpusHead')),
	format('OGG', 'audio/ogg', ['ogg', 'oga', 'spx'], beginsWith('OggS')),
	format('WebM', 'audio/webm', ['webm', 'weba', 'mka', 'mkv'], (head) =>
		startsWith(head, [0x1a, 0x45, 0xdf, 0xa3]),
	),
	format('AMR', 'audio/amr', ['amr', 'awb'], beginsWith('#!AMR')),
	format('AIFF', 'audio/aiff', ['aiff', 'aif', 'aifc'], isAiff),
	format('AU', 'audio/basic', ['au', 'snd'], beginsWith('.snd')),
	format('CAF', 'audio/x-caf', ['caf'], beginsWith('caff')),
	format('WMA', 'audio/x-ms-wma', ['wma', 'asf', 'wmv'], (head) =>
		startsWith(head, [0x30, 0x26, 0xb2, 0x75]),
	),
	format('3GP', 'audio/3gpp', ['3gp', '3g2'], (head) => textAt(head, 4, 6) === 'ftyp3g'),
	format('QuickTime', 'video/quicktime', ['mov', 'qt'], isQuickTime, 'video'),
	format('AVI', 'video/x-msvideo', ['avi'], (head) => isRiff(head, 'AVI '), 'video'),
	other('PDF', 'application/pdf', ['pdf'], beginsWith('%PDF-')),
	other('ZIP', 'application/zip', ['zip'], beginsWith('PK\u0003\u0004')),
	other('gzip', 'application/gzip', ['gz', 'tgz'], (head) => startsWith(head, [0x1f, 0x8b, 8])),
	other('PNG', 'image/png', ['png'], (head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47])),
	other('JPEG', 'image/jpeg', ['jpg', 'jpeg'], (head) => startsWith(head, [0xff, 0xd8, 0xff])),
	other('GIF', 'image/gif', ['gif'], beginsWith('GIF8')),
	other('HTML', 'text/html', ['html', 'htm'], textBegins(htmlTag)),
	other('XML', 'application/xml', ['xml'], textBegins(/^<\?xml/i)),
	other('JSON', 'application/json', ['json'], textBegins(jsonStart)),
	format('AAC', 'audio/aac', ['aac'], (head) => isAdts(head) || beginsWith('ADIF')(head)),
	// Last, because frames are looked for behind what stands in front of them too.
	format('MP3', 'audio/mpeg', ['mp3', 'mpga'], (head) => isMpegLayer(head, 3)),
	format('MP2', 'audio/mpeg', ['mp2', 'mpa'], (head) => isMpegLayer(head, 2)),
];
