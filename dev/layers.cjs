/**
 * Which modules may import which, for dependency-cruiser. A module is a folder or a file. It imports only modules in the
 * rows below its own, and modules of one row do not import each other.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');

const tools = [
	['dev/bench', 'dev/scripts'],
	['dev/demo'],
	['dev/emulator', 'dev/n8n'],
	['dev/lib'],
];

const architecture = path.join(__dirname, '../docs/development/architecture.md');
const [, list = ''] =
	/^## Layers$.*?^```text\n(.*?)\n```$/ms.exec(readFileSync(architecture, 'utf8')) ?? [];
const product = list.split('\n').map((row) => row.split(', ').map(findPath));

/** @param {string} name of a module in the list of docs/development/architecture.md */
function findPath(name) {
	return name === 'credentials' ? name : `nodes/VoiceSpeech/${name}`;
}

/** @param {string[]} modules */
const matchAny = (modules) => `^(${modules.join('|')})(/|$)`;

/** @param {string[][]} rows */
function forbidOtherImports(rows) {
	return rows.flatMap((row, index) => {
		const others = rows.slice(0, index + 1).flat();
		return row.map((module) => ({
			name: `${module}-imports-lower-layers`,
			severity: 'error',
			from: { path: matchAny([module]) },
			to: { path: matchAny(others.filter((other) => other !== module)) },
		}));
	});
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...forbidOtherImports(tools),
		...forbidOtherImports(product),
		{
			name: 'no-cycles',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { circular: true },
		},
		{
			name: 'no-cycles-except-types',
			severity: 'error',
			from: {},
			// Types of the tools may refer to each other.
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
		{
			name: 'no-imports-of-tests',
			severity: 'error',
			from: {},
			to: { path: '^test/' },
		},
		{
			name: 'no-imports-of-the-node',
			severity: 'error',
			// The generated docs and the list of texts follow from what the node declares.
			from: { path: '^dev/', pathNot: '^dev/scripts/(docs/|texts.mts)' },
			to: { path: '^(nodes|credentials)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
	},
};
