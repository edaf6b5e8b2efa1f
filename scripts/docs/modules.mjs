import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** The modules by layer, from the top: each may import those of lower layers. */
export const layers = [
	['VoiceSpeech.node.ts'],
	['resources'],
	['n8n'],
	['execution'],
	['descriptions', 'response'],
	['audio'],
	['errors'],
	['text', 'endpoint.ts', 'limits.ts', 'credentials'],
];

/** @param {string} file of the package's source @returns {string} the module that it belongs to */
function moduleOf(file) {
	const [folder, , ...rest] = file.split('/');
	return folder === 'credentials' ? folder : rest[0];
}

/**
 * What imports what in the package, types included.
 *
 * @param {string} root of the repository
 * @returns {Promise<{arrows: Map<string, {from: string, to: string, imports: number}>, circular: string[], strangers: string[]}>}
 *   the arrows between modules; files that import each other in a cycle; imports of anything but the package's own
 *   files and n8n-workflow
 */
export async function readModules(root) {
	const { output } = await cruise(
		['nodes', 'credentials'],
		{ baseDir: root, doNotFollow: { path: 'node_modules' }, tsPreCompilationDeps: true },
		{},
		{ tsConfig: extractTSConfig(`${root}/tsconfig.json`) },
	);
	const arrows = new Map();
	const strangers = new Set();
	const own = output.modules.filter(({ source }) => /^(nodes|credentials)\//.test(source));
	for (const { source, dependencies } of own) {
		for (const { resolved, module } of dependencies) {
			if (!/^(nodes|credentials)\//.test(resolved)) {
				if (module !== 'n8n-workflow') strangers.add(`${source} imports ${module}`);
				continue;
			}
			const [from, to] = [moduleOf(source), moduleOf(resolved)];
			if (from === to) continue;
			const arrow = arrows.get(`${from} ${to}`) ?? { from, to, imports: 0 };
			arrows.set(`${from} ${to}`, { ...arrow, imports: arrow.imports + 1 });
		}
	}
	const circular = own
		.filter(({ dependencies }) => dependencies.some((dependency) => dependency.circular))
		.map(({ source }) => source);
	return { arrows, circular, strangers: [...strangers] };
}

/** @param {Awaited<ReturnType<typeof readModules>>} modules @returns {string} a diagram, as GitHub draws it */
export function modulesDiagram({ arrows }) {
	const id = (/** @type {string} */ name) => name.replace(/\W/g, '_');
	const names = layers.flat().map((name) => `  ${id(name)}["${name}"]`);
	const layerOf = (/** @type {string} */ name) => layers.findIndex((layer) => layer.includes(name));
	const lines = [...arrows.values()]
		.sort(
			(a, b) =>
				layerOf(a.from) - layerOf(b.from) ||
				layerOf(a.to) - layerOf(b.to) ||
				(a.to < b.to ? -1 : 1),
		)
		.map(({ from, to, imports }) => `  ${id(from)} -->|${imports}| ${id(to)}`);
	return ['```mermaid', 'flowchart TD', ...names, ...lines, '```'].join('\n');
}
