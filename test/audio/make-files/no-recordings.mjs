/** Files that are not recordings. */
import { inScratch, inFolder, read, readScratch, run, written } from './tools.mjs';

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

const page = '<!DOCTYPE html>\n<html><title>Sign in</title><h1>Sign in</h1></html>\n';

/** @param {string} name */
function picture(name) {
	run(`ffmpeg -v error -y -f lavfi -i color=red:s=8x8 -frames:v 1 ${inScratch(name)}`);
	return readScratch(name);
}

export function makeNoRecordings() {
	// Under another extension where the build would copy the file into the package, or Prettier change it.
	/** @param {string} name @param {string} format @param {Buffer | string} bytes @param {string} [note] */
	const named = (name, format, bytes, note) =>
		written(name.replace('.', '-') + '.bin', format, Buffer.from(bytes), { name, note });
	named('page.html', 'HTML', `\n${page}`);
	named('page-bom.html', 'HTML', `\ufeff${page}`, 'with a byte order mark');
	named('answer.json', 'JSON', '{"detail": "not found"}\n');
	named('picture.png', 'PNG', picture('a.png'));
	named('picture.jpg', 'JPEG', picture('a.jpg'));
	named('picture.gif', 'GIF', picture('a.gif'));
	named('picture.webp', 'WebP', picture('a.webp'));
	named('picture.tiff', 'TIFF', picture('a.tiff'));
	named('picture.bmp', 'BMP', picture('a.bmp'));
	named('picture.avif', 'HEIF', picture('a.avif'), 'AVIF');
	const xml = '<?xml version="1.0"?><Error><Code>Denied</Code></Error>';
	written('sheet.xml', 'XML', Buffer.from(xml));
	written('paper.pdf', 'PDF', Buffer.from(pdf));
	written('words.txt', 'text', Buffer.from('Yes, that is right.\n'));
	named('table.csv', 'text', 'name;seconds\r\nGrüße;10\r\n');
	named('subtitles.srt', 'text', '1\n00:00:00,000 --> 00:00:01,000\nYes.\n');
	named('audio.base64', 'text', read('pcm-16.wav').toString('base64', 0, 3000), 'no white space');
	run(`zip -q -X -j ${inScratch('a.zip')} ${inFolder('answer-json.bin')}`);
	written('archive.zip', 'ZIP', readScratch('a.zip'));
	for (const { format, option, name } of [
		{ format: 'gzip', option: '-z', name: 'archive.tgz' },
		{ format: 'bzip2', option: '-j', name: 'archive.bz2' },
		{ format: 'xz', option: '-J', name: 'archive.xz' },
		{ format: 'tar', option: '-b20', name: 'archive.tar' },
	]) {
		const exactly = '--mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644';
		run(`tar ${option} ${exactly} -cf ${inScratch(name)} -C ${inFolder('')} answer-json.bin`);
		named(name, format, readScratch(name));
	}
	written('empty.wav', '', Buffer.alloc(0), { note: 'nothing' });
	written('one-byte.wav', '', Buffer.from('R'), { note: 'one byte' });
}
