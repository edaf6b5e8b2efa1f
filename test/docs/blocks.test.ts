import type { INode, INodeParameters } from 'n8n-workflow';

import { unknownParameters } from '../package/parameters';
import { packageJson, read, trackedFiles } from '../package/repository';
import { commandsIn, commandsRunBy, testOf } from './commands';
import { blocksOf, markdownFiles, type Block } from './markdown';

const blocks = markdownFiles.flatMap(blocksOf);
const of = (...languages: string[]) =>
	blocks
		.filter(({ language }) => languages.includes(language))
		.map((block): [string, Block] => [block.place, block]);

it('there are blocks to look at, in languages that something checks', () => {
	expect(of('json').length).toBeGreaterThan(25);
	expect(of('bash').length).toBeGreaterThanOrEqual(3);
	expect(of('http').length).toBeGreaterThanOrEqual(9);
	const checked = ['json', 'bash', 'http', 'text', 'mermaid', ''];
	expect(blocks.filter(({ language }) => !checked.includes(language))).toEqual([]);
});

it.each(of('', 'text'))(
	'%s holds no command, which only bash would have checked',
	(_place, block) => {
		expect(block.text).not.toMatch(/^\s*\$?\s*(npm|npx|node|docker|curl|git|cd|mkdir|\.\/)\s/m);
	},
);

it('programs that a sentence names are there', () => {
	const named = markdownFiles.flatMap((file) =>
		[...read(file).matchAll(/`(?:[A-Z_]+=\S+ )*node ([\w./-]+\.[mc]?js)\b/g)].map(
			([, program]) => program!,
		),
	);
	expect(named).not.toHaveLength(0);
	expect(named.filter((program) => !trackedFiles.includes(program))).toEqual([]);
});

describe.each(of('json'))('%s', (_place, { text }) => {
	it('is JSON, and sets only parameters that the node has and shows', () => {
		const value = JSON.parse(text) as INodeParameters & { nodes?: INode[] };
		const own = (value.nodes ?? []).filter(({ type }) => type.endsWith('.voiceSpeech'));
		const settings = [
			...('operation' in value && 'resource' in value ? [value] : []),
			...own.map(({ parameters }) => parameters),
		];
		expect(settings.flatMap(unknownParameters)).toEqual([]);
	});
});

describe.each(of('bash'))('%s', (_place, block) => {
	it('has commands of package.json, or such that the test beside it runs', () => {
		const test = testOf(block);
		if (test !== undefined) {
			expect(trackedFiles).toContain(test);
			// The test takes them from the document itself.
			expect(read(test)).toContain(`commandsRunBy('${test}')`);
			expect(commandsRunBy(test)).toEqual(expect.arrayContaining(commandsIn(block)));
			return;
		}
		for (const command of commandsIn(block)) {
			const [, script] = /^npm (?:run )?([\w:-]+)(?: -- .*)?$/.exec(command) ?? [];
			expect([command, Object.keys(packageJson.scripts)]).toEqual([
				command,
				expect.arrayContaining([script]),
			]);
		}
	});
});
