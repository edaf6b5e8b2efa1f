import { readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { formats, isAccepted, phoneExtensions } from '../../nodes/VoiceSpeech/audio/format.ts';
import { readRepositoryFile } from '../support/repository.mts';

/** The formats that the node sends as they are, or converts. */
const takenFormats = formats.filter(
	(format) => isAccepted(format) || format.container !== undefined,
);

/** The endings of the recordings that the node takes. All recipes list exactly these. */
const endings = takenFormats.flatMap(({ extensions }) => extensions).concat(phoneExtensions);

/**
 * A mailbox also passes on what telephone systems send and the node refuses: a person gets it with the reason, because
 * nobody else looks at a message that is marked as read.
 */
const furtherEndings: Record<string, string[]> = {
	'examples/voicemail-by-email.json': ['amr', 'gsm', 'wma'],
};

const recipes = readdirSync(path.join(root, 'examples'))
	.filter((name) => name.endsWith('.json'))
	.map((name) => `examples/${name}`)
	.concat('docs/how-to.md');

/** Each list of endings in a file, in alphabetical order. */
const findLists = (file: string) =>
	[...readRepositoryFile(file).matchAll(/\bwav(?:(?:\||, ?\.?)\w+)+/g)].map(([list]) =>
		list.match(/\w+/g)!.sort(),
	);

const withList = recipes.filter((file) => findLists(file).length > 0);

it('every form that takes files lists their endings, and other recipes do too', () => {
	const withForm = recipes.filter((file) => readRepositoryFile(file).includes('"acceptFileTypes"'));
	expect(withForm).not.toEqual([]);
	expect(withList).toEqual(expect.arrayContaining([...withForm, 'docs/how-to.md']));
});

it.each(withList)('%s takes every recording that the node takes', (file) => {
	const expected = [...new Set([...endings, ...(furtherEndings[file] ?? [])])].sort();
	for (const list of findLists(file)) expect(list).toEqual(expected);
});

it('no recipe asks for audio or for video only, because recordings have both types', () => {
	for (const { mimeType } of takenFormats) expect(mimeType).toMatch(/^(audio|video)\//);
	for (const file of withList) {
		expect(readRepositoryFile(file)).not.toMatch(/[`/]\^\W*(audio|video)(?!\|video\)\\*\/)[^/]*\//);
	}
});
