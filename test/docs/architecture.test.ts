import { run, trackedFiles } from '../support/repository';
import { listBlocks } from './markdown';

it('every module of the node is in the list of layers in docs/development/architecture.md', () => {
	const blocks = listBlocks('docs/development/architecture.md');
	const list = blocks.find(({ heading }) => heading === 'Layers');
	const sources = trackedFiles.filter((file) => /^(nodes|credentials)\/.*\.ts$/.test(file));
	const modules = sources.map((file) => {
		const [folder, , module] = file.split('/');
		return folder === 'credentials' ? folder : module!;
	});
	expect([...new Set(modules)].sort()).toEqual(list!.text.trim().split(/, |\n/).sort());
});

it('modules of the node and of dev/ import only lower layers, without cycles', () => {
	const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
	const folders = ['nodes', 'credentials', 'dev', '.ci'];
	const report = run(process.execPath, [program, '--config', 'dev/layers.cjs', ...folders]);
	expect(report).toContain('no dependency violations found');
});
