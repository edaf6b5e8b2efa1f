/*
 * Which modules may import which, for dependency-cruiser: `npm run lint`. A module is a folder or a file. It imports
 * only modules in the rows below its own, and modules of one row do not import each other.
 */
const path = require('node:path');

const tools = [
	['dev/bench', 'dev/scripts'],
	['dev/demo'],
	['dev/emulator', 'dev/n8n'],
	['dev/lib'],
];

const product = [
	['VoiceSpeech.node.ts'],
	['resources', 'n8n'],
	['run'],
	['call'],
	['response'],
	['descriptions'],
	['audio'],
	['streams'],
	['errors'],
	['service'],
	['text', 'limits.ts', '../../credentials'],
].map((row) => row.map((name) => path.posix.join('nodes/VoiceSpeech', name)));

const emulator = [
	['main.mts'],
	['server.mts', 'emulatorProcess.mts'],
	['endpoints.mts', 'console'],
	['handleCall.mts'],
	['state.mts'],
	['operations.mts'],
	['service'],
	['http', 'speech', 'audio'],
	['settings.mts', 'storage.mts', 'usage.mts'],
	['wallets.mts'],
	['keys.mts', 'disclaimer.mts'],
].map((row) => row.map((name) => path.posix.join('dev/emulator', name)));

/** @param {string[]} modules */
const matchAny = (modules) => `^(${modules.join('|')})(/|$)`;

/** @param {string[][]} rows */
function forbidOtherImports(rows) {
	return rows.flatMap((row, index) => {
		const others = rows.slice(0, index + 1).flat();
		return row.map((module) => ({
			name: `${module}-imports-only-lower-layers`,
			severity: 'error',
			from: { path: matchAny([module]) },
			to: { path: matchAny(others.filter((other) => other !== module)) },
		}));
	});
}

// The emulator has layers of its own.
const layers = [...product, ...emulator, ...tools].flat().filter((name) => name !== 'dev/emulator');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...forbidOtherImports(tools),
		...forbidOtherImports(emulator),
		...forbidOtherImports(product),
		{
			name: 'no-modules-without-a-layer',
			severity: 'error',
			// The files of dev/ itself, and the lint, are programs of their own.
			from: {
				path: '^(nodes|credentials|dev)/',
				pathNot: [matchAny(layers), '^dev/[^/]+$', '^dev/lint/'],
			},
			to: {},
		},
		{
			name: 'no-cycles',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-imports-of-tests',
			severity: 'error',
			from: {},
			to: { path: '^test/' },
		},
		{
			name: 'no-imports-of-tools',
			severity: 'error',
			// The package is published without them.
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(dev|\\.ci)/' },
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
