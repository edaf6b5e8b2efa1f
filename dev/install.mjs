// Runs `npm ci` if node_modules does not match package-lock.json, so that `npm run demo` and `npm test` suffice on a fresh
// clone. The scripts of package.json start it, because with the `ignore-scripts` of .npmrc, npm runs no `pretest`. It
// imports no package, because all of them may be missing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @type {(message: string) => never} */
function fail(message) {
	process.stderr.write(`${message}\n`);
	process.exit(1);
}

/** @type {(file: string) => Record<string, { version?: string, optional?: boolean }>} the packages by their folders */
const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

function isInstalled() {
	const locked = readPackages('package-lock.json');
	try {
		// `npm ci` writes this file last, so an interrupted one leaves none.
		const installed = readPackages('node_modules/.package-lock.json');
		return Object.entries(locked).every(
			([folder, { version, optional }]) =>
				// The first folder is the repository. npm skips optional packages that are made for other systems.
				folder === '' || optional || installed[folder]?.version === version,
		);
	} catch {
		return false;
	}
}

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
	fail(`This needs Node.js ${major}.${minor} or later, and this is ${process.versions.node}.`);
}
if (!isInstalled()) {
	console.log('Installing the packages of package-lock.json (npm ci), about a minute ...');
	const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
	const { status } = spawnSync('npm', args, { stdio: 'inherit' });
	if (status !== 0) {
		fail('The packages could not be installed. Check the connection to your npm registry.');
	}
}
