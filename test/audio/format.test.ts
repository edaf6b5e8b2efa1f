import {
	findContainer,
	getFormat,
	formats,
	isAccepted,
	sniffFormat,
	sniffHead,
} from '../../nodes/VoiceSpeech/audio/format';
import { acceptedFormats } from '../../nodes/VoiceSpeech/endpoint';
import { createAdtsFrame } from '../support/media/adts';
import { readAudioFile, audioFiles, createAudioReader } from '../support/media/audioFiles';
import { createBox, u32 } from '../support/media/isobmff';
import { createWav } from '../support/media/recordings';
import { createApeTag, createId3Tag } from '../support/media/tags';

/** A start, and 60 spaces after it. */
const createText = (start: string) =>
	Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(60, ' ')]);

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

/** A frame of this length that starts with the header of AC-3 or E-AC-3, and the sync word of the next. */
function createAc3Frame(header: string, length: number): Buffer {
	const bytes = Buffer.alloc(length + 2, 1);
	bytes.write(`0b77${header}`, 'hex');
	bytes.write('0b77', length, 'hex');
	return bytes;
}

it('knows the type and the extensions of every format', () => {
	const names = formats.map(({ name, kind, mimeType, extensions }) =>
		[name, kind, mimeType, ...extensions].join(' '),
	);
	expect(names).toMatchSnapshot();
});

