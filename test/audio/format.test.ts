import { formatOf, formats, isAccepted, sniffFormat } from '../../nodes/VoiceSpeech/audio/format';
import { audioFile, audioFiles, countedReader } from '../support/audioFiles';
import { box, u32 } from '../support/mp4';
import { wav } from '../support/recordings';
import { apeTag, id3Tag } from '../support/tags';

/** A start, and 60 spaces behind it. */
const text = (start: string) =>
	Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(60, ' ')]);

/** A frame of ADTS: 16 kHz. */
function adts(length = 20): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.set([0xff, 0xf1, 0x60, 0x40, length >> 3, (length & 7) << 5]);
	return bytes;
}

/** Three frames, with one byte changed. */
function changed(offset: number, byte: number): Buffer {
	const bytes = Buffer.concat([adts(), adts(), adts()]);
	bytes[offset] = byte;
	return bytes;
}

/** Two frames at 192 kbit/s and 44.1 kHz. */
function layer2(): Buffer {
	const bytes = Buffer.alloc(2 * 626);
	for (const place of [0, 626]) bytes.set([0xff, 0xfd, 0xa0, 0], place);
	return bytes;
}

it('every format has its type and its extensions', () => {
	const names = formats.map(({ name, kind, mimeType, extensions }) =>
		[name, kind, mimeType, ...extensions].join(' '),
	);
	expect(names).toMatchSnapshot();
});

describe('the format by the first bytes', () => {
	it.each<[string, Buffer, string | undefined]>([
		['three frames of AAC', changed(19, 1), 'AAC'],
		['AAC with another byte in front', changed(0, 0xfe), undefined],
		['AAC at a rate that does not exist', changed(2, 13 << 2), undefined],
		['AAC whose second frame has another rate', changed(22, 0x5c), undefined],
		['AAC whose third frame has another version', changed(41, 0xf9), undefined],
		['AAC and then something else', changed(20, 0), undefined],
		['AAC, two frames and then something else', changed(40, 0), undefined],
		['two frames of AAC', Buffer.concat([adts(), adts()]), undefined],
		['frames of AAC with one byte in them', Buffer.concat([adts(8), adts(8), adts(8)]), 'AAC'],
		['frames of AAC with nothing in them', Buffer.concat([adts(7), adts(7), adts(7)]), undefined],
		['the oldest AAC', text('ADIF'), 'AAC'],
		['MP4 compatible with QuickTime', box('ftyp', 'M4A ', u32(0), 'qt  '), 'M4A'],
		['QuickTime', box('ftyp', 'qt  ', u32(0)), 'QuickTime'],
		['QuickTime compatible with MP4', box('ftyp', 'qt  ', u32(0), 'mp42'), 'QuickTime'],
		['a brand in another box', box('none', 'M4A ', u32(0), 'mp42'), undefined],
		['a box whose name is shifted', box('xmoo', 'v', u32(0)), undefined],
		['Opus without OGG', text(`${'.'.repeat(28)}OpusHead`), undefined],
		['JSON with a control character', text('{"a"\u0001'), undefined],
		['TIFF of another byte order', text('MM\0*'), 'TIFF'],
		['a word like BMP', text('BMW is a car'), undefined],
		['RAR', text('Rar!\u001a\u0007'), 'RAR'],
		['7-Zip', text("7z\u00bc\u00af'\u001c"), '7-Zip'],
		['gzip', text('\u001f\u008b\u0008'), 'gzip'],
		['two frames of MPEG 1, Layer 2', layer2(), 'MP2'],
		['IFF with no sound in it', text('FORM....ILBM'), undefined],
		['a type of AIFF without IFF', text('LIST....AIFF'), undefined],
		['a type of WAV without RIFF', text('LIST....WAVE'), undefined],
	])('%s', (_case, bytes, expected) => {
		expect(formatOf(bytes)?.name).toBe(expected);
	});

	it.each(['M4A ', '3gp4', 'x3gp', 'isom', 'iso1', 'F4V ', 'dash', 'MSNV', 'XYZ1', '\0\0\0\0'])(
		'M4A of the brand %j',
		(brand) => expect(formatOf(box('ftyp', brand, u32(0)))?.name).toBe('M4A'),
	);

	it.each(['moov', 'mdat', 'moof'])('M4A that begins with %s', (name) => {
		expect(formatOf(box(name, u32(1, 1)))?.name).toBe('M4A');
	});

	it.each(['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx '])(
		'an image of the brand %s',
		(brand) => expect(formatOf(box('ftyp', brand, u32(0), 'mp42'))?.name).toBe('HEIF'),
	);

	it.each(['{"a"', '{ "a"', '{}', '{\n}', '[]', '[ 1', '["a"', '[[', '[{', '[\n\n{'])(
		'JSON: %j',
		(start) => expect(formatOf(text(start))?.name).toBe('JSON'),
	);

	it.each(['{a', '{x"', '[a', '[x[', 'x{"a"', 'x<html>', 'x<?xml', 'x\u00ef\u00bb\u00bf<html>'])(
		'neither JSON, HTML nor XML: %j',
		(start) => expect(formatOf(text(start))).toBeUndefined(),
	);
});

