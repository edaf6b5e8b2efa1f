import { run } from '../support/repository';
import { listBlocks } from './markdown';

interface Module {
	source: string;
	dependencies: Array<{ resolved: string; circular: boolean }>;
}

const [list] = listBlocks('docs/development/architecture.md');
const layers = list!.text
	.trim()
	.split('\n')
	.map((line) => line.split(', '));

const isOwn = (file: string) => /^(nodes|credentials)\//.test(file);

/** The module that a source file belongs to, as the list of layers names it. */
function findModule(file: string): string {
	const [folder, , module] = file.split('/');
	return folder === 'credentials' ? folder : module!;
}

describe('the modules of docs/development/architecture.md', () => {
	const options = ['--no-config', '--output-type=json', '--ts-pre-compilation-deps'];
	const scope = ['--ts-config=tsconfig.json', '--do-not-follow=node_modules'];
	const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
	const output = run(process.execPath, [program, ...options, ...scope, 'nodes', 'credentials']);
	const { modules } = JSON.parse(output) as { modules: Module[] };
	const imports = modules
		.filter(({ source }) => isOwn(source))
		.flatMap(({ source, dependencies }) => dependencies.map((one) => ({ source, ...one })));
	const findLayer = (file: string) => layers.findIndex((layer) => layer.includes(findModule(file)));

	it('are all in the list of layers', () => {
		const names = modules.filter(({ source }) => isOwn(source)).map(({ source }) => source);
		expect([...new Set(names.map(findModule))].sort()).toEqual(layers.flat().sort());
	});

	it('import only modules of lower layers', () => {
		const between = imports.filter(
			({ source, resolved }) => isOwn(resolved) && findModule(source) !== findModule(resolved),
		);
		expect(between.length).toBeGreaterThan(15);
		const wrong = between.filter(
			({ source, resolved }) => findLayer(source) >= findLayer(resolved),
		);
		expect(wrong.map(({ source, resolved }) => [source, resolved])).toEqual([]);
	});

	it('have no files that import each other in a cycle', () => {
		expect(imports.filter(({ circular }) => circular)).toEqual([]);
	});
});
