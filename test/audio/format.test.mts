import {
	findContainer,
	getFormat,
	formats,
	isAccepted,
	sniffFormat,
	sniffHead,
} from '../../nodes/VoiceSpeech/audio/format.ts';
import { acceptedFormats } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { createAdtsFrame } from '../support/media/adts.mts';
import { readAudioFile, audioFiles, createAudioReader } from '../support/media/audioFiles.mts';
import { createBox, u32 } from '../support/media/isobmff.mts';
import { createApeTag, createId3Tag, createWav } from '../support/media/recordings.mts';

/** A start, and 60 spaces after it. */
const createText = (start: string) =>
	Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(60, ' ')]);

const fromHex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** Each unit with its start code, and eight more bytes. */
const createUnits = (startCode: string, ...units: string[]) =>
	fromHex(units.map((unit) => `${startCode}${unit}55aa55aa55aa55aa`).join(''));

/** Frames of LOAS of this length. */
function createLoas(count: number, length = 20): Buffer {
	const frame = Buffer.alloc(3 + length, 0x55);
	frame.writeUIntBE((0x2b7 << 13) | length, 0, 3);
	return Buffer.concat(new Array<Buffer>(count).fill(frame));
}

/** A frame of ADTS of this length. */
function createFrame(length = 20): Buffer {
	const headerBytes = 7;
	return createAdtsFrame(Buffer.alloc(length - headerBytes));
}

/** Three frames, with one byte changed. */
function createChangedFrames(offset: number, byte: number): Buffer {
	const bytes = Buffer.concat([createFrame(), createFrame(), createFrame()]);
	bytes[offset] = byte;
	return bytes;
}

/** Two frames at 192 kbit/s and 44.1 kHz. */
function createLayer2Frames(): Buffer {
	const bytes = Buffer.alloc(2 * 626);
	for (const place of [0, 626]) bytes.set([0xff, 0xfd, 0xa0, 0], place);
	return bytes;
}

/** A frame of this length that starts with the header of AC-3 or E-AC-3, and the header of the next. */
function createAc3Frame(header: string, length: number): Buffer {
	const next = Buffer.from(`0b77${header}`, 'hex');
	return Buffer.concat([next, Buffer.alloc(length - next.length, 1), next]);
}

/** Recognizes bytes that are declared as this. */
async function sniffDeclared(bytes: Buffer, declared = { name: '', mimeType: '' }) {
	const { reader } = await createAudioReader(bytes);
	Object.assign(reader, { declared });
	return (await sniffFormat(reader))?.name;
}

const sniff = async (...parts: Buffer[]) => await sniffDeclared(Buffer.concat(parts));

it('knows the type and the extensions of every format', () => {
	const names = formats.map(({ name, kind, mimeType, extensions }) =>
		[name, kind, mimeType, ...extensions].join(' '),
	);
	expect(names).toMatchSnapshot();
});

