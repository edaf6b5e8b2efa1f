import { acceptedFormats } from '../endpoint';
import { headBytes } from '../limits';
import { decodeText, isText } from '../text/decode';
import { findAc3Format } from './headers/ac3';
import { findFirstAdtsFrame } from './headers/adtsFrame';
import { findFirstMpegFrame } from './headers/mp3';
import type { AudioReader } from './reader';
import { computeTagsEnd, findAudioStart } from './tags';

/** What a conversion reads. `isobmff` is MP4, QuickTime and 3GP. */
export type Container = 'ogg' | 'matroska' | 'isobmff' | 'adts';

interface NamedFormat<Name extends string> {
	/** How messages call it. */
	name: Name;
	mimeType: string;
	/** Without a dot, the usual one first; none if any extension fits. */
	extensions: string[];
	kind: 'audio' | 'video' | 'other';
	/** How its files are read to convert them; undefined if they cannot be converted. */
	container?: Container;
}

/** A test of the first {@link headBytes} bytes. */
type SignatureTest = (head: Buffer) => boolean;

/**
 * How a format is recognized: by the text that its files start with, by a pattern for their first 64 bytes (both in
 * Latin-1), or by a test.
 */
type Signature = string | RegExp | SignatureTest;

function defineFormat<Name extends string>(
	name: Name,
	mimeType: string,
	extensions: string[],
	signature: Signature,
	container?: Container,
): NamedFormat<Name> & { signature: Signature } {
	const kind = (['audio', 'video'] as const).find((type) => mimeType.startsWith(type)) ?? 'other';
	return { name, mimeType, extensions, kind, signature, container };
}

/** Creates a test for a frame of MPEG audio in this layer. */
function createMpegLayerTest(layer: number): SignatureTest {
	return (head) => findFirstMpegFrame(head)?.frame.layer === layer;
}

/** Whether there is a frame of ADTS, or the header of ADIF (ISO/IEC 14496-3, 1.A.2 and 1.A.3). */
function hasAacSignature(head: Buffer): boolean {
	return head.toString('latin1', 0, 4) === 'ADIF' || findFirstAdtsFrame(head) !== undefined;
}

/**
 * Creates a test for the start of a text.
 *
 * @param pattern after a byte order mark and white space
 */
function createTextStartTest(pattern: RegExp): SignatureTest {
	return (head) => {
		const start = head.toString('latin1', 0, 256);
		return pattern.test(start.replace(/^(\u00ef\u00bb\u00bf)?[ \t\r\n]*/, ''));
	};
}

/** Whether packets of MPEG-TS follow one another. Each of them starts with the same byte (ISO/IEC 13818-1, 2.4.3). */
function isMpegTs(head: Buffer): boolean {
	const hasPackets = (start: number, distance: number) =>
		[0, 1, 2, 3, 4].every((packet) => head[start + packet * distance] === 0x47);
	// Cameras and Blu-ray discs store the time of arrival in front of each packet.
	return hasPackets(0, 188) || hasPackets(4, 192);
}

function isTar(head: Buffer): boolean {
	return head.toString('latin1', 257, 262) === 'ustar';
}

const startsAsJson = createTextStartTest(/^(\{\s*["}]|\[\s*[[{"\]\d])/);
const htmlTag = /^<(!doctype|html|head|body|script|title|meta|!--)/i;

/** The first packet of Ogg follows 27 bytes of header and a segment table (RFC 3533, 6; RFC 7845, 5.1). */
const opus = /^OggS[^]{24,43}OpusHead/;

/** `ftyp` with the brand of an image, which is HEIF or AVIF (ISO/IEC 23008-12), or a raw image of Canon. */
const heif = /^[^]{4}ftyp(hei[cmsx]|hev[cmsx]|mif|msf|miaf|avi[fs]|crx )/;

/** An ISO base media file of any other brand, or without `ftyp`, as the oldest ones (ISO/IEC 14496-12, 4.3). */
const mp4 = /^[^]{4}(ftyp|moov|mdat|moof)/;

/**
 * An EBML header with the DocType `matroska` (element 0x4282 with a length of 8; RFC 8794, 11.2.6). Any other EBML header
 * counts as WebM.
 */
const matroska = /^[^]E\u00df\u00a3[^]*B\u0082\u0088matroska/;

/**
 * More specific signatures before more general ones. Sources: Microsoft's RIFF specification (WAV, AVI, WebP), EBU
 * Tech 3306 (RF64), ITU-R BS.2088 (BW64), RFC 9639 (FLAC), 3533 (Ogg), 8794 (EBML: Matroska, WebM), 4867 (AMR), 1952
 * (gzip), POSIX (tar), the WHATWG MIME Sniffing Standard (images, archives, HTML), else the format's own specification.
 */
