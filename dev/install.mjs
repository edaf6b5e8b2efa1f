// Installs the packages on a fresh clone, so that `npm run demo` and `npm test` need nothing before them. If a package of
// the lock file is missing or has another version, this program runs `npm ci`. It does not notice additional packages. The
// scripts of package.json start it, because with the `ignore-scripts` of .npmrc, npm runs no `pretest`. It is plain
// JavaScript without imports of packages, because all of them, tsx too, may be missing.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const lockFile = 'package-lock.json';
/** What npm has installed. `npm ci` deletes it first and writes it last, so an interrupted one leaves none. */
const installedLockFile = 'node_modules/.package-lock.json';
/** A folder that exists while a command installs. That command renews it, so an older one was left by a killed command. */
const installLock = 'node_modules.lock';
const renewalMs = 1_000;
const staleMs = 10_000;

/** @type {(message: string) => never} */
function fail(message) {
	process.stderr.write(`${message}\n`);
	process.exit(1);
}

function checkNode() {
	const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
	const [major, minor] = engines.node.match(/\d+/g).map(Number);
	const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
	if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
	fail(
		`This needs Node.js ${major}.${minor} or later, and this is ${process.versions.node}. Install a newer one, then run the command again.`,
	);
}

/**
 * Reads a file in the format of package-lock.json.
 *
 * @returns the packages by their folders
 * @throws {Error} if the file is missing or incomplete
 * @type {(file: string) => Record<string, { version?: string, optional?: boolean }>}
 */
function readPackages(file) {
	const { packages } = JSON.parse(readFileSync(file, 'utf8'));
	if (packages === undefined) throw new Error('it has no list of packages');
	return packages;
}

function readLockedPackages() {
	try {
		return readPackages(lockFile);
	} catch (error) {
		// A merge can leave marks of conflicts in it.
		return fail(`${lockFile} cannot be read: ${/** @type {Error} */ (error).message}`);
	}
}

function readInstalledPackages() {
	try {
		return readPackages(installedLockFile);
	} catch {
		return {};
	}
}

function isInstalled() {
	const found = readInstalledPackages();
	return Object.entries(readLockedPackages()).every(
		([folder, { version, optional }]) =>
			// The first folder is the repository. npm skips optional packages that are made for other systems.
			folder === '' || optional || found[folder]?.version === version,
	);
}

/**
 * Tries to become the only command that installs, because two installations would delete each other's files.
 * dev/lib/lock.mts cannot be used here, because it needs a package. If a killed command left the lock, this deletes it, so
 * that the next try succeeds. Two commands that delete it at the same moment may both install. In the worst case, one of
 * them fails, and succeeds when it is run again.
 *
 * @returns whether this command acquired the lock
 */
function acquireInstallLock() {
	try {
		mkdirSync(installLock);
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
	}
	const renewed = statSync(installLock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
	if (Date.now() - renewed > staleMs) rmSync(installLock, { recursive: true, force: true });
	return false;
}

/** @returns the exit code of `npm ci`, which ends with this process, for any reason */
async function install() {
	process.stdout.write(
		'Installing the packages of package-lock.json (npm ci), about a minute ...\n',
	);
	const guard = fork(new URL('lib/guard.cjs', import.meta.url), {
		detached: true,
		stdio: 'ignore',
	});
	const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		stdio: ['ignore', 'inherit', 'inherit'],
		detached: true,
	});
	guard.send({ group: npm.pid, hasEnded: false });
	const parent = process.ppid;
	const renewal = setInterval(() => {
		// If the command is killed, its shell ends without a signal to this process.
		if (process.ppid !== parent) process.exit(1);
		// If this process was suspended, another command has deleted the lock.
		mkdirSync(installLock, { recursive: true });
		utimesSync(installLock, new Date(), new Date());
	}, renewalMs);
	const [code] = await once(npm, 'exit');
	clearInterval(renewal);
	guard.disconnect();
	return code;
}

checkNode();
let isWaiting = false;
while (!isInstalled()) {
	if (acquireInstallLock()) {
		// Another command may have installed the packages just before this one acquired the lock.
		const code = isInstalled() ? 0 : await install();
		rmSync(installLock, { recursive: true, force: true });
		if (code === 0) break;
		fail(
			'The packages could not be installed. Check the connection to your npm registry, then run the command again.',
		);
	}
	if (!isWaiting) {
		process.stdout.write('Waiting for another command that installs the packages ...\n');
	}
	isWaiting = true;
	await sleep(200);
}
