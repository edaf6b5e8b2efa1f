// Runs a command of package.json, such as `node dev/run.mjs jest`, on a fresh clone too. It installs the packages of the lock
// file if they are not there, or are there for another lock file, and builds the package before jest. Plain JavaScript,
// because tsx is one of these packages.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

const lock = 'package-lock.json';
const installed = 'node_modules/.installed-for.json';
const typescript = ['--import', 'tsx'];

/**
 * Node's arguments for the commands that are not a file.
 * @type {Record<string, string[]>}
 */
const programs = {
	jest: ['node_modules/jest/bin/jest.js'],
	stryker: ['node_modules/@stryker-mutator/core/bin/stryker.js'],
};

function fail(/** @type {string} */ message, status = 1) {
	process.stderr.write(`${message}\n`);
	process.exit(status);
}

function checkNode() {
	const [major = 0] = process.versions.node.split('.').map(Number);
	if (major >= 20) return;
	fail(
		`This needs Node.js 20 or later, and this is ${process.versions.node}. Install a newer one, then run the command again.`,
	);
}

function installMissing() {
	const isInstalled =
		existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8');
	if (isInstalled) return;
	process.stdout.write(
		'Installing the packages of package-lock.json (npm ci), about a minute ...\n',
	);
	// Through a shell, because npm is a .cmd file on Windows.
	const { status } = spawnSync('npm ci --no-audit --no-fund --loglevel=error', {
		stdio: 'inherit',
		shell: true,
	});
	if (status !== 0) {
		fail(
			'The packages could not be installed. Check the connection to your npm registry, then run the command again.',
			status ?? 1,
		);
	}
	copyFileSync(lock, installed);
}

function build() {
	const args = [...typescript, 'dev/scripts/prepare.mts'];
	const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}

function start(/** @type {string[]} */ args) {
	const child = spawn(process.execPath, args, { stdio: 'inherit' });
	// The terminal sends Ctrl-C to the child too, which decides when it ends.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	process.on('SIGHUP', () => child.kill('SIGHUP'));
	child.on('exit', (code) => process.exit(code ?? 1));
}

const [command = '', ...args] = process.argv.slice(2);
checkNode();
installMissing();
if (command === 'jest') build();
start([...(programs[command] ?? [...typescript, command]), ...args]);