describe('sniffHead', () => {
	const shortFrames = Buffer.alloc(24, createFrame(8));

	it.each<[what: string, expected: string, bytes: Buffer]>([
		['frames of AAC with one byte in them', 'AAC', shortFrames],
		['the oldest AAC', 'AAC', createText('ADIF')],
		['MP4 like QuickTime', 'M4A', createBox('ftyp', 'M4A ', u32(0), 'qt  ')],
		['QuickTime like MP4', 'QuickTime', createBox('ftyp', 'qt  ', u32(0), 'mp42')],
		['TIFF of another byte order', 'TIFF', createText('MM\0*')],
		['48 kHz and 640 kbit/s', 'AC-3', createAc3Frame('00002540', 2560)],
		['44.1 kHz and 32 kbit/s with padding', 'AC-3', createAc3Frame('00004140', 140)],
		['a quarter of 48 kHz', 'AC-3', createAc3Frame('00000050', 128)],
		['a single frame', 'AC-3', createAc3Frame('00000040', 128).subarray(0, 128)],
		['a frame with the bsid 16', 'E-AC-3', createAc3Frame('003f3080', 128)],
		['a frame of a dependent substream', 'E-AC-3', createAc3Frame('403f3080', 128)],
		['a frame at half of 48 kHz', 'E-AC-3', createAc3Frame('003fc080', 128)],
		['the longest frame', 'E-AC-3', createAc3Frame('07ff3080', 4096).subarray(0, 4096)],
	])('recognizes %s as %s', (_, expected, bytes) => {
		expect(sniffHead(bytes)?.name).toBe(expected);
	});

	const mxfKey = fromHex('060e2b34020501010d0102010102');

	it.each<[expected: string, ...starts: Array<string | Buffer>]>([
		['SILK', '#!SILK_V3', '\u0002#!SILK_V3'],
		['DSS', '\u0002dss', '\u0003dss', '\u0003ds2', '\u0003enc'],
		['DVF', 'MS_VOICE'],
		['MIDI', 'MThd\0\0\0\u0006', 'RIFF....RMID'],
		["APE (Monkey's Audio)", fromHex('4d414320 960f'), fromHex('4d414346 a410')],
		['Musepack', 'MP+\u0007', 'MP+\u0017', 'MPCKSH'],
		['DSF', 'DSD \u001c\0\0\0\0\0\0\0'],
		['DFF', 'FRM8\0\0\0\0\0\0\0\u0001DSD '],
		['RealMedia', '.RMF', '.ra\u00fd', '.R1M'],
		['SPHERE', 'NIST_1A\n   1024\n'],
		['VOC', 'Creative Voice File\u001a'],
		['W64 (Sony Wave64)', fromHex('72696666 2e91cf11 a5d628db 04c10000')],
		['RIFX (big-endian WAV)', 'RIFX....WAVE'],
		['QCP', 'RIFF....QLCM'],
		['IRCAM', fromHex('64a30100'), fromHex('0001a364')],
		['AU', '.snd', 'dns.'],
		['DTS', fromHex('fe7f0180'), fromHex('1fffe80007f1'), 'DTSHDHDR'],
		['telephone codec', '#!EVRC', '#!SMV', '#!iLBC30', '#!EVS_MC1.0'],
		['Audible', fromHex('00000010 57907536'), '\0\0\0\u0020ftypaax '],
		['LOAS', createLoas(3), createLoas(3, 2000)],
		['MXF', mxfKey, Buffer.concat([Buffer.from(`run-in ${'x'.repeat(3000)}`), mxfKey])],
		['IVF', 'DKIF\0\0\u0020\0VP80'],
		['H.264', createUnits('00000001', '67', '68', '65'), createUnits('000001', '09', '27', '28')],
		['HEVC', createUnits('00000001', '4001', '4201', '4401')],
		['MPEG video', createUnits('000001', 'b3', 'b8'), createUnits('000001', 'b3', 'b5')],
		['MPEG-4 video', createUnits('000001', 'b0', 'b5', '00', '20')],
		['MPEG-4 video', createUnits('000001', '00', '20')],
		['PDF', '\u00ef\u00bb\u00bf%PDF-1.7', '\r\n%PDF-1.4'],
		['JPEG 2000', fromHex('0000000c 6a502020 0d0a870a')],
		['ICO', fromHex('00000100 0200 10100000 01002000 68040000 26000000')],
		['Photoshop', fromHex('38425053 0001')],
		['PostScript', '%!PS-Adobe-3.0 EPSF-3.0', fromHex('c5d0d3c6')],
		['font', fromHex('00010000 000f 0080 0003 0070'), fromHex('4f54544f 000b 0080 0003')],
		['font', 'wOFF', 'wOF2'],
		['Zstandard', fromHex('28b52ffd')],
		['LZ4', fromHex('04224d18')],
		['CAB', 'MSCF\0\0\0\0'],
		['LNK (Windows shortcut)', fromHex('4c000000 01140200 00000000 c0000000')],
		['OLE2 (old Office file)', fromHex('d0cf11e0a1b11ae1')],
		['RTF', '{\\rtf1\\ansi Caf\u00e9}'],
		['Outlook (winmail.dat)', fromHex('789f3e22')],
		['PKCS #7', fromHex('30820a10 06092a864886f70d010702'), fromHex('3080 06092a864886f70d010703')],
		['PKCS #7', fromHex('308181 06092a864886f70d010701')],
		['DER (certificate or key)', fromHex('30820310 308201f8 a003020102 0214')],
		['DER (certificate or key)', fromHex('308204a4 020100 02820101 00')],
		['DER (certificate or key)', fromHex('308204be 020100 300d06092a864886f70d010101')],
		['DER (certificate or key)', fromHex('3059 3013 06072a8648ce3d0201')],
		['DER (certificate or key)', fromHex('3077 020101 0420'), fromHex('3082010a 02820101 00')],
		['DER (certificate or key)', fromHex('30820a00 020103 308209c6')],
		['DER (certificate or key)', fromHex('308201d5 0a0100 a08201ce')],
		['AppleDouble (macOS metadata)', fromHex('00051607 00020000'), fromHex('00051600 00020000')],
		['.DS_Store (macOS metadata)', '\0\0\0\u0001Bud1\0\0\u0010\0'],
		['ELF (Linux program)', '\u007fELF\u0002\u0001\u0001'],
		['Mach-O (macOS program)', fromHex('cffaedfe0c000001'), fromHex('cafebabe00000002')],
		['SQLite', 'SQLite format 3\0'],
		['a document or archive (ZIP)', 'PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'],
		['TAK', 'tBaK'],
		['OptimFROG', fromHex('4f465220 0f000000')],
		['Shorten', 'ajkg\u0002'],
		['ATRAC', 'ea3\u0003\0', 'EA3\u0002\0`'],
		['TrueHD', fromHex('a03effd8 f8726fba'), fromHex('8039ffd8 f8726fbb')],
		['8SVX', 'FORM....8SVXVHDR'],
		['SMAF', 'MMMD\0'],
		['SoX', '.SoX', 'XoS.'],
		['PVF', 'PVF1\n1 8000 16\n'],
		['PAF', ' paf\0', 'fap \0'],
		['AVR', '2BIT........\0\0'],
		['WVE', 'ALawSoundFile**\0'],
		['Codec 2', fromHex('c0dec2000804')],
		['a tracker module', `Extended Module: ${' '.repeat(20)}\u001a`, 'IMPM'],
		['a tracker module', `${'.'.repeat(28)}\u001a\u0010${'.'.repeat(14)}SCRM`],
		['AVI', 'RIFF....AMV LIST'],
		['NUT', 'nut/multimedia container'],
		['Flash', fromHex('46575306 00004006'), fromHex('43575309 10270000')],
		['WTV', fromHex('b7d80020 3749da11')],
		['GXF', fromHex('0000000001bc 0000006000000000 e1e2')],
		['DV', fromHex('1f07003f'), fromHex('1f0700bf')],
		['Dirac', 'BBCD\0'],
		['AV1', fromHex('12000a0b00000003')],
		['VC-1', createUnits('000001', '0fca', '0e48')],
		['YUV4MPEG', 'YUV4MPEG2 W176'],
		[
			'an archive',
			'\u001f\u009d\u0090',
			'LZIP\u0001',
			'\u0089LZO\0',
			'!<arch>\n',
			'xar!\0',
			'MSWIM\0',
		],
		['an archive', fromHex('60ea2b00 1e0b0102'), '..-lh5-', fromHex('edabeedb'), '....\0..**ACE**'],
		['an archive', `070701${'0'.repeat(58)}`, 'SIT!......rLau', 'StuffIt (c)1997'],
		['a disk image', 'QFI\u00fb', 'KDMV', 'conectix\0', 'vhdxfile', 'hsqs'],
		['an image', '\0\0\0\u000cJXL ', 'DDS |\0\0\0', fromHex('762f3101'), fromHex('d7cdc69a')],
		[
			'an image',
			`\u0001\0\0\0${'.'.repeat(36)} EMF`,
			'AT&TFORM',
			'icns\0',
			'gimp xcf v011\0',
			'qoif\0',
		],
		['an image', 'AC1032\0', 'FUJIFILMCCD-RAW'],
		['a database', '\0\u0001\0\0Standard Jet DB', '!BDN', '\u0089HDF\r\n', 'PAR1\u0015', 'regf'],
		['a database', 'CMMM \0'],
		['an e-book', `${'.'.repeat(31)}\0${'.'.repeat(28)}BOOKMOBI`, 'ITSF\u0003', 'ITOLITLS'],
		['a property list (macOS)', 'bplist00'],
		['an alias (macOS)', 'book\0\0\0\0mark\0\0\0\0'],
		['WebAssembly', '\0asm\u0001'],
		['an encrypted file', fromHex('03d9a29a'), fromHex('4c554b53babe'), 'Salted__'],
		[
			'an encrypted file',
			fromHex('85018c03 0f908c07ff5672b6 01'),
			fromHex('845e03 d7eec63edd9b1abc 12'),
		],
	])('recognizes %s by its signature', (expected, ...starts) => {
		for (const start of starts) {
			const bytes = typeof start === 'string' ? Buffer.from(start, 'latin1') : start;
			expect(sniffHead(Buffer.concat([bytes, Buffer.alloc(60, 0x55)]))?.name).toBe(expected);
		}
	});

	it.each<{ what: string; bytes: Buffer }>([
		{ what: 'words like APE', bytes: createText('MAC address') },
		{ what: 'words like Musepack', bytes: createText('MP+ is') },
		{ what: 'a start code in samples', bytes: createUnits('000001', '67', '65') },
		{ what: 'an object of MPEG-4 in samples', bytes: createUnits('000001', '53', '00', '20') },
		{ what: 'a layer of MPEG-4 without its object', bytes: createUnits('000001', '20', '00') },
		{ what: 'a start code after samples', bytes: createUnits('ff000001', '67', '68') },
		{ what: 'two frames of LOAS', bytes: Buffer.concat([createLoas(2), Buffer.alloc(60)]) },
		{ what: 'a zero and a SEQUENCE that holds a text', bytes: fromHex('30820310 0c05') },
		{ what: 'AAC at a rate that does not exist', bytes: createChangedFrames(2, 13 << 2) },
		{ what: 'AAC whose second frame has another rate', bytes: createChangedFrames(22, 0x5c) },
		{ what: 'two frames of AAC and then something else', bytes: createChangedFrames(40, 0) },
		{ what: 'frames of AAC with nothing', bytes: Buffer.alloc(21, createFrame(7)) },
		{ what: 'AC-3 at a reserved rate', bytes: createAc3Frame('0000c040', 128) },
		{ what: 'AC-3 of a reserved length', bytes: createAc3Frame('00002640', 128) },
		{ what: 'AC-3 of a newer version', bytes: createAc3Frame('00000088', 128) },
		{ what: 'AC-3 whose second frame is elsewhere', bytes: createAc3Frame('00000040', 130) },
		{ what: 'AC-3 that is cut off', bytes: createAc3Frame('00000040', 128).subarray(0, 127) },
		{ what: 'the cut header of AC-3', bytes: createAc3Frame('00000040', 128).subarray(0, 5) },
		{ what: 'E-AC-3 of a reserved type', bytes: createAc3Frame('c03f3080', 128) },
		{ what: 'E-AC-3 at a reserved rate', bytes: createAc3Frame('003ff080', 128) },
		{ what: 'E-AC-3 shorter than its header', bytes: createAc3Frame('00003080', 130) },
		{ what: 'a box whose name is shifted', bytes: createBox('xmoo', 'v', u32(0)) },
		{ what: 'Opus without OGG', bytes: createText(`${'.'.repeat(28)}OpusHead`) },
		{ what: 'JSON with a control character', bytes: createText('{"a"\u0001') },
		{ what: 'samples like an icon', bytes: fromHex('00000100 0200 10100000 01002000 68040000 16') },
		{ what: 'samples like a font', bytes: fromHex('00010000 0001 0002 0003 0004 0005') },
		{ what: 'a word like BMP', bytes: createText('BMW is a car') },
		{ what: 'IFF with no sound in it', bytes: createText('FORM....ILBM') },
		{ what: 'a table that starts like an archive', bytes: createText('070701,2026') },
		{ what: 'words like Flash', bytes: createText('FWS is short') },
		{
			what: 'a text in which BOOK stands where an e-book has it',
			bytes: createText(`${'x '.repeat(30)}BOOK`),
		},
		{
			what: 'a text in which SCRM stands where a module has it',
			bytes: createText(`${'x '.repeat(22)}SCRM`),
		},
		{ what: 'a text with ACE in bold', bytes: createText('Player **ACE** wins') },
		{ what: 'words like StuffIt', bytes: createText('SIT! Good dog.') },
		{ what: 'words like a module', bytes: createText('Extended Module: two') },
		{ what: 'words like AVR', bytes: createText('2BIT samples') },
		{ what: 'words like a disk image', bytes: createText('conectix was a company') },
		{ what: 'words like GIMP', bytes: createText('gimp xcf files are pictures') },
		{ what: 'words like OptimFROG', bytes: createText('OFR stands for') },
	])('does not recognize $what', ({ bytes }) => {
		expect(sniffHead(bytes)).toBeUndefined();
	});

	it.each(['3gp4', 'XYZ1', '\0\0\0\0'])('recognizes M4A of the brand %j', (brand) =>
		expect(sniffHead(createBox('ftyp', brand, u32(0)))?.name).toBe('M4A'),
	);

	it.each([
		...['moov', 'mdat', 'moof', 'styp', 'sidx', 'ssix', 'emsg', 'prft'],
		...['pdin', 'meta', 'uuid', 'mfra'],
	])('recognizes M4A that begins with %s', (name) => {
		// It has headers of MP2 too, as samples or hashes have by chance.
		const bytes = createBox(name, u32(1, 1), createLayer2Frames());
		expect(sniffHead(bytes)?.name).toBe('M4A');
	});

	it('does not take a text whose second word is that of a box for M4A', () => {
		expect(sniffHead(createText('Our meta')) ?? undefined).toBeUndefined();
	});

	it.each(['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx '])(
		'recognizes an image of the brand %s',
		(brand) => expect(sniffHead(createBox('ftyp', brand, u32(0), 'mp42'))?.name).toBe('HEIF'),
	);

	it.each(['{"a"', '{ "a"', '{}', '{\n}', '[]', '[ 1', '["a"', '[[', '[{', '[\n\n{'])(
		'recognizes JSON that starts with %j',
		(start) => expect(sniffHead(createText(start))?.name).toBe('JSON'),
	);

	it.each(['{a', '{x"', '[a', 'x{"a"', 'x<html>', 'x<?xml', 'x\u00ef\u00bb\u00bf<html>'])(
		'does not recognize %j as JSON, HTML or XML',
		(start) => expect(sniffHead(createText(start))).toBeUndefined(),
	);
});

