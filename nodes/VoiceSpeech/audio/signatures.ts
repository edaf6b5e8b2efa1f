import { headBytes } from '../limits';

/** A test of the first {@link headBytes} bytes of a file. */
export type SignatureTest = (head: Buffer) => boolean;

/** A text that files start with, or a pattern for their first 64 bytes, both in Latin-1, or a test. */
export type Signature = string | RegExp | SignatureTest;

/** Creates a test for the first 64 bytes, in hexadecimal digits. */
export function createHexTest(pattern: RegExp): SignatureTest {
	return (head) => pattern.test(head.toString('hex', 0, 64));
}

/**
 * Creates a test for the start of a text.
 *
 * @param pattern after a byte order mark and white space
 */
export function createTextStartTest(pattern: RegExp): SignatureTest {
	return (head) => {
		const start = head.toString('latin1', 0, 256);
		return pattern.test(start.replace(/^(\u00ef\u00bb\u00bf)?[ \t\r\n]*/, ''));
	};
}

/** Whether packets of MPEG-TS follow one another. Each of them starts with the same byte (ISO/IEC 13818-1, 2.4.3). */
export function isMpegTs(head: Buffer): boolean {
	const hasPackets = (start: number, distance: number) =>
		[0, 1, 2, 3, 4].every((packet) => head[start + packet * distance] === 0x47);
	// Cameras and Blu-ray discs store the time of arrival in front of each packet.
	return hasPackets(0, 188) || hasPackets(4, 192);
}

export function isTar(head: Buffer): boolean {
	return head.toString('latin1', 257, 262) === 'ustar';
}

/** The key of a header partition (SMPTE ST 377-1, 6.2), after up to 64 KiB of anything else (6.5). */
export const mxfKey = Buffer.from('060e2b34020501010d0102010102', 'hex');

/** A file for Windows. The offset of its second header is in the first one (Microsoft's PE format). */
export function isWindowsProgram(head: Buffer): boolean {
	if (head.toString('latin1', 0, 2) !== 'MZ' || head.length < 64) return false;
	const offset = head.readUInt32LE(60);
	return head.toString('latin1', offset, offset + 4) === 'PE\0\0';
}

/** An icon or a cursor for Windows. The first picture follows the list of all of them, whose entries have 16 bytes. */
export function isIcon(head: Buffer): boolean {
	if (!/^0000(01|02)00/.test(head.toString('hex', 0, 4)) || head.length < 22) return false;
	const count = head.readUInt16LE(4);
	return count > 0 && head.readUInt32LE(18) === 6 + 16 * count;
}

/** The start of a SEQUENCE of DER or BER (ITU-T X.690): its tag, and its length, which BER may leave open. */
const sequence = '30(?:[0-7].|80|81..|82.{4}|83.{6}|84.{8})';

/** The object identifiers of PKCS #7 (RFC 2315, 14), with which signed and encrypted mails begin. */
export const pkcs7 = new RegExp(`^${sequence}06092a864886f70d0107`);

/**
 * The first value within up to three nested SEQUENCEs: an object identifier, a version and the next value, a version in a
 * tag of its own, a long number, or a status. Keys (RFC 5208, 7292, 8017), certificates, their lists and requests (RFC
 * 2986, 5280), time stamps (RFC 3161) and OCSP (RFC 6960) begin with one of them.
 */
const derValues =
	'06(0[3-9ab])(2a|2b|55|60)|02010[0-4](02|04|30)|a00302010[0-2]|0282.{4}00|0a010[0-6]a0';

export const der = new RegExp(`^(?:${sequence}){1,3}(?:${derValues})`);

// Formats that are not audio, and that messages call by one name for each of these lists. Where words of a text could begin
// so, a signature includes a byte that no text has, because a text that is paid for must not become a file.

/** Compress, lzip, lzop, ARJ, LHA, ar (.deb), RPM, cpio, XAR (.pkg), StuffIt, ACE, and Windows images. */
export const archives: Signature[] = [
	'\u001f\u009d\u0090',
	'LZIP\u0001',
	'\u0089LZO\0',
	createHexTest(/^60ea..0[\da][12].{5}0[\dab]/),
	/^[^]{2}-lh[0-7d]-/,
	'!<arch>\n',
	'\u00ed\u00ab\u00ee\u00db',
	/^07070[12][\da-f]{58}/i,
	'xar!\0',
	/^SIT![^]{6}rLau/,
	'StuffIt (c)1',
	/^[^]{4}\0[^]{2}\*\*ACE\*\*/,
	'MSWIM\0',
];

/** QCOW, VMware, Virtual PC and its successor, and SquashFS. */
export const diskImages: Signature[] = ['QFI\u00fb', 'KDMV', 'conectix\0', 'vhdxfile', 'hsqs'];

/** JPEG XL, DirectDraw, OpenEXR, Windows metafiles, DjVu, Apple icons, GIMP, QOI, AutoCAD, and raw images of Fujifilm. */
export const images: Signature[] = [
	'\0\0\0\u000cJXL ',
	'DDS |\0\0\0',
	'v/1\u0001',
	'\u00d7\u00cd\u00c6\u009a',
	createHexTest(/^01000000.{72}20454d46/),
	'AT&TFORM',
	'icns\0',
	/^gimp xcf (file|v\d{3})\0/,
	'qoif\0',
	/^AC10\d\d\0/,
	'FUJIFILMCCD-RAW',
];

/** Access, Outlook, HDF5, Parquet, the registry of Windows, and its previews of pictures. */
export const databases: Signature[] = [
	'\0\u0001\0\0Standard ',
	'!BDN',
	'\u0089HDF\r\n',
	'PAR1\u0015',
	'regf',
	/^CMMM[^]\0/,
];

