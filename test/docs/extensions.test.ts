import { readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import {
	formats,
	getFormat,
	isAccepted,
	phoneExtensions,
} from '../../nodes/VoiceSpeech/audio/format';
import { readRepositoryFile } from '../support/repository';

/** The examples and the pages do not list these, because hardly any recording that the node can send has them. */
const rareExtensions = [
	'wave',
	'mpga',
	'm4b',
	'm4p',
	'3g2',
	'qt',
	'm4v',
	'spx',
	'ogv',
	'ogx',
	'weba',
	'mka',
	'm4r',
	'waptt',
];

/** The extensions of the recordings that the node sends as they are, or converts. */
const usualExtensions = formats
	.filter((format) => isAccepted(format) || format.container !== undefined)
	.flatMap(({ extensions }) => extensions)
	.concat(phoneExtensions)
	.filter((extension) => !rareExtensions.includes(extension));

const voiceMessages = getFormat('OGG Opus').extensions;

/** The documented formats, by their usual extensions. */
const documented = formats.filter(isAccepted).map(({ extensions }) => extensions[0]!);

/** The extensions that a file lists where the pattern has its group, in alphabetical order. */
function listExtensions(file: string, pattern: RegExp): string[] {
	const [, list = ''] = pattern.exec(readRepositoryFile(file)) ?? [];
	return list.match(/\w+/g)?.sort() ?? [];
}

const sort = (extensions: string[]) => [...new Set(extensions)].sort();

const examples = readdirSync(path.join(root, 'examples')).map((name) => `examples/${name}`);
const withForm = examples.filter((file) => readRepositoryFile(file).includes('"acceptFileTypes"'));

it('examples with a form for recordings are found', () => {
	expect(withForm).toContain('examples/form-upload-to-transcript.json');
});

it.each(withForm)('the form of %s accepts every recording that the node can send', (file) => {
	expect(listExtensions(file, /"acceptFileTypes": "(.*)"/)).toEqual(sort(usualExtensions));
});

it('the watched folders of docs/how-to.md pass on every recording that the node can send', () => {
	const listed = listExtensions('docs/how-to.md', /regex: `\/\\\.\((.*)\)\$\/i`/);
	expect(listed).toEqual(sort(usualExtensions));
});

it('the bucket passes on the documented formats and voice messages, but no videos', () => {
	const file = 'examples/bucket-upload-to-transcript.json';
	const listed = listExtensions(file, /"name": "endings",\s*"type": "string",\s*"value": "(.*)"/);
	expect(listed).toEqual(sort([...documented, ...voiceMessages]));
});

// Its recordings are from telephone systems, so it also lists formats that the node refuses with a message.
it('the mailbox passes on the documented formats and AAC, also if the mail declares another type', () => {
	const file = 'examples/voicemail-by-email.json';
	const listed = listExtensions(file, /\\\\\.\(([\w|]+)\)\$\/i\.test\(/);
	expect(listed).toEqual(expect.arrayContaining([...documented, 'aac', 'ogg', 'opus']));
});
