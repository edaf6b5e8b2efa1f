/**
 * Loads an installed package with n8n's own loader and prints what n8n then knows of it.
 * Arguments: the folder of the package, the folder from which n8n-core is found.
 */
const { createRequire } = require('node:module');
const path = require('node:path');

const [packageFolder, root] = process.argv.slice(2);
const { PackageDirectoryLoader } = createRequire(path.join(root, 'package.json'))('n8n-core');

async function load() {
	const loader = new PackageDirectoryLoader(packageFolder);
	await loader.loadAll();
	const { nodes, credentials } = loader.types;
	process.stdout.write(
		`\n${JSON.stringify({ nodes, credentials, known: loader.known, loaded: loader.loadedNodes })}`,
	);
}

void load();
