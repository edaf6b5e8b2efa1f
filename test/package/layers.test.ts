import { run } from '../support/repository';

it('folders of dev/ import only folders of lower layers, and nothing of the node', () => {
	const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
	const report = run(process.execPath, [program, '--config', 'dev/layers.cjs', 'dev', '.ci']);
	expect(report).toContain('no dependency violations found');
});
