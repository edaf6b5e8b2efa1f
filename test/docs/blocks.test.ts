import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
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

const { description } = new VoiceSpeech();

/** The names of settings, those in collections included. */
function namesIn(value: object, prefix = ''): string[] {
	return Object.entries(value).flatMap(([name, inner]) =>
		typeof inner === 'object' && inner !== null
			? [`${prefix}${name}`, ...namesIn(inner as object, `${prefix}${name}.`)]
			: [`${prefix}${name}`],
	);
}

function optionNames(parameters: INodeParameters): string[] {
	const node = { typeVersion: 1, parameters } as INode;
	return description.properties
		.filter(({ name }) => name === 'options')
		.filter((field) => NodeHelpers.displayParameter(parameters, field, node, description))
		.flatMap(({ options = [] }) => options.map(({ name }) => name));
}

describe.each(of('json'))('%s', (_place, { text }) => {
	it('is JSON, and its settings of the node are such that the node has and shows', () => {
		const value = JSON.parse(text) as INodeParameters & { nodes?: INode[] };
		const own = (value.nodes ?? []).filter(({ type }) => type.endsWith('.voiceSpeech'));
		const settings = [
			...('operation' in value && 'resource' in value ? [value] : []),
			...own.map(({ parameters }) => parameters),
		];
		for (const parameters of settings) {
			const whole = NodeHelpers.getNodeParameters(
				description.properties,
				parameters,
				true,
				false,
				{ typeVersion: 1, parameters } as INode,
				description,
			);
			expect(namesIn(whole ?? {})).toEqual(expect.arrayContaining(namesIn(parameters)));
			const options = Object.keys((parameters.options ?? {}) as object);
			expect(optionNames(parameters)).toEqual(expect.arrayContaining(options));
		}
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
