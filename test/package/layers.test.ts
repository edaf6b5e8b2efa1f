import { run } from '../support/repository';

it('folders of dev/ import only lower layers, and of the node only what prints its texts', () => {
	const program = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
	const report = run(process.execPath, [program, '--config', 'dev/layers.cjs', 'dev', '.ci']);
	expect(report).toContain('no dependency violations found');
});