const accepted = ['WAV', 'MP3', 'M4A', 'FLAC'];

describe('the format of a file made by a real tool', () => {
	it.each(audioFiles)('$file is $format ($note)', async ({ file, format }) => {
		const { reader } = await countedReader(audioFile(file), 3);
		const found = await sniffFormat(reader);
		expect(found?.name ?? '').toBe(format);
		if (found) expect(isAccepted(found)).toBe(accepted.includes(format));
	});

	it.each([
		['pcm-16.wav', 5000],
		['words.txt', 5000],
		['large-cover.mp3', 30_000],
		['ape-in-front.mp3', 50_000],
		['tag-and-zeros.mp3', 20_000],
	])('%s: reads at most %i bytes', async (file, length) => {
		const { reader, taken } = await countedReader(audioFile(file), 3);
		await sniffFormat(reader);
		expect(taken.bytes).toBeLessThanOrEqual(length);
	});
});

const mebibyte = 1024 * 1024;

async function sniff(...parts: Buffer[]): Promise<string | undefined> {
	const { reader, taken } = await countedReader(Buffer.concat(parts), 4096);
	const found = await sniffFormat(reader);
	expect(taken.bytes).toBeLessThanOrEqual(mebibyte + 2 * 4096);
	return found?.name;
}

describe.each(['pcm-16.wav', 'cbr.mp3', 'mono.flac', 'adts.aac'])('%s behind', (file) => {
	const bytes = audioFile(file);
	const { format } = audioFiles.find((row) => row.file === file) ?? {};

	it.each<[string, Buffer, string | undefined]>([
		['100 kB of APEv2', apeTag(100_000), format],
		['nearly 1 MiB of ID3v2', id3Tag(mebibyte - 32), format],
		['nearly 1 MiB of zeros', Buffer.alloc(mebibyte - 32), format],
		['1 MiB of ID3v2', id3Tag(mebibyte), undefined],
		['2 MB of APEv2', apeTag(2e6), undefined],
		['1 MiB of zeros', Buffer.alloc(mebibyte), undefined],
	])('%s', async (_what, tag, expected) => {
		expect(await sniff(tag, bytes)).toBe(expected);
	});
});

it.each<[string, Buffer, 'text' | undefined]>([
	['nothing but a tag', id3Tag(30), undefined],
	['seven zeros, and something else', Buffer.concat([Buffer.alloc(7), wav()]), undefined],
	['silence of 20 bytes', Buffer.alloc(20, 0x55), undefined],
	['low levels of G.711', Buffer.alloc(4096, 'pqrstuvwxyz{|}~\u007f'), undefined],
	['low levels of G.711 like UTF-16', Buffer.alloc(20, 'fffefefffeff7ffe7dfc', 'hex'), undefined],
	['text and a control character', Buffer.from('Yes, that is right.\u0001'), undefined],
	['UTF-16', Buffer.from('\ufeffDas heißt: ja.\r\n', 'utf16le'), 'text'],
	['one word and a line break', Buffer.from('Yes\n'), 'text'],
	['17 different characters', Buffer.alloc(4096, 'abcdefghijklmnopq'), 'text'],
	['one short word', Buffer.from('Hello'), 'text'],
	['an incomplete last character', Buffer.from('Das heißt: Grü').subarray(0, -1), 'text'],
	['longer than the head', Buffer.from('Ja, das heißt nein. '.repeat(1000)), 'text'],
])('without a signature: %s', async (_what, bytes, expected) => {
	expect(await sniff(bytes)).toBe(expected);
});
