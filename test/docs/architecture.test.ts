/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';

import { ROOT, run } from '../package/repository';

interface Modules {
	layers: string[][];
	arrows: Array<{ from: string; to: string; imports: number }>;
	circular: string[];
	strangers: string[];
}

/** In a process of its own: jest loads no ES modules. */
function readModules(): Modules {
	const script = path.join(ROOT, 'scripts/docs/modules.mjs');
	const program = `
		import { layers, readModules } from ${JSON.stringify(script)};
		const { arrows, ...others } = await readModules(${JSON.stringify(ROOT)});
		console.log(JSON.stringify({ layers, arrows: [...arrows.values()], ...others }));`;
	return JSON.parse(run(process.execPath, ['--input-type=module', '--eval', program])) as Modules;
}

describe('the modules of the package', () => {
	const { layers, arrows, circular, strangers } = readModules();
	const layerOf = (name: string) => layers.findIndex((layer) => layer.includes(name));

	it('all belong to a layer, and are used', () => {
		const modules = new Set(arrows.flatMap(({ from, to }) => [from, to]));
		expect([...modules].sort()).toEqual(layers.flat().sort());
	});

	it('import only modules of lower layers', () => {
		expect(arrows.length).toBeGreaterThan(15);
		expect(arrows.filter(({ from, to }) => layerOf(from) >= layerOf(to))).toEqual([]);
	});

	it('have no files that import each other in a cycle', () => {
		expect(circular).toEqual([]);
	});

	it('import n8n-workflow and nothing else', () => {
		expect(strangers).toEqual([]);
	});
});
