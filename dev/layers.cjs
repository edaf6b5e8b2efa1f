/**
 * The layers of the development tools, for dependency-cruiser. A folder imports only folders in the rows below its own,
 * and folders of one row do not import each other.
 */
const layers = [['bench', 'scripts'], ['demo'], ['emulator', 'n8n'], ['lib']];

/** @param {string[]} folders of dev/ */
const matchFolders = (folders) => `^dev/(${folders.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...layers.flat().map((folder) => {
			const row = layers.findIndex((names) => names.includes(folder));
			const above = layers.slice(0, row + 1).flat();
			return {
				name: `${folder}-imports-lower-layers`,
				severity: 'error',
				from: { path: matchFolders([folder]) },
				to: { path: matchFolders(above.filter((name) => name !== folder)) },
			};
		}),
		{
			name: 'no-cycles',
			severity: 'error',
			from: {},
			// Types may refer to each other.
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
