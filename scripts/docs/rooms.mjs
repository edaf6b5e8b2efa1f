import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** The rooms from the top floor to the lowest: each may know those that come after it. */
export const floors = [
	['VoiceSpeech.node.ts'],
	['resources'],
	['menu.ts', 'request'],
	['fields', 'answer'],
	['audio'],
	['errors'],
	['text', 'endpoint.ts', 'credentials'],
];

/** @param {string} file of the package's source @returns {string} the room that it stands in */
function roomOf(file) {
	const [folder, , ...rest] = file.split('/');
	return folder === 'credentials' ? folder : rest[0];
}

/**
 * What imports what in the package, types included.
 *
 * @param {string} root of the repository
 * @returns {Promise<{arrows: Map<string, {from: string, to: string, imports: number}>, circular: string[], strangers: string[]}>}
 *   the arrows between rooms; files that import each other in a circle; imports of anything but the package's own
 *   files and n8n-workflow
 */
export async function readRooms(root) {
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
			const [from, to] = [roomOf(source), roomOf(resolved)];
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

/** @param {Awaited<ReturnType<typeof readRooms>>} rooms @returns {string} a diagram, as GitHub draws it */
export function roomsDiagram({ arrows }) {
	const id = (/** @type {string} */ room) => room.replace(/\W/g, '_');
	const names = floors.flat().map((room) => `  ${id(room)}["${room}"]`);
	const place = (/** @type {string} */ room) => floors.findIndex((floor) => floor.includes(room));
	const lines = [...arrows.values()]
		.sort(
			(a, b) =>
				place(a.from) - place(b.from) || place(a.to) - place(b.to) || (a.to < b.to ? -1 : 1),
		)
		.map(({ from, to, imports }) => `  ${id(from)} -->|${imports}| ${id(to)}`);
	return ['```mermaid', 'flowchart TD', ...names, ...lines, '```'].join('\n');
}