it('converts no accepted format but M4A, and reads every M4A file', () => {
	const convertible = formats.filter((format) => findContainer(format) !== undefined);
	const names = convertible.map(({ name }) => name).sort();
	const expected = audioFiles.filter(({ container }) => container !== undefined);
	expect(names).toEqual([...new Set(expected.map(({ format }) => format))].sort());
	// A format that the service accepts one day is sent as it is, even if it could be converted.
	const wav = { ...getFormat('WAV'), container: 'ogg' as const };
	expect(findContainer(wav)).toBeUndefined();
});

const accepted: readonly string[] = acceptedFormats;

describe('a file made by a real tool', () => {
	it.each(audioFiles)('is recognized as "$format": $file ($note)', async (row) => {
		const { file, format, container } = row;
		const { reader } = await createAudioReader(readAudioFile(file), 3);
		const found = await sniffFormat(reader);
		expect(found?.name ?? '').toBe(format);
		if (found === undefined) return;
		expect(isAccepted(found)).toBe(accepted.includes(format));
		expect(findContainer(found)).toBe(container);
	});

	it.each([
		{ file: 'pcm-16.wav', length: 5000 },
		{ file: 'words.txt', length: 5000 },
		{ file: 'large-cover.mp3', length: 30_000 },
	])('is recognized by at most $length bytes: $file', async ({ file, length }) => {
		const { reader, taken } = await createAudioReader(readAudioFile(file), 3);
		await sniffFormat(reader);
		expect(taken.bytes).toBeLessThanOrEqual(length);
	});
});

