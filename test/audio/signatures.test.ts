import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { signatures } from '../../nodes/VoiceSpeech/audio/signatures';
import { audioFile } from '../support/audioFiles';
import { box, u32 } from '../support/mp4';

/** Text, and something behind it. */
const text = (start: string) => Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(40)]);

/** A frame of ADTS: 16 kHz, as long as its header says or as given. */
function adts(told = 20, length = told): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.set([0xff, 0xf1, 0x60, 0x40, told >> 3, (told & 7) << 5]);
	return bytes;
}

/** Two frames of which one byte is another. */
function changed(place: number, byte: number): Buffer {
	const bytes = Buffer.concat([adts(), adts()]);
	bytes[place] = byte;
	return bytes;
}

/** Two frames at 192 kbit/s and 44.1 kHz. */
function layer2(): Buffer {
	const bytes = Buffer.alloc(2 * 626);
	for (const place of [0, 626]) bytes.set([0xff, 0xfd, 0xa0, 0], place);
	return bytes;
}

const junk = (length: number) => Buffer.alloc(length, 1);

it('every format has its type and its extensions', () => {
	const names = signatures.map(({ name, kind, mimeType, extensions }) =>
		[name, kind, mimeType, ...extensions].join(' '),
	);
	expect(names).toMatchSnapshot();
});

describe('what looks like a format', () => {
	it.each<[string, Buffer, string | undefined]>([
		['two frames of AAC', changed(19, 1), 'AAC'],
		['AAC with another byte in front', changed(0, 0xfe), undefined],
		['AAC at the last rate there is', changed(2, 12 << 2), 'AAC'],
		['AAC at a rate that is none', changed(2, 13 << 2), undefined],
		['AAC and then something else', changed(20, 0), undefined],
		['AAC and then something else, five bytes', Buffer.concat([adts(), junk(5)]), 'AAC'],
		['AAC and then something else, six bytes', Buffer.concat([adts(), junk(6)]), undefined],
		['one frame of AAC', adts(), 'AAC'],
		['a frame of AAC with something in it', adts(8), 'AAC'],
		['a frame of AAC with nothing in it', adts(7), undefined],
		['the oldest AAC', text('ADIF'), 'AAC'],
		['MP4 by its own brand alone', box('ftyp', 'M4A ', u32(0)), 'M4A'],
		['MP4 by its last compatible brand', box('ftyp', 'none', u32(0), 'nonemp42'), 'M4A'],
		[
			'a brand behind the box',
			Buffer.concat([box('ftyp', 'none', u32(0)), text('mp42')]),
			undefined,
		],
		['a brand in another box', box('free', 'M4A ', u32(0), 'mp42'), undefined],
		['3GP by its own brand alone', box('ftyp', '3gp4', u32(0)), '3GP'],
		['a brand with 3g in it', box('ftyp', 'x3gp', u32(0)), undefined],
		['QuickTime by its own brand alone', box('ftyp', 'qt  ', u32(0)), 'QuickTime'],
		['QuickTime from before there were brands', box('moov', u32(0, 0)), 'QuickTime'],
		['a box that only sounds so', box('xmoo', 'v', u32(0)), undefined],
		['Opus without OGG', text(`${'.'.repeat(28)}OpusHead`), undefined],
		...['isom', 'iso2', 'iso9', 'F4A ', 'F4V ', 'dash', 'MSNV', 'mp41', 'M4V '].map(
			(brand): [string, Buffer, string] => [
				`MP4 of the brand ${brand}`,
				box('ftyp', brand, u32(0)),
				'M4A',
			],
		),
		...['iso1', 'isox', 'F4X ', 'M4X ', 'mp43'].map((brand): [string, Buffer, undefined] => [
			`the brand ${brand}, which is none of MP4`,
			box('ftyp', brand, u32(0)),
			undefined,
		]),
		['a brand with 3g in it, compatible with MP4', box('ftyp', 'a3gp', u32(0), 'mp42'), 'M4A'],
		...['{"a"', '{ "a"', '{}', '{\n}', '[]', '[ 1', '["a"', '[[', '[{', '[\n\n{'].map(
			(start): [string, Buffer, string] => [JSON.stringify(start), text(start), 'JSON'],
		),
		...['{a', '{x"', '[a', '[x[', 'x{"a"', 'x<html>', 'x<?xml', 'x\u00ef\u00bb\u00bf<html>'].map(
			(start): [string, Buffer, undefined] => [JSON.stringify(start), text(start), undefined],
		),
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
