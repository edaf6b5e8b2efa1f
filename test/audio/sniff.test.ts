import { fileNameFor } from '../../nodes/VoiceSpeech/audio/fileName';
import { isAccepted } from '../../nodes/VoiceSpeech/audio/format';
import { sniffFormat } from '../../nodes/VoiceSpeech/audio/sniff';
import { audioFile, audioFiles, countedReader } from '../support/audioFiles';
import { wav } from '../support/recordings';
import { apeTag, id3Tag } from '../support/tags';

/** Unknown files are accepted, too: they may be audio. */
const accepted = ['WAV', 'MP3', 'M4A', 'FLAC', ''];

describe('the format of a file made by a real tool', () => {
	it('is tried with many files', () => {
		expect(audioFiles.length).toBeGreaterThan(130);
	});

	it.each(audioFiles)('$file is $format ($note)', async ({ file, format }) => {
		const { reader } = await countedReader(audioFile(file), 3);
		const found = await sniffFormat(reader);
		expect(found?.name ?? '').toBe(format);
		expect(isAccepted(found)).toBe(accepted.includes(format));
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
const files = ['pcm-16.wav', 'cbr.mp3', 'mono.flac', 'adts.aac'];

async function sniff(...parts: Buffer[]): Promise<string | undefined> {
	const { reader, taken } = await countedReader(Buffer.concat(parts), 4096);
	const found = await sniffFormat(reader);
	expect(taken.bytes).toBeLessThanOrEqual(mebibyte + 2 * 4096);
	return found?.name;
}

describe.each(files)('%s behind', (file) => {
	const bytes = audioFile(file);
	const { format } = audioFiles.find((row) => row.file === file) ?? {};

	it.each<[string, Buffer]>([
		['100 kB of ID3v2', id3Tag(100_000)],
		['100 kB of APEv2', apeTag(100_000)],
		['100 kB of zeros', Buffer.alloc(100_000)],
		['nearly 1 MiB of ID3v2', id3Tag(mebibyte - 32)],
		['nearly 1 MiB of zeros', Buffer.alloc(mebibyte - 32)],
	])('%s is recognised', async (_what, tag) => {
		expect(await sniff(tag, bytes)).toBe(format);
	});

	it.each<[string, Buffer]>([
		['1 MiB of ID3v2', id3Tag(mebibyte)],
		['3 MB of ID3v2', id3Tag(3e6)],
		['2 MB of APEv2', apeTag(2e6)],
		['1 MiB of zeros', Buffer.alloc(mebibyte)],
	])('%s is unknown', async (_what, tag) => {
		expect(await sniff(tag, bytes)).toBeUndefined();
	});
});

describe('unknown', () => {
	it.each<[string, Buffer]>([
		['nothing but a tag', id3Tag(30)],
		['nothing but zeros', Buffer.alloc(3e6)],
		['seven zeros, and something else', Buffer.concat([Buffer.alloc(7), wav()])],
		['silence of 20 bytes', Buffer.alloc(20, 0x55)],
		['low levels of G.711', Buffer.from(Array.from({ length: 4096 }, (_, at) => 0x70 + (at % 16)))],
		['low levels of G.711 like UTF-16', Buffer.from('fffefefffeff7ffe7dfc'.repeat(400), 'hex')],
		['text that ends in a control character', Buffer.from('Yes, that is right.\u0001')],
	])('%s', async (_what, bytes) => {
		expect(await sniff(bytes)).toBeUndefined();
	});
});

describe('text', () => {
	it.each([
		['TEXT/csv; charset=utf-8', 'text/csv', 'text/csv'],
		['text/a b', 'text/plain', 'text'],
		['audio/mpeg', 'text/plain', 'text'],
	])('declared as %j is sent as %s, under its own name', async (declared, mimeType, name) => {
		const { reader } = await countedReader(audioFile('table-csv.bin'));
		Object.assign(reader.declared, { mimeType: declared });
		const found = await sniffFormat(reader);
		expect(found).toMatchObject({ mimeType, name });
		expect(fileNameFor('table.csv', found, 'recording')).toBe('table.csv');
	});

	it.each<[string, Buffer]>([
		['UTF-16 with a byte order mark', Buffer.from('\ufeffDas heißt: ja.\r\n', 'utf16le')],
		['one word and a line break', Buffer.from('Yes\n')],
		['17 different characters', Buffer.from('abcdefghijklmnopq')],
		['of which the last is incomplete', Buffer.from('Das heißt: Grü').subarray(0, -1)],
		['longer than the head', Buffer.from('Ja, das heißt nein. '.repeat(1000))],
	])('%s', async (_what, bytes) => {
		expect(await sniff(bytes)).toBe('text');
	});
});