const mebibyte = 1024 * 1024;

// test/audio/tags.test.mts tests all tags.
it('recognizes a recording after a tag or zeros of up to 1 MiB', async () => {
	for (const start of [createId3Tag(mebibyte - 32), Buffer.alloc(mebibyte - 32)]) {
		expect(await sniff(start, createWav())).toBe('WAV');
	}
	for (const start of [createId3Tag(mebibyte), createApeTag(2e6), Buffer.alloc(mebibyte)]) {
		expect(await sniff(start, createWav())).toBeUndefined();
	}
});

const greeting = 'Das heißt: ja.\r\nПривет, мир.\r\n這是一個文件。\r\n';

it.each<[what: string, bytes: Buffer]>([
	['UTF-16', Buffer.from('\ufeffDas heißt: ja.\r\n', 'utf16le')],
	['one word and a line break', Buffer.from('Yes\n')],
	['17 different characters', Buffer.alloc(4096, 'abcdefghijklmnopq')],
	['one short word', Buffer.from('Hello')],
	['words whose last character is incomplete', Buffer.from('Das heißt: Grü').subarray(0, -1)],
	['Windows-1252', Buffer.from('Datum;Käufer;Größe\r\n1.2.;Müller;5\r\n', 'latin1')],
	['more than the head', Buffer.from('Ja, das heißt nein. '.repeat(1000))],
])('recognizes %s as text', async (_, bytes) => {
	expect(await sniff(bytes)).toBe('text');
});

