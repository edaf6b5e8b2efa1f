/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import type { INodeParameters } from 'n8n-workflow';
import { parse } from 'yaml';

import { unknownParameters } from '../package/parameters';
import { packageJson, read, run, trackedFiles } from '../package/repository';
import { blocksOf, markdownFiles, testOf, type Block } from './markdown';

const blocks = markdownFiles.flatMap(blocksOf);
const of = (...languages: string[]) =>
	blocks
		.filter(({ language }) => languages.includes(language))
		.map((block): [string, Block] => [block.place, block]);

it('there are blocks in languages that are checked', () => {
	expect(of('json').length).toBeGreaterThan(10);
	expect(of('bash').length).toBeGreaterThanOrEqual(3);
	const checked = ['json', 'yaml', 'bash', 'http', 'text', 'mermaid', ''];
	expect(blocks.filter(({ language }) => !checked.includes(language))).toEqual([]);
});

it.each(of('', 'text'))('%s has no command: those belong into bash blocks', (_place, block) => {
	expect(block.text).not.toMatch(/^\s*\$?\s*(npm|npx|node|docker|curl|git|cd|mkdir|\.\/)\s/m);
});

it.each(of('yaml'))('%s is YAML', (_place, { text }) => {
	expect(parse(text)).toBeInstanceOf(Object);
});

it('generated tables are current: npm run docs writes them', () => {
	expect(run(process.execPath, ['dev/scripts/docs.mjs', '--check'])).toBe('');
});

it('programs named in sentences exist', () => {
	const named = markdownFiles.flatMap((file) =>
		[...read(file).matchAll(/`(?:[A-Z_]+=\S+ )*node ([\w./-]+\.[mc]?js)\b/g)].map(
			([, program]) => program!,
		),
	);
	expect(named.filter((program) => !trackedFiles.includes(program))).toEqual([]);
});

it.each(of('json'))('%s is JSON, with settings that the node has and shows', (_place, { text }) => {
	const value = JSON.parse(text) as INodeParameters;
	if (!('operation' in value)) return;
	expect(unknownParameters(value)).toEqual([]);
});

it.each(of('bash'))('%s has commands of package.json, or is run by a test', (_place, block) => {
	const test = testOf(block);
	if (test !== undefined) {
		expect(read(test)).toContain(`commandsRunBy('${test}')`);
		return;
	}
	for (const line of block.text.trim().split('\n')) {
		const [, script] = /^npm (?:run )?([\w:-]+)(?: -- .*?)?(?: +#.*)?$/.exec(line) ?? [];
		expect([line, Object.keys(packageJson.scripts)]).toEqual([
			line,
			expect.arrayContaining([script]),
		]);
	}
});