/** Mobipocket, whose type follows a name that ends with a zero, compiled HTML Help, and Microsoft Reader. */
export const books: Signature[] = [/^[^]{31}\0[^]{28}BOOK/, 'ITSF\u0003', 'ITOLITLS'];

/** KeePass, LUKS, OpenSSL, and OpenPGP for keys of RSA, ElGamal and elliptic curves (RFC 4880, 5.1; RFC 6637). */
export const encrypted: Signature[] = [
	'\u0003\u00d9\u00a2\u009a',
	'LUKS\u00ba\u00be',
	'Salted__',
	createHexTest(/^(850[1-4]..03.{16}(01|10)|845e03.{16}12)/),
];

/** Reads the length in bytes of the frame that these bytes start with; undefined if none starts here. */
type FrameLengthReader = (bytes: Buffer) => number | undefined;

/**
 * Whether frames follow one another: `minCount` of them, or one less if the file ends after it, or the head in it. The
 * longest frames are longer than the head.
 */
function startsWithFrames(head: Buffer, minCount: number, readLength: FrameLengthReader): boolean {
	let offset = 0;
	for (let count = 0; count < minCount; count++) {
		const bytes = head.subarray(offset);
		if (bytes.length === 0) {
			const isCutOff = offset > head.length && head.length < headBytes;
			return count === minCount - 1 && !isCutOff;
		}
		const length = readLength(bytes);
		if (length === undefined) return false;
		offset += length;
	}
	return true;
}

/**
 * A frame of LOAS, which digital radio and television store AAC in (ISO/IEC 14496-3, 1.7.2): a sync word of 11 bits, and
 * the length of what follows in 13.
 */
function readLoasLength(bytes: Buffer): number | undefined {
	if (bytes.length < 3) return undefined;
	const header = bytes.readUIntBE(0, 3);
	const length = header & 0x1fff;
	return header >> 13 === 0x2b7 && length > 0 ? 3 + length : undefined;
}

export function isLoas(head: Buffer): boolean {
	return startsWithFrames(head, 3, readLoasLength);
}

// Names and section numbers of AC-3 are those of ATSC A/52.

/** How much of a frame is read, in bytes. */
const ac3HeaderBytes = 6;

/** In kbit/s, by the upper bits of frmsizecod (table 5.18). */
const ac3BitRates = [
	32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
];

/** In Hz, by fscod (table 5.6). */
const ac3SamplingRates = [48_000, 44_100, 32_000];

/** The highest bsid of AC-3, and of E-AC-3 (annex E, 2.3.1). Those above 8 halve the rate of AC-3, but not the length. */
const maxAc3Version = 10;
const maxEac3Version = 16;

const readAc3Version = (bytes: Buffer) => bytes[5]! >> 3;

/** A frame of AC-3 or E-AC-3 (5.4.1, annex E, 2.3.1). A sync word alone may be a coincidence. */
function readAc3Length(bytes: Buffer): number | undefined {
	if (bytes.length < ac3HeaderBytes || bytes.readUInt16BE(0) !== 0x0b77) return undefined;
	const version = readAc3Version(bytes);
	if (version > maxEac3Version) return undefined;
	if (version > maxAc3Version) {
		const first = bytes.readUInt16BE(2);
		const hasReservedType = first >> 14 === 3;
		// With fscod 3, fscod2 is the rate, which cannot be 3 too.
		const hasReservedRate = bytes[4]! >> 4 === 15;
		const length = 2 * ((first & 0x7ff) + 1);
		return hasReservedType || hasReservedRate || length < ac3HeaderBytes ? undefined : length;
	}
	const samplingRate = ac3SamplingRates[bytes[4]! >> 6];
	const sizeCode = bytes[4]! & 63;
	const bitRate = ac3BitRates[sizeCode >> 1];
	if (samplingRate === undefined || bitRate === undefined) return undefined;
	// Each frame has 1,536 samples of each channel, and its length is counted in words of 16 bits.
	const words = Math.floor((bitRate * 1000 * 1536) / samplingRate / 16);
	const padding = samplingRate === 44_100 ? sizeCode & 1 : 0;
	return 2 * (words + padding);
}

export function isAc3(head: Buffer): boolean {
	return startsWithFrames(head, 2, readAc3Length) && readAc3Version(head) <= maxAc3Version;
}

export function isEac3(head: Buffer): boolean {
	return startsWithFrames(head, 2, readAc3Length) && readAc3Version(head) > maxAc3Version;
}

const startCode = Buffer.from('000001', 'hex');

/**
 * The two bytes after each start code of a video without a container, in hexadecimal digits and with a space after each;
 * empty if it does not start with a start code. A zero may precede that (ITU-T H.264, annex B).
 */
function listUnits(head: Buffer): string {
	let units = '';
	let offset = head.indexOf(startCode);
	if (offset !== 0 && (offset !== 1 || head[0] !== 0)) return units;
	while (offset !== -1 && offset + startCode.length + 2 <= head.length) {
		const start = offset + startCode.length;
		units += `${head.toString('hex', start, start + 2)} `;
		offset = head.indexOf(startCode, start);
	}
	return units;
}

/**
 * Creates a test for a video without a container. All of these units must be there, and the first of the file must be one
 * that files start with, because raw samples may contain start codes.
 *
 * @param first the first unit of the file
 * @param others units anywhere in the file
 */
export function createVideoStreamTest(first: RegExp, ...others: RegExp[]): SignatureTest {
	return (head) => {
		const units = listUnits(head);
		return first.test(units) && others.every((unit) => unit.test(units));
	};
}