it.each<[what: string, bytes: Buffer]>([
	['a tag with nothing after it', createId3Tag(30)],
	['seven zeros and something else', Buffer.concat([Buffer.alloc(7), createWav()])],
	['silence of 20 bytes', Buffer.alloc(20, 0x55)],
	['low levels of G.711', Buffer.alloc(4096, 'pqrstuvwxyz{|}~\u007f')],
	['low levels of G.711 like UTF-16', Buffer.alloc(20, 'fffefefffeff7ffe7dfc', 'hex')],
	['words and a control character', Buffer.from('Yes, that is right.\u0001')],
])('does not recognize %s', async (_, bytes) => {
	expect(await sniff(bytes)).toBeUndefined();
});

const declaredText = { name: 'words.txt', mimeType: 'text/plain' };

/** Russian in Windows-1251 and KOI8-R, Greek in ISO-8859-7, Japanese in Shift_JIS, Chinese in GBK. */
const otherAlphabets = [
	'cff0e8e2e5f22c20fdf2ee20f2e5eaf1f220e220eaeee4e8f0eee2eae520312e0d0ac2f2eef0e0ff20f1f2f0eeeae02e0d0a',
	'f0d2c9d7c5d42c20dcd4cf20d4c5cbd3d420d720cbcfc4c9d2cfd7cbc520312e0d0a',
	'c1f5f4fc20e5dfede1e920dddde120eae5dfece5edef20f3e520ece9e120e3f1e1ececde2e0d0a',
	'82b182ea82cd83658358836781408254c582b7814220310d0a92e88e5282cc8375838d834e',
	'd5e2cac7d2bbb8f6cec4bcfe20b2e2cad40d0ab5dab6fed0d0a3acd3c3d3dab2e2cad4',
].map((digits) => Buffer.from(digits, 'hex'));

