import { isText } from '../text/decode';
import { textAt } from './bytes';
import { viewOf } from './headers/header';
import { firstFrame } from './headers/mpegFrame';

/** A file format, recognised by the first bytes. */
export interface Format {
	/** For messages. */
	name: string;
	mimeType: string;
	/** Without a dot, the usual one first; none if any extension fits. */
	extensions: string[];
	kind: 'audio' | 'video' | 'other';
}

/** `matches` gets the first bytes of a file, behind tags. */
type Signature = Format & { matches: (head: Uint8Array) => boolean };

function format(
	name: string,
	mimeType: string,
	extensions: string[],
	matches: Signature['matches'],
): Signature {
	const kind = (['audio', 'video'] as const).find((type) => mimeType.startsWith(type)) ?? 'other';
	return { name, mimeType, extensions, kind, matches };
}

function isMpegLayer(head: Uint8Array, layer: number): boolean {
	return firstFrame(viewOf(head))?.frame.layer === layer;
}

/** Length of an ADTS frame in bytes (ISO/IEC 13818-7, 6.2); 0 if none begins here. */
function adtsLength(head: Uint8Array, offset: number): number {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = head.subarray(offset, offset + 6);
	const isFrame = a === 0xff && (b & 0xf6) === 0xf0 && (c & 0x3c) < 13 << 2;
	// The same version, sampling rate and channels in all frames.
	const isSame = b === head[1] && c === head[2];
	const length = ((d & 3) << 11) | (e << 3) | (f >> 5);
	return isFrame && isSame && length > 7 ? length : 0;
}

/** A frame header may be a coincidence in samples: three frames must follow one another. */
function isAdts(head: Uint8Array): boolean {
	let offset = 0;
	for (let count = 0; count < 3; count++) {
		const length = adtsLength(head, offset);
		if (length === 0) return false;
		offset += length;
	}
	return true;
}

function beginsWith(text: string): Signature['matches'] {
	return (head) => textAt(head, 0, text.length) === text;
}

/** @param pattern for the first 64 bytes as Latin-1 */
function begins(pattern: RegExp): Signature['matches'] {
	return (head) => pattern.test(textAt(head, 0, 64));
}

/** @param pattern at the beginning of a text, behind a byte order mark and white space */
function textBegins(pattern: RegExp): Signature['matches'] {
	return (head) =>
		pattern.test(textAt(head, 0, 256).replace(/^(\u00ef\u00bb\u00bf)?[ \t\r\n]*/, ''));
}

const htmlTag = /^<(!doctype|html|head|body|script|title|meta|!--)/i;

const startsAsJson = textBegins(/^(\{\s*["}]|\[\s*[[{"\]\d])/);

/** The first packet of OGG is behind 27 bytes of header and a short table. */
const opus = /^OggS[^]{24,43}OpusHead/;

/** The first box of an ISO media file is `ftyp` with a brand (ISO/IEC 14496-12, 4.3): HEIF, AVIF, Canon's raw images. */
const heif = /^[^]{4}ftyp(hei[cmsx]|hev[cmsx]|mif|msf|miaf|avi[fs]|crx )/;

/** MP4 of any other brand, or without one, as the oldest files. */
const mp4 = /^[^]{4}(ftyp|moov|mdat|moof)/;

/** In this order: more specific signatures before more general ones. */
export const signatures: Signature[] = [
	format('WAV', 'audio/wav', ['wav', 'wave'], begins(/^(RIFF|RF64|BW64)[^]{4}WAVE/)),
	format('FLAC', 'audio/flac', ['flac'], beginsWith('fLaC')),
	format('QuickTime', 'video/quicktime', ['mov', 'qt'], begins(/^[^]{4}ftypqt {2}/)),
	format('HEIF', 'image/heif', ['heif', 'heic', 'avif'], begins(heif)),
	format('M4A', 'audio/mp4', ['m4a', 'mp4', '3gp', '3g2', 'm4b', 'm4p'], begins(mp4)),
	format('OGG Opus', 'audio/ogg', ['opus', 'ogg', 'oga'], begins(opus)),
	format('OGG', 'audio/ogg', ['ogg', 'oga', 'spx'], beginsWith('OggS')),
	format('WebM', 'audio/webm', ['webm', 'weba', 'mka', 'mkv'], beginsWith('\u001aE\u00df\u00a3')),
	format('AMR', 'audio/amr', ['amr', 'awb'], beginsWith('#!AMR')),
	format('AIFF', 'audio/aiff', ['aiff', 'aif', 'aifc'], begins(/^FORM[^]{4}AIF[FC]/)),
	format('AU', 'audio/basic', ['au', 'snd'], beginsWith('.snd')),
	format('CAF', 'audio/x-caf', ['caf'], beginsWith('caff')),
	format('WMA', 'audio/x-ms-wma', ['wma', 'asf', 'wmv'], beginsWith('0&\u00b2u')),
	format('AVI', 'video/x-msvideo', ['avi'], begins(/^RIFF[^]{4}AVI /)),
	format('PDF', 'application/pdf', ['pdf'], beginsWith('%PDF-')),
	format('ZIP', 'application/zip', ['zip'], beginsWith('PK\u0003\u0004')),
	format('gzip', 'application/gzip', ['gz', 'tgz'], beginsWith('\u001f\u008b\u0008')),
	format('bzip2', 'application/x-bzip2', ['bz2'], begins(/^BZh[1-9]1AY/)),
	format('xz', 'application/x-xz', ['xz'], beginsWith('\u00fd7zXZ\0')),
	format('7-Zip', 'application/x-7z-compressed', ['7z'], beginsWith("7z\u00bc\u00af'")),
	format('RAR', 'application/vnd.rar', ['rar'], beginsWith('Rar!\u001a\u0007')),
	format('tar', 'application/x-tar', ['tar'], (head) => textAt(head, 257, 5) === 'ustar'),
	format('PNG', 'image/png', ['png'], beginsWith('\u0089PNG')),
	format('JPEG', 'image/jpeg', ['jpg', 'jpeg'], beginsWith('\u00ff\u00d8\u00ff')),
	format('GIF', 'image/gif', ['gif'], beginsWith('GIF8')),
	format('WebP', 'image/webp', ['webp'], begins(/^RIFF[^]{4}WEBP/)),
	format('TIFF', 'image/tiff', ['tiff', 'tif'], begins(/^(II\*\0|MM\0\*)/)),
	// Reserved bytes, which must be zero, are behind the size of the file.
	format('BMP', 'image/bmp', ['bmp'], begins(/^BM[^]{4}\0{4}/)),
	format('HTML', 'text/html', ['html', 'htm'], textBegins(htmlTag)),
	format('XML', 'application/xml', ['xml'], textBegins(/^<\?xml/i)),
	// Two characters may be a coincidence in samples.
	format('JSON', 'application/json', ['json'], (head) => startsAsJson(head) && isText(head, '')),
	format('AAC', 'audio/aac', ['aac'], (head) => isAdts(head) || beginsWith('ADIF')(head)),
	// Last, because frames are also looked for behind other bytes.
	format('MP3', 'audio/mpeg', ['mp3', 'mpga'], (head) => isMpegLayer(head, 3)),
	format('MP2', 'audio/mpeg', ['mp2', 'mpa'], (head) => isMpegLayer(head, 2)),
];
