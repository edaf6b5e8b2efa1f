import { headBytes } from '../limits';
import { acceptedFormats } from '../service/endpoint';
import {
	decodeText,
	hasMoreLevelsThanSilence,
	isDeclaredText,
	isEightBitText,
	isText,
	isUnmarkedUtf16,
	isUtf32,
} from '../text/decode';
import { findFirstAdtsFrame, findFirstMpegFrame } from './headers/frames';
import type { AudioReader } from './reader';
import {
	archives,
	books,
	createHexTest,
	createTextStartTest,
	createVideoStreamTest,
	databases,
	der,
	diskImages,
	encrypted,
	images,
	isAc3,
	isEac3,
	isIcon,
	isLoas,
	isMpegTs,
	isTar,
	isWindowsProgram,
	mxfKey,
	pkcs7,
	type Signature,
	type SignatureTest,
} from './signatures';
import { computeTagsEnd, findAudioStart } from './tags';

/** How a file is read. `isobmff` is MP4, QuickTime and 3GP. */
export type Container = 'ogg' | 'matroska' | 'isobmff' | 'adts' | 'wav' | 'mp3' | 'flac';

interface NamedFormat<Name extends string> {
	/** How messages call it. */
	name: Name;
	mimeType: string;
	/** Without a dot, the usual one first; none if any extension fits. */
	extensions: string[];
	kind: 'audio' | 'video' | 'other';
	/** How its files are read; undefined if the node only recognizes them. */
	container?: Container;
}

function defineFormat<Name extends string>(
	name: Name,
	mimeType: string,
	extensions: string[],
	signatures: Signature | Signature[],
	container?: Container,
): NamedFormat<Name> & { signatures: Signature[] } {
	const kind = (['audio', 'video'] as const).find((type) => mimeType.startsWith(type)) ?? 'other';
	return { name, mimeType, extensions, kind, signatures: [signatures].flat(), container };
}

/** Formats that messages call by one name. A file of them keeps its declared type and any extension. */
function defineGroup<Name extends string>(name: Name, signatures: Signature | Signature[]) {
	return defineFormat(name, '', [], signatures);
}

/** Creates a test for a frame of MPEG audio in this layer. */
function createMpegLayerTest(layer: number): SignatureTest {
	return (head) => findFirstMpegFrame(head)?.frame.layer === layer;
}

/** Whether there is a frame of ADTS, or the header of ADIF (ISO/IEC 14496-3, 1.A.2 and 1.A.3). */
function hasAacSignature(head: Buffer): boolean {
	return head.toString('latin1', 0, 4) === 'ADIF' || findFirstAdtsFrame(head) !== undefined;
}

const startsAsJson = createTextStartTest(/^(\{\s*["}]|\[\s*[[{"\]\d])/);
const htmlTag = /^<(!doctype|html|head|body|script|title|meta|!--)/i;

/** The first packet of Ogg follows 27 bytes of header and a segment table (RFC 3533, 6; RFC 7845, 5.1). */
const opus = /^OggS[^]{24,43}OpusHead/;

/** `ftyp` with the brand of an image, which is HEIF or AVIF (ISO/IEC 23008-12), or a raw image of Canon. */
const heif = /^[^]{4}ftyp(hei[cmsx]|hev[cmsx]|mif|msf|miaf|avi[fs]|crx )/;

/**
 * An ISO base media file of any other brand, or without `ftyp`, as the oldest ones (ISO/IEC 14496-12, 4.3), or a segment
 * of a stream (ISO/IEC 23009-1). The length of boxes whose names may occur in a text starts with a zero.
 */
const mp4 = /^([^]{4}(ftyp|moov|mdat|moof)|\0[^]{3}(styp|sidx|ssix|emsg|prft|pdin|meta|uuid|mfra))/;

/**
 * An EBML header with the DocType `matroska` (element 0x4282 with a length of 8; RFC 8794, 11.2.6). Any other EBML header
 * counts as WebM.
 */