export const formats = [
	defineFormat('WAV', 'audio/wav', ['wav', 'wave'], /^(RIFF|RF64|BW64)[^]{4}WAVE/),
	defineFormat('FLAC', 'audio/flac', ['flac'], 'fLaC'),
	defineFormat(
		'QuickTime',
		'video/quicktime',
		['mov', 'qt', 'm4v'],
		/^[^]{4}ftypqt {2}/,
		'isobmff',
	),
	defineFormat('HEIF', 'image/heif', ['heif', 'heic', 'avif'], heif),
	defineFormat('M4A', 'audio/mp4', ['m4a', 'mp4', '3gp', '3g2', 'm4b', 'm4p'], mp4, 'isobmff'),
	defineFormat('OGG Opus', 'audio/ogg', ['opus', 'ogg', 'oga'], opus, 'ogg'),
	defineFormat('OGG', 'audio/ogg', ['ogg', 'oga', 'spx', 'ogv', 'ogx'], 'OggS', 'ogg'),
	defineFormat('Matroska', 'audio/matroska', ['mka', 'mkv'], matroska, 'matroska'),
	defineFormat('WebM', 'audio/webm', ['webm', 'weba'], '\u001aE\u00df\u00a3', 'matroska'),
	defineFormat('AMR', 'audio/amr', ['amr', 'awb'], '#!AMR'),
	defineFormat('AIFF', 'audio/aiff', ['aiff', 'aif', 'aifc'], /^FORM[^]{4}AIF[FC]/),
	defineFormat('AU', 'audio/basic', ['au', 'snd'], '.snd'),
	defineFormat('CAF', 'audio/x-caf', ['caf'], 'caff\0'),
	defineFormat('WMA', 'audio/x-ms-wma', ['wma', 'asf', 'wmv'], '0&\u00b2u'),
	defineFormat('AC-3', 'audio/ac3', ['ac3'], (head) => findAc3Format(head) === 'AC-3'),
	defineFormat('E-AC-3', 'audio/eac3', ['eac3', 'ec3'], (head) => findAc3Format(head) === 'E-AC-3'),
	defineFormat('DTS', 'audio/vnd.dts', ['dts'], '\u007f\u00fe\u0080\u0001'),
	defineFormat('WavPack', 'audio/x-wavpack', ['wv'], 'wvpk'),
	defineFormat('TTA', 'audio/x-tta', ['tta'], 'TTA1'),
	defineFormat('AVI', 'video/x-msvideo', ['avi'], /^RIFF[^]{4}AVI /),
	defineFormat('FLV', 'video/x-flv', ['flv'], 'FLV\u0001'),
	defineFormat('MPEG-TS', 'video/mp2t', ['ts', 'mts', 'm2ts'], isMpegTs),
	defineFormat('MPEG-PS', 'video/mpeg', ['mpg', 'mpeg', 'vob'], '\0\0\u0001\u00ba'),
	defineFormat('PDF', 'application/pdf', ['pdf'], '%PDF-'),
	defineFormat('ZIP', 'application/zip', ['zip'], 'PK\u0003\u0004'),
	defineFormat('gzip', 'application/gzip', ['gz', 'tgz'], '\u001f\u008b\u0008'),
	defineFormat('bzip2', 'application/x-bzip2', ['bz2'], /^BZh[1-9]1AY/),
	defineFormat('xz', 'application/x-xz', ['xz'], '\u00fd7zXZ\0'),
	defineFormat('7-Zip', 'application/x-7z-compressed', ['7z'], "7z\u00bc\u00af'"),
	defineFormat('RAR', 'application/vnd.rar', ['rar'], 'Rar!\u001a\u0007'),
	defineFormat('tar', 'application/x-tar', ['tar'], isTar),
	defineFormat('PNG', 'image/png', ['png'], '\u0089PNG'),
	defineFormat('JPEG', 'image/jpeg', ['jpg', 'jpeg'], '\u00ff\u00d8\u00ff'),
	defineFormat('GIF', 'image/gif', ['gif'], 'GIF8'),
	defineFormat('WebP', 'image/webp', ['webp'], /^RIFF[^]{4}WEBP/),
	defineFormat('TIFF', 'image/tiff', ['tiff', 'tif'], /^(II\*\0|MM\0\*)/),
	// Reserved bytes, which must be zero, follow the file size: 'BM' alone may start a text.
	defineFormat('BMP', 'image/bmp', ['bmp'], /^BM[^]{4}\0{4}/),
	defineFormat('HTML', 'text/html', ['html', 'htm'], createTextStartTest(htmlTag)),
	defineFormat('XML', 'application/xml', ['xml'], createTextStartTest(/^<\?xml/i)),
	// Raw samples may begin with the same two characters as JSON by chance, so all of the head must be text.
	defineFormat(
		'JSON',
		'application/json',
		['json'],
		(head) => startsAsJson(head) && isText(head, ''),
	),
	defineFormat('AAC', 'audio/aac', ['aac'], hasAacSignature, 'adts'),
	// Last, because frames are also looked for after other bytes.
	defineFormat('MP3', 'audio/mpeg', ['mp3', 'mpga'], createMpegLayerTest(3)),
	defineFormat('MP2', 'audio/mpeg', ['mp2', 'mpa'], createMpegLayerTest(2)),
];

