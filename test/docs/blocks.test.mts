import type { INodeParameters } from 'n8n-workflow';
import { parse } from 'yaml';

import { listUnknownParameters } from '../support/shownParameters.mts';
import { packageJson, readRepositoryFile } from '../support/repository.mts';
import { listBlocks, markdownFiles } from '../support/markdown.mts';

const blocks = markdownFiles.flatMap(listBlocks);
const listBlocksOf = (...languages: string[]) =>
	blocks.filter(({ language }) => languages.includes(language));

it.each(listBlocksOf('yaml'))('$place is YAML', ({ text }) => {
	expect(parse(text)).toBeInstanceOf(Object);
});

it.each(listBlocksOf('json'))(
	'$place is JSON, with settings that the node has and shows',
	({ text }) => {
		const value = JSON.parse(text) as INodeParameters;
		if ('operation' in value) expect(listUnknownParameters(value)).toEqual([]);
	},
);

it('every npm command that the docs name is in package.json', () => {
	const named = markdownFiles.flatMap((file) =>
		[...readRepositoryFile(file).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!),
	);
	expect(named).toContain('test:full');
	expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(named));
});