describe('sniffHead', () => {
	it.each<{ what: string; bytes: Buffer; expected: string }>([
		{ what: 'three frames of AAC', bytes: createChangedFrames(19, 1), expected: 'AAC' },
		{
			what: 'frames of AAC with one byte in them',
			bytes: Buffer.concat([createFrame(8), createFrame(8), createFrame(8)]),
			expected: 'AAC',
		},
		{ what: 'the oldest AAC', bytes: createText('ADIF'), expected: 'AAC' },
		{
			what: 'MP4 compatible with QuickTime',
			bytes: createBox('ftyp', 'M4A ', u32(0), 'qt  '),
			expected: 'M4A',
		},
		{ what: 'QuickTime', bytes: createBox('ftyp', 'qt  ', u32(0)), expected: 'QuickTime' },
		{
			what: 'QuickTime compatible with MP4',
			bytes: createBox('ftyp', 'qt  ', u32(0), 'mp42'),
			expected: 'QuickTime',
		},
		{ what: 'TIFF of another byte order', bytes: createText('MM\0*'), expected: 'TIFF' },
		{ what: 'RAR', bytes: createText('Rar!\u001a\u0007'), expected: 'RAR' },
		{ what: '7-Zip', bytes: createText("7z\u00bc\u00af'\u001c"), expected: '7-Zip' },
		{ what: 'gzip', bytes: createText('\u001f\u008b\u0008'), expected: 'gzip' },
		{ what: 'two frames of MPEG 1, Layer 2', bytes: createLayer2Frames(), expected: 'MP2' },
		{
			what: 'a frame at 48 kHz and 32 kbit/s',
			bytes: createAc3Frame('00000040', 128),
			expected: 'AC-3',
		},
		{
			what: 'a frame at 48 kHz and 640 kbit/s',
			bytes: createAc3Frame('00002540', 2560),
			expected: 'AC-3',
		},
		{
			what: 'a frame at 44.1 kHz and 32 kbit/s',
			bytes: createAc3Frame('00004040', 138),
			expected: 'AC-3',
		},
		{
			what: 'a frame at 44.1 kHz and 32 kbit/s with padding',
			bytes: createAc3Frame('00004140', 140),
			expected: 'AC-3',
		},
		{
			what: 'a frame at 32 kHz and 640 kbit/s',
			bytes: createAc3Frame('0000a540', 3840),
			expected: 'AC-3',
		},
		{
			what: 'a frame at a quarter of 48 kHz',
			bytes: createAc3Frame('00000050', 128),
			expected: 'AC-3',
		},
		{
			what: 'a single frame',
			bytes: createAc3Frame('00000040', 128).subarray(0, -2),
			expected: 'AC-3',
		},
		{
			what: 'a frame with the bsid 11',
			bytes: createAc3Frame('003f3058', 128),
			expected: 'E-AC-3',
		},
		{
			what: 'a frame with the bsid 16',
			bytes: createAc3Frame('003f3080', 128),
			expected: 'E-AC-3',
		},
		{
			what: 'a frame of a dependent substream',
			bytes: createAc3Frame('403f3080', 128),
			expected: 'E-AC-3',
		},
		{
			what: 'a frame at half of 48 kHz',
			bytes: createAc3Frame('003fc080', 128),
			expected: 'E-AC-3',
		},
		{
			what: 'the longest frame',
			bytes: createAc3Frame('07ff3080', 4096).subarray(0, 4096),
			expected: 'E-AC-3',
		},
		{ what: 'DTS', bytes: createText('\u007f\u00fe\u0080\u0001'), expected: 'DTS' },
		{ what: 'WavPack', bytes: createText('wvpk'), expected: 'WavPack' },
		{ what: 'TTA', bytes: createText('TTA1'), expected: 'TTA' },
	])('recognizes $what as $expected', ({ bytes, expected }) => {
		expect(sniffHead(bytes)?.name).toBe(expected);
	});

	it.each<{ what: string; bytes: Buffer }>([
		{ what: 'AAC without its first sync word', bytes: createChangedFrames(0, 0xfe) },
		{ what: 'AAC at a rate that does not exist', bytes: createChangedFrames(2, 13 << 2) },
		{ what: 'AAC whose second frame has another rate', bytes: createChangedFrames(22, 0x5c) },
		{ what: 'one frame of AAC and then something else', bytes: createChangedFrames(20, 0) },
		{ what: 'two frames of AAC and then something else', bytes: createChangedFrames(40, 0) },
		{ what: 'two frames of AAC', bytes: Buffer.concat([createFrame(), createFrame()]) },
		{
			what: 'frames of AAC with nothing in them',
			bytes: Buffer.concat([createFrame(7), createFrame(7), createFrame(7)]),
		},
		{ what: 'AC-3 without its sync word', bytes: createAc3Frame('00000040', 128).subarray(1) },
		{ what: 'AC-3 at a reserved rate', bytes: createAc3Frame('0000c040', 128) },
		{ what: 'AC-3 of a reserved length', bytes: createAc3Frame('00002640', 128) },
		{ what: 'AC-3 of a newer version', bytes: createAc3Frame('00000088', 128) },
		{ what: 'AC-3 whose second frame is elsewhere', bytes: createAc3Frame('00000040', 130) },
		{ what: 'AC-3 that is cut off', bytes: createAc3Frame('00000040', 128).subarray(0, 127) },
		{ what: 'the cut header of AC-3', bytes: createAc3Frame('00000040', 128).subarray(0, 5) },
		{ what: 'E-AC-3 of a reserved type', bytes: createAc3Frame('c03f3080', 128) },
		{ what: 'E-AC-3 at a reserved rate', bytes: createAc3Frame('003ff080', 128) },
		{ what: 'E-AC-3 whose second frame is elsewhere', bytes: createAc3Frame('003f3080', 130) },
		{ what: 'E-AC-3 shorter than its header', bytes: createAc3Frame('00003080', 130) },
		{ what: 'a brand in another box', bytes: createBox('none', 'M4A ', u32(0), 'mp42') },
		{ what: 'a box whose name is shifted', bytes: createBox('xmoo', 'v', u32(0)) },
		{ what: 'Opus without OGG', bytes: createText(`${'.'.repeat(28)}OpusHead`) },
		{ what: 'JSON with a control character', bytes: createText('{"a"\u0001') },
		{ what: 'a word like BMP', bytes: createText('BMW is a car') },
		{ what: 'IFF with no sound in it', bytes: createText('FORM....ILBM') },
		{ what: 'a type of AIFF without IFF', bytes: createText('LIST....AIFF') },
		{ what: 'a type of WAV without RIFF', bytes: createText('LIST....WAVE') },
	])('does not recognize $what', ({ bytes }) => {
		expect(sniffHead(bytes)).toBeUndefined();
	});

	it.each(['M4A ', '3gp4', 'x3gp', 'isom', 'iso1', 'F4V ', 'dash', 'MSNV', 'XYZ1', '\0\0\0\0'])(
		'recognizes M4A of the brand %j',
		(brand) => expect(sniffHead(createBox('ftyp', brand, u32(0)))?.name).toBe('M4A'),
	);

	it.each(['moov', 'mdat', 'moof'])('recognizes M4A that begins with %s', (name) => {
		expect(sniffHead(createBox(name, u32(1, 1)))?.name).toBe('M4A');
	});

	it.each(['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx '])(
		'recognizes an image of the brand %s',
		(brand) => expect(sniffHead(createBox('ftyp', brand, u32(0), 'mp42'))?.name).toBe('HEIF'),
	);

	it.each(['{"a"', '{ "a"', '{}', '{\n}', '[]', '[ 1', '["a"', '[[', '[{', '[\n\n{'])(
		'recognizes JSON that starts with %j',
		(start) => expect(sniffHead(createText(start))?.name).toBe('JSON'),
	);

	it.each(['{a', '{x"', '[a', '[x[', 'x{"a"', 'x<html>', 'x<?xml', 'x\u00ef\u00bb\u00bf<html>'])(
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
	const recognized = audioFiles.filter(({ format }) => format !== '');
	const unrecognized = audioFiles.filter(({ format }) => format === '');

	it.each(recognized)('is recognized as $format: $file ($note)', async (row) => {
		const { file, format, container } = row;
		const { reader } = await createAudioReader(readAudioFile(file), 3);
		const found = await sniffFormat(reader);
		expect(found?.name).toBe(format);
		expect(isAccepted(found!)).toBe(accepted.includes(format));
		expect(findContainer(found!)).toBe(container);
	});

	it.each(unrecognized)('is not recognized: $file ($note)', async ({ file }) => {
		const { reader } = await createAudioReader(readAudioFile(file), 3);
		expect(await sniffFormat(reader)).toBeUndefined();
	});

	it.each([
		{ file: 'pcm-16.wav', length: 5000 },
		{ file: 'words.txt', length: 5000 },
		{ file: 'large-cover.mp3', length: 30_000 },
		{ file: 'ape-in-front.mp3', length: 50_000 },
		{ file: 'tag-and-zeros.mp3', length: 20_000 },
	])('is recognized by at most $length bytes: $file', async ({ file, length }) => {
		const { reader, taken } = await createAudioReader(readAudioFile(file), 3);
		await sniffFormat(reader);
		expect(taken.bytes).toBeLessThanOrEqual(length);
	});
});

const mebibyte = 1024 * 1024;

async function sniff(...parts: Buffer[]): Promise<string | undefined> {
	const { reader, taken } = await createAudioReader(Buffer.concat(parts), 4096);
	const found = await sniffFormat(reader);
	expect(taken.bytes).toBeLessThanOrEqual(mebibyte + 2 * 4096);
	return found?.name;
}

describe.each(['pcm-16.wav', 'cbr.mp3', 'mono.flac', 'adts.aac'])('%s', (file) => {
	const bytes = readAudioFile(file);
	const { format } = audioFiles.find((row) => row.file === file) ?? {};

	it.each<{ what: string; tag: Buffer }>([
		{ what: '100 kB of APEv2', tag: createApeTag(100_000) },
		{ what: 'nearly 1 MiB of ID3v2', tag: createId3Tag(mebibyte - 32) },
		{ what: 'nearly 1 MiB of zeros', tag: Buffer.alloc(mebibyte - 32) },
	])('is recognized after $what', async ({ tag }) => {
		expect(await sniff(tag, bytes)).toBe(format);
	});

	it.each<{ what: string; tag: Buffer }>([
		{ what: '1 MiB of ID3v2', tag: createId3Tag(mebibyte) },
		{ what: '2 MB of APEv2', tag: createApeTag(2e6) },
		{ what: '1 MiB of zeros', tag: Buffer.alloc(mebibyte) },
	])('is not recognized after $what', async ({ tag }) => {
		expect(await sniff(tag, bytes)).toBeUndefined();
	});
});

it.each<{ what: string; bytes: Buffer }>([
	{ what: 'UTF-16', bytes: Buffer.from('\ufeffDas heißt: ja.\r\n', 'utf16le') },
	{ what: 'one word and a line break', bytes: Buffer.from('Yes\n') },
	{ what: '17 different characters', bytes: Buffer.alloc(4096, 'abcdefghijklmnopq') },
	{ what: 'one short word', bytes: Buffer.from('Hello') },
	{
		what: 'words whose last character is incomplete',
		bytes: Buffer.from('Das heißt: Grü').subarray(0, -1),
	},
	{ what: 'more than the head', bytes: Buffer.from('Ja, das heißt nein. '.repeat(1000)) },
])('recognizes $what as text', async ({ bytes }) => {
	expect(await sniff(bytes)).toBe('text');
});

it.each<{ what: string; bytes: Buffer }>([
	{ what: 'a tag with nothing after it', bytes: createId3Tag(30) },
	{ what: 'seven zeros and something else', bytes: Buffer.concat([Buffer.alloc(7), createWav()]) },
	{ what: 'silence of 20 bytes', bytes: Buffer.alloc(20, 0x55) },
	{ what: 'low levels of G.711', bytes: Buffer.alloc(4096, 'pqrstuvwxyz{|}~\u007f') },
	{
		what: 'low levels of G.711 like UTF-16',
		bytes: Buffer.alloc(20, 'fffefefffeff7ffe7dfc', 'hex'),
	},
	{ what: 'words and a control character', bytes: Buffer.from('Yes, that is right.\u0001') },
])('does not recognize $what', async ({ bytes }) => {
	expect(await sniff(bytes)).toBeUndefined();
});