type NameWithSignature = (typeof formats)[number]['name'];

export type FormatName = NameWithSignature | 'text';

export type Format = NamedFormat<FormatName>;

export function getFormat(name: NameWithSignature): Format {
	return formats.find((format) => format.name === name)!;
}

/**
 * The formats that the service documents, typed as FormatName, so that the compiler refuses a name that `formats` lacks.
 */
const acceptedNames: readonly FormatName[] = acceptedFormats;

/**
 * Extensions that phones give to M4A, QuickTime and OGG Opus. The node recognizes them, but replaces them in the file name
 * that it sends, because few other programs know them.
 */
export const phoneExtensions = ['3ga', '3gpp', 'm4r', 'qta', 'waptt'];

/** Every extension of a known format. */
export const knownExtensions = new Set([
	...formats.flatMap(({ extensions }) => extensions),
	...phoneExtensions,
]);

/** Whether the service documents that it accepts this format (`AudioFile` in docs/openapi.yaml). */
export function isAccepted({ name }: Format): boolean {
	return acceptedNames.includes(name);
}

/** How a file of this format is read to convert it; undefined if it is accepted as it is, or cannot be converted. */
export function findContainer(format: Format): Container | undefined {
	// Only reading an M4A file shows whether it has a video or Opus, which the service does not document.
	if (isAccepted(format) && format.name !== 'M4A') return undefined;
	return format.container;
}

/** @param head the first {@link headBytes} bytes, after tags */
function matchSignature(head: Buffer): Format | undefined {
	const start = head.toString('latin1', 0, 64);
	return formats.find(({ signature }) => {
		if (typeof signature === 'function') return signature(head);
		return typeof signature === 'string' ? start.startsWith(signature) : signature.test(start);
	});
}

/**
 * Recognizes a response by its first bytes, regardless of its name and declared type.
 *
 * @param head the first {@link headBytes} bytes; fewer if the body is shorter
 * @returns undefined without a known signature, e.g. for raw PCM
 */
export function sniffHead(head: Uint8Array): Format | undefined {
	const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
	const offset = computeTagsEnd(bytes);
	const isInsideTag = offset >= bytes.length && bytes.toString('latin1', 0, 3) === 'ID3';
	// Nearly all files with a long ID3v2 tag are MP3.
	if (isInsideTag) return getFormat('MP3');
	return matchSignature(bytes.subarray(offset));
}

/** Text of any kind (CSV, subtitles), which only its name distinguishes. */
const plainText: Format = { name: 'text', mimeType: 'text/plain', extensions: [], kind: 'other' };

/**
 * Maximum number of different bytes in silence of 8-bit audio. Such silence may be valid text: in G.711, it consists of 'P'
 * to 'W' and 'x' to DEL.
 */
const maxSilentLevels = 16;

/** Whether the first bytes of a file or response are text, and not silence that is valid text. */
export function isPlainText(head: Uint8Array, contentType = ''): boolean {
	if (!isText(head, contentType)) return false;
	if (/[ \t\r\n]/.test(decodeText(head, contentType))) return true;
	// 0xff is in the byte order mark of UTF-16, in which samples make any number of characters.
	if (head.includes(0xff)) return false;
	// A word may have as few different bytes as silence, but each of them only a few times.
	return new Set(head).size > Math.min(maxSilentLevels, Math.sqrt(head.length));
}

/**
 * Recognizes a file by its first bytes, also after tags and padding.
 *
 * @returns undefined without a known signature, or if it is too far into the file
 */
export async function sniffFormat(reader: AudioReader): Promise<Format | undefined> {
	const offset = await findAudioStart(reader);
	if (offset === undefined) return undefined;
	const bytes = await reader.peek(offset + headBytes);
	const found = matchSignature(bytes.subarray(offset, offset + headBytes));
	return found ?? (isPlainText(reader.head) ? plainText : undefined);
}
