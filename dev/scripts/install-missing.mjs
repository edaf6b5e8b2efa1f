// Lets `npm test` and `npm run demo` work on a fresh clone: installs the packages of the lock file if they are not there,
// or are there for another lock file. Plain JavaScript, because tsx is one of these packages.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

const lock = 'package-lock.json';
const installed = 'node_modules/.installed-for.json';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 20) {
	process.stderr.write(
		`This needs Node.js 20 or later, and this is ${process.versions.node}. Install a newer one, then run the command again.\n`,
	);
	process.exit(1);
}

const upToDate =
	existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8');
if (!upToDate) {
	process.stdout.write(
		'Installing the packages of package-lock.json (npm ci), about a minute ...\n',
	);
	// Through a shell, because npm is a .cmd file on Windows.
	const { status } = spawnSync('npm ci --no-audit --no-fund --loglevel=error', {
		stdio: 'inherit',
		shell: true,
	});
	if (status !== 0) {
		process.stderr.write(
			'The packages could not be installed. Check the connection to your npm registry, then run the command again.\n',
		);
		process.exit(status ?? 1);
	}
	copyFileSync(lock, installed);
}