it('recognizes text in other alphabets if it is declared', async () => {
	for (const bytes of otherAlphabets) {
		expect(await sniffDeclared(bytes, declaredText)).toBe('text');
		expect(await sniffDeclared(bytes, { name: 'words.SRT', mimeType: '' })).toBe('text');
		expect(await sniffDeclared(bytes, { name: '', mimeType: 'text/csv' })).toBe('text');
		expect(await sniffDeclared(bytes, { name: 'call.raw', mimeType: '' })).toBeUndefined();
	}
});

/** A text in UTF-32 with its byte order mark. */
function encodeUtf32(text: string, isLittleEndian: boolean): Buffer {
	const codes = Array.from(`\ufeff${text}`, (character) => character.codePointAt(0)!);
	const bytes = Buffer.from(Uint32Array.from(codes).buffer);
	return isLittleEndian ? bytes : bytes.swap32();
}

const encodeUtf16 = (text: string) => Buffer.from(text, 'utf16le');

const recordingName = { name: 'call.mp3', mimeType: 'audio/mpeg' };
const symbols = 'a + b = ∑ √ © → ≤ ★ ☎\r\n';

it.each<[what: string, asText: string, asRecording: string, bytes: Buffer]>([
	['one letter again and again', 'text', '', Buffer.alloc(16, 'a')],
	['a word in UTF-16', 'text', '', encodeUtf16('\ufeffHi!')],
	['Chinese in UTF-16', 'text', 'text', encodeUtf16('\ufeff\u4f60\u597d\uff0c\u4eca\u5929')],
	['text in UTF-16 LE', 'text', 'text', encodeUtf16(greeting)],
	['text in UTF-16 BE', 'text', 'text', encodeUtf16(greeting).swap16()],
	['text in UTF-32 LE', 'text', 'text', encodeUtf32(greeting, true)],
	['text in UTF-32 BE', 'text', 'text', encodeUtf32(greeting, false)],
	['symbols in UTF-16', 'text', '', encodeUtf16(symbols)],
	['raw samples', '', '', readAudioFile('raw.pcm')],
])(
	'recognizes %s as "%s" if it is declared as text, and as "%s" if it is declared as MP3',
	async (_, asText, asRecording, bytes) => {
		expect((await sniffDeclared(bytes, declaredText)) ?? '').toBe(asText);
		expect((await sniffDeclared(bytes, recordingName)) ?? '').toBe(asRecording);
	},
);
