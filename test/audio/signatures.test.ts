import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { signatures } from '../../nodes/VoiceSpeech/audio/signatures';
import { audioFile } from '../support/audioFiles';
import { box, u32 } from '../support/mp4';

/** A beginning, and something behind it. */
const text = (start: string) =>
	Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(60, ' ')]);

/** A frame of ADTS: 16 kHz, as long as its header says or as given. */
function adts(told = 20, length = told): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.set([0xff, 0xf1, 0x60, 0x40, told >> 3, (told & 7) << 5]);
	return bytes;
}

/** Three frames of which one byte is changed. */
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
	const names = signatures.map(({ name, kind, mimeType, extensions }) =>
		[name, kind, mimeType, ...extensions].join(' '),
	);
	expect(names).toMatchSnapshot();
});

describe('what looks like a format', () => {
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
		...['M4A ', '3gp4', 'x3gp', 'isom', 'iso1', 'F4V ', 'dash', 'MSNV', 'XYZ1', '\0\0\0\0'].map(
			(brand): [string, Buffer, string] => [
				`MP4 of the brand ${JSON.stringify(brand)}`,
				box('ftyp', brand, u32(0)),
				'M4A',
			],
		),
		...['moov', 'mdat', 'moof'].map((name): [string, Buffer, string] => [
			`MP4 that begins with ${name}`,
			box(name, u32(1, 1)),
			'M4A',
		]),
		['MP4 compatible with QuickTime', box('ftyp', 'M4A ', u32(0), 'qt  '), 'M4A'],
		['QuickTime', box('ftyp', 'qt  ', u32(0)), 'QuickTime'],
		['QuickTime compatible with MP4', box('ftyp', 'qt  ', u32(0), 'mp42'), 'QuickTime'],
		...['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx '].map(
			(brand): [string, Buffer, string] => [
				`an image of the brand ${brand}`,
				box('ftyp', brand, u32(0), 'mp42'),
				'HEIF',
			],
		),
		['a brand in another box', box('none', 'M4A ', u32(0), 'mp42'), undefined],
		['a box whose name is shifted', box('xmoo', 'v', u32(0)), undefined],
		['Opus without OGG', text(`${'.'.repeat(28)}OpusHead`), undefined],
		...['{"a"', '{ "a"', '{}', '{\n}', '[]', '[ 1', '["a"', '[[', '[{', '[\n\n{'].map(
			(start): [string, Buffer, string] => [JSON.stringify(start), text(start), 'JSON'],
		),
		...['{a', '{x"', '[a', '[x[', 'x{"a"', 'x<html>', 'x<?xml', 'x\u00ef\u00bb\u00bf<html>'].map(
			(start): [string, Buffer, undefined] => [JSON.stringify(start), text(start), undefined],
		),
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

	it('a real file of AAC goes on as it begins', () => {
		expect(formatOf(audioFile('adts.aac').subarray(0, 500))?.name).toBe('AAC');
	});
});