const matroska = /^[^]E\u00df\u00a3[^]*B\u0082\u0088matroska/;

/** Frames of DTS in both byte orders, with 16 or 14 bits used of each word (ETSI TS 102 114), or the header of DTS-HD. */
const dts = /^(7ffe8001|fe7f0180|1fffe80007f.|ff1f00e8f.07|4454534844484452)/;

/** OpenType, whose tables are counted (ISO/IEC 14496-22, 4.5), or WOFF (W3C). */
const font = /^((00010000|4f54544f)00([1-3].|0[4-9a-f])0[0-2][048]0000[2-5]|774f46(46|32))/;

/**
 * More specific signatures before more general ones. Sources: Microsoft's RIFF specification (WAV, AVI, WebP), EBU
 * Tech 3306 (RF64), ITU-R BS.2088 (BW64), RFC 9639 (FLAC), 3533 (Ogg), 8794 (EBML: Matroska, WebM), 4867 (AMR), 1952
 * (gzip), POSIX (tar), the WHATWG MIME Sniffing Standard (images, archives, HTML), else the format's own specification.
 */
export const formats = [
	defineFormat('WAV', 'audio/wav', ['wav', 'wave'], /^(RIFF|RF64|BW64)[^]{4}WAVE/, 'wav'),
	defineFormat('FLAC', 'audio/flac', ['flac'], 'fLaC', 'flac'),
	defineFormat(
		'QuickTime',
		'video/quicktime',
		['mov', 'qt', 'm4v'],
		/^[^]{4}ftypqt {2}/,
		'isobmff',
	),
	defineFormat('HEIF', 'image/heif', ['heif', 'heic', 'avif'], heif),
	defineFormat('Audible', 'audio/vnd.audible', ['aax', 'aaxc', 'aa'], /^[^]{4}(ftypaax|W\x90u6)/),
	defineFormat('M4A', 'audio/mp4', ['m4a', 'mp4', '3gp', '3g2', 'm4b', 'm4p'], mp4, 'isobmff'),
	defineFormat('OGG Opus', 'audio/ogg', ['opus', 'ogg', 'oga'], opus, 'ogg'),
	defineFormat('OGG', 'audio/ogg', ['ogg', 'oga', 'spx', 'ogv', 'ogx'], 'OggS', 'ogg'),
	defineFormat('Matroska', 'audio/matroska', ['mka', 'mkv'], matroska, 'matroska'),
	defineFormat('WebM', 'audio/webm', ['webm', 'weba'], '\u001aE\u00df\u00a3', 'matroska'),
	defineFormat('AMR', 'audio/amr', ['amr', 'awb'], '#!AMR'),
	defineFormat('AIFF', 'audio/aiff', ['aiff', 'aif', 'aifc'], /^FORM[^]{4}AIF[FC]/),
	defineFormat('AU', 'audio/basic', ['au', 'snd'], /^(\.snd|dns\.)/),
	defineFormat('CAF', 'audio/x-caf', ['caf'], 'caff\0'),
	defineFormat('WMA', 'audio/x-ms-wma', ['wma', 'asf', 'wmv'], '0&\u00b2u'),
	defineFormat('AC-3', 'audio/ac3', ['ac3'], isAc3),
	defineFormat('E-AC-3', 'audio/eac3', ['eac3', 'ec3'], isEac3),
	defineFormat('DTS', 'audio/vnd.dts', ['dts'], createHexTest(dts)),
	defineFormat('WavPack', 'audio/x-wavpack', ['wv'], 'wvpk'),
	defineFormat('TTA', 'audio/x-tta', ['tta'], 'TTA1'),
	defineFormat('SILK', 'audio/silk', ['silk', 'slk'], ['#!SILK', '\u0002#!SILK']),
	// A version, and 'dss', 'ds2' or 'enc'.
	defineFormat(
		'DSS',
		'audio/x-dss',
		['dss', 'ds2'],
		createHexTest(/^0[1-9a-f](647373|647332|656e63)/),
	),
	defineFormat('DVF', 'audio/x-dvf', ['dvf', 'msv'], 'MS_VOICE'),
	defineFormat('MIDI', 'audio/midi', ['mid', 'midi', 'kar', 'rmi'], /^(MThd\0|RIFF[^]{4}RMID)/),
	// 'MAC ' or 'MACF', and a version such as 3990.
	defineFormat(
		"APE (Monkey's Audio)",
		'audio/x-ape',
		['ape', 'mac'],
		createHexTest(/^4d4143(20|46)..(0[b-f]|10)/),
	),
	defineFormat(
		'Musepack',
		'audio/x-musepack',
		['mpc', 'mp+', 'mpp'],
		['MPCK', 'MP+\u0007', 'MP+\u0017'],
	),
	defineFormat('DSF', 'audio/x-dsf', ['dsf'], /^DSD [^]\0{7}/),
	defineFormat('DFF', 'audio/x-dff', ['dff'], /^FRM8[^]{8}DSD /),
	defineFormat(
		'RealMedia',
		'audio/x-realaudio',
		['rm', 'ra', 'ram', 'rmvb'],
		/^\.(RMF|ra\xfd|R1M)/,
	),
	defineFormat('SPHERE', 'audio/x-nist', ['sph', 'nist'], 'NIST_1A'),
	defineFormat('VOC', 'audio/x-voc', ['voc'], 'Creative Voice File'),
	defineFormat(
		'W64 (Sony Wave64)',
		'audio/x-w64',
		['w64'],
		createHexTest(/^726966662e91cf11a5d628db04c10000/),
	),
	defineFormat('RIFX (big-endian WAV)', 'audio/wav', ['wav'], /^RIFX[^]{4}WAVE/),
	defineFormat('QCP', 'audio/qcelp', ['qcp'], /^(RIFF|RIFX)[^]{4}QLCM/),
	defineFormat(
		'IRCAM',
		'audio/x-ircam',
		['ircam', 'sf'],
		createHexTest(/^(64a30[1-4]00|000[1-4]a364)/),
	),
	defineFormat(
		'telephone codec',
		'audio/x-evrc',
		['evc', 'smv', 'lbc', 'evs'],
		/^#!(EVRC|SMV|iLBC|EVS)/,
	),
	defineFormat('TAK', 'audio/x-tak', ['tak'], 'tBaK'),
	defineFormat('OptimFROG', 'audio/x-ofr', ['ofr', 'ofs'], /^OFR [^]{3}\0/),
	defineFormat('Shorten', 'audio/x-shorten', ['shn'], createHexTest(/^616a6b670[1-3]/)),
	// An ID3v2 tag with another name, or the header that follows it.
	defineFormat('ATRAC', 'audio/x-oma', ['oma', 'aa3'], createHexTest(/^(656133|454133)0[1-4]00/)),
	defineFormat('TrueHD', 'audio/vnd.dolby.mlp', ['thd', 'mlp'], createHexTest(/^.{8}f8726fb[ab]/)),
	defineFormat('8SVX', 'audio/x-8svx', ['8svx', 'iff'], /^FORM[^]{4}8SVX/),
	defineFormat('SMAF', 'audio/mmf', ['mmf'], 'MMMD\0'),
	defineFormat('SoX', 'audio/x-sox', ['sox'], ['.SoX', 'XoS.']),
	defineFormat('PVF', 'audio/x-pvf', ['pvf'], ['PVF1\n', 'PVF2\n']),
	defineFormat('PAF', 'audio/x-paf', ['paf'], [' paf\0', 'fap \0']),
	defineFormat('AVR', 'audio/x-avr', ['avr'], /^2BIT[^]{8}(\0\0|\xff\xff)/),
	defineFormat('WVE', 'audio/x-wve', ['wve'], 'ALawSoundFile**'),
	defineFormat('Codec 2', 'audio/codec2', ['c2'], createHexTest(/^c0dec2/)),
	defineFormat(
		'a tracker module',
		'audio/x-mod',
		['xm', 's3m'],
		// XM and S3M, whose names end with a certain byte, and IT.
		[createHexTest(/^457874656e646564204d6f64756c653a20.{40}1a|^.{56}1a10.{28}5343524d/), 'IMPM'],
	),
	defineFormat('AVI', 'video/x-msvideo', ['avi'], /^RIFF[^]{4}A[VM][IV] /),
	defineFormat('NUT', 'video/x-nut', ['nut'], 'nut/multimedia container'),
	defineFormat(
		'Flash',
		'video/x-shockwave-flash',
		['swf'],
		createHexTest(/^(43|46|5a)5753[0-3].{7}0/),
	),
	defineFormat('WTV', 'video/x-wtv', ['wtv'], createHexTest(/^b7d800203749da11/)),
	defineFormat('GXF', 'video/x-gxf', ['gxf'], createHexTest(/^0000000001bc.{16}e1e2/)),
	defineFormat('DV', 'video/dv', ['dv', 'dif'], createHexTest(/^1f0700[3b]f/)),
	defineFormat('Dirac', 'video/x-dirac', ['drc'], 'BBCD\0'),
	defineFormat('AV1', 'video/av1', ['obu', 'av1'], createHexTest(/^12000a0[6-9a-f]/)),
	// A sequence and an entry point (SMPTE ST 421, annex E).
	defineFormat('VC-1', 'video/vc1', ['vc1'], createVideoStreamTest(/^0f[c-f]/, /\b0e/)),
	defineFormat('YUV4MPEG', 'video/x-yuv4mpeg', ['y4m'], 'YUV4MPEG2 '),
	defineFormat('FLV', 'video/x-flv', ['flv'], 'FLV\u0001'),
	defineFormat('MPEG-TS', 'video/mp2t', ['ts', 'mts', 'm2ts'], isMpegTs),
	defineFormat('MPEG-PS', 'video/mpeg', ['mpg', 'mpeg', 'vob'], '\0\0\u0001\u00ba'),
	defineFormat('MXF', 'video/mxf', ['mxf'], (head) => head.includes(mxfKey)),
	defineFormat('IVF', 'video/x-ivf', ['ivf'], /^DKIF\0\0 \0/),
	// The sets of parameters, after a delimiter or information (ITU-T H.264, 7.3.1, all bits but two of importance).
	defineFormat(
		'H.264',
		'video/h264',
		['h264', '264', 'avc'],
		createVideoStreamTest(/^[0246][679]/, /\b[0246]7/, /\b[0246]8/),
	),
	// The sets of parameters of the base layer, after a delimiter or information (ITU-T H.265, 7.3.1.2).
	defineFormat(
		'HEVC',
		'video/h265',
		['h265', '265', 'hevc'],
		createVideoStreamTest(/^(40|46|4e)0[1-7]/, /\b400[1-7]/, /\b420[1-7]/, /\b440[1-7]/),
	),
	// The header of a sequence, and what may follow it (ISO/IEC 11172-2 and 13818-2, 6.2).
	defineFormat(
		'MPEG video',
		'video/mpeg',
		['m1v', 'm2v', 'mpv'],
		createVideoStreamTest(/^b3/, /\b(00|b2|b5|b8)/),
	),
	// A sequence or an object, and then its layer (ISO/IEC 14496-2, 6.2).
	defineFormat(
		'MPEG-4 video',
		'video/mp4v-es',
		['m4e', 'cmp'],
		createVideoStreamTest(/^(b0.. (b[25]|[01])|b5|[01].{3} 2)/, /\b2/),
	),
	defineFormat('PDF', 'application/pdf', ['pdf'], createTextStartTest(/^%PDF-/)),
	// Office files such as .docx are ZIP archives too.
	defineFormat(
		'a document or archive (ZIP)',
		'application/zip',
		['zip'],
		createHexTest(/^504b(0304|0506|0708)/),
	),
	defineFormat('gzip', 'application/gzip', ['gz', 'tgz'], '\u001f\u008b\u0008'),
	defineFormat('bzip2', 'application/x-bzip2', ['bz2'], /^BZh[1-9]1AY/),
	defineFormat('xz', 'application/x-xz', ['xz'], '\u00fd7zXZ\0'),
	defineFormat('7-Zip', 'application/x-7z-compressed', ['7z'], "7z\u00bc\u00af'"),
	defineFormat('Zstandard', 'application/zstd', ['zst'], createHexTest(/^28b52ffd/)),
	defineFormat('LZ4', 'application/x-lz4', ['lz4'], createHexTest(/^04224d18/)),
	defineFormat('CAB', 'application/vnd.ms-cab-compressed', ['cab'], 'MSCF\0\0\0\0'),
	defineFormat('RAR', 'application/vnd.rar', ['rar'], 'Rar!\u001a\u0007'),
	defineFormat('tar', 'application/x-tar', ['tar'], isTar),
	defineGroup('an archive', archives),
	defineGroup('a disk image', diskImages),
	defineFormat('PNG', 'image/png', ['png'], '\u0089PNG'),
	defineFormat('JPEG', 'image/jpeg', ['jpg', 'jpeg'], '\u00ff\u00d8\u00ff'),
	defineFormat('GIF', 'image/gif', ['gif'], 'GIF8'),
	defineFormat('WebP', 'image/webp', ['webp'], /^RIFF[^]{4}WEBP/),
	defineFormat('TIFF', 'image/tiff', ['tiff', 'tif'], /^(II\*\0|MM\0\*)/),
	// Reserved bytes, which must be zero, follow the file size: 'BM' alone may start a text.
	defineFormat('BMP', 'image/bmp', ['bmp'], /^BM[^]{4}\0{4}/),
	defineFormat('JPEG 2000', 'image/jp2', ['jp2', 'jpx'], createHexTest(/^0000000c6a502020/)),
	defineFormat('ICO', 'image/vnd.microsoft.icon', ['ico'], isIcon),
	defineFormat('Photoshop', 'image/vnd.adobe.photoshop', ['psd', 'psb'], '8BPS\0'),
	defineGroup('an image', images),
	defineFormat(
		'PostScript',
		'application/postscript',
		['eps'],
		['%!PS', '\u00c5\u00d0\u00d3\u00c6'],
	),
	defineFormat('font', 'font/sfnt', ['ttf', 'otf', 'woff', 'woff2'], createHexTest(font)),
	defineFormat(
		'OLE2 (old Office file)',
		'application/x-ole-storage',
		['doc', 'xls', 'ppt', 'msg', 'msi', 'db'],
		createHexTest(/^d0cf11e0a1b11ae1/),
	),
	defineFormat('RTF', 'application/rtf', ['rtf'], '{\\rtf'),
	defineFormat(
		'Outlook (winmail.dat)',
		'application/vnd.ms-tnef',
		['tnef'],
		createHexTest(/^789f3e22/),
	),
	defineFormat(
		'PKCS #7',
		'application/pkcs7-mime',
		['p7s', 'p7m', 'p7c', 'p7b'],
		createHexTest(pkcs7),
	),
	defineFormat(
		'DER (certificate or key)',
		'application/x-x509-ca-cert',
		['der', 'cer', 'crt', 'p12', 'pfx'],
		createHexTest(der),
	),
	defineFormat(
		'AppleDouble (macOS metadata)',
		'application/applefile',
		['appledouble'],
		createHexTest(/^000516(00|07)000[12]0000/),
	),
	defineFormat(
		'.DS_Store (macOS metadata)',
		'application/x-ds-store',
		['ds_store'],
		'\0\0\0\u0001Bud1',
	),
	defineFormat(
		'LNK (Windows shortcut)',
		'application/x-ms-shortcut',
		['lnk'],
		createHexTest(/^4c0000000114020000000000c0/),
	),
	defineFormat('SQLite', 'application/vnd.sqlite3', ['sqlite', 'sqlite3'], 'SQLite format 3\0'),
	defineGroup('a database', databases),
	defineGroup('an e-book', books),
	defineGroup('a property list (macOS)', 'bplist0'),
	defineGroup('an alias (macOS)', 'book\0\0\0\0mark\0\0\0\0'),
	defineGroup('an encrypted file', encrypted),
	defineFormat('Windows program', 'application/x-msdownload', ['exe', 'dll'], isWindowsProgram),
	defineFormat('WebAssembly', 'application/wasm', ['wasm'], '\0asm'),
	defineFormat('ELF (Linux program)', 'application/x-elf', ['elf', 'so'], '\u007fELF'),
	defineFormat(
		'Mach-O (macOS program)',
		'application/x-mach-binary',
		['dylib'],
		createHexTest(/^(feedfac[ef]|c[ef]faedfe|cafebabe000000)/),
	),
	defineFormat('HTML', 'text/html', ['html', 'htm'], createTextStartTest(htmlTag)),
	defineFormat('XML', 'application/xml', ['xml'], createTextStartTest(/^<\?xml/i)),
	// Raw samples may begin with the same two characters as JSON by chance, so all of the head must be text.
	defineFormat(
		'JSON',
		'application/json',
		['json'],
		(head) => startsAsJson(head) && isText(head, ''),
	),
	defineFormat('LOAS', 'audio/aac', ['aac', 'loas', 'latm'], isLoas),
	defineFormat('AAC', 'audio/aac', ['aac'], hasAacSignature, 'adts'),
	// Last, because frames are also looked for after other bytes.
	defineFormat('MP3', 'audio/mpeg', ['mp3', 'mpga'], createMpegLayerTest(3), 'mp3'),
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

/** How a file of this format is read to convert it; undefined if it is sent as it is, or cannot be converted. */
export function findContainer(format: Format): Container | undefined {
	// Only reading an M4A file shows whether it has a video or Opus, which the service does not document.
	if (isAccepted(format) && format.name !== 'M4A') return undefined;
	return format.container;
}

/** @param head the first {@link headBytes} bytes, after tags */
function matchSignature(head: Buffer): Format | undefined {
	const start = head.toString('latin1', 0, 64);
	const matches = (signature: Signature) => {
		if (typeof signature === 'function') return signature(head);
		if (typeof signature === 'string') return start.startsWith(signature);
		return signature.test(start);
	};
	return formats.find(({ signatures }) => signatures.some(matches));
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

/** Whether the first bytes of a file or response are text, and not silence that is valid text. */
export function isPlainText(head: Uint8Array, contentType = ''): boolean {
	if (!isText(head, contentType)) return false;
	if (/[ \t\r\n]/.test(decodeText(head, contentType))) return true;
	// 0xff is in the byte order mark of UTF-16, in which samples make any number of characters.
	if (head.includes(0xff)) return false;
	return hasMoreLevelsThanSilence(head);
}

/** Whether the first bytes of a file are text: in Unicode, or in another encoding. */
function isTextFile({ head, declared }: AudioReader, trustsDeclared: boolean): boolean {
	const isDeclared = trustsDeclared && isDeclaredText(declared);
	if (isDeclared && isText(head, '')) return true;
	if (isPlainText(head) || isEightBitText(head, isDeclared)) return true;
	return isUtf32(head) || isUnmarkedUtf16(head, isDeclared);
}

/**
 * Recognizes a file by its first bytes, also after tags and padding.
 *
 * @param trustsDeclared whether a declared text may be text in any encoding; servers may declare raw audio as text
 * @returns undefined without a known signature, or if it is too far into the file
 */
export async function sniffFormat(
	reader: AudioReader,
	trustsDeclared = true,
): Promise<Format | undefined> {
	const offset = await findAudioStart(reader);
	if (offset === undefined) return undefined;
	const bytes = await reader.peek(offset + headBytes);
	const found = matchSignature(bytes.subarray(offset, offset + headBytes));
	return found ?? (isTextFile(reader, trustsDeclared) ? plainText : undefined);
}
