// Installs the packages on a fresh clone, so that `npm run demo` and `npm test` need nothing before them. If a package of
// the lock file is missing or has another version, this program runs `npm ci`. It does not notice additional packages. The
// scripts of package.json start it, because with the `ignore-scripts` of .npmrc, npm runs no `pretest`. It is plain
// JavaScript without imports of packages, because all of them, tsx too, may be missing.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const lockFile = 'package-lock.json';
/** What npm has installed. `npm ci` deletes it first and writes it last, so an interrupted one leaves none. */
const installedLockFile = 'node_modules/.package-lock.json';
/** A file that exists while a command installs, with the process ID of that command. */
const installLock = 'node_modules.lock';
/** Longest time that an installation takes, in ms. */
const maxInstallMs = 15 * 60_000;

function fail(/** @type {string} */ message) {
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
 * @returns the packages by their folders; empty if the file is missing or incomplete
 * @type {(file: string) => Record<string, { version?: string, optional?: boolean }>}
 */
function readPackages(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8')).packages;
	} catch {
		return {};
	}
}

function isInstalled() {
	const found = readPackages(installedLockFile);
	return Object.entries(readPackages(lockFile)).every(
		([folder, { version, optional }]) =>
			// The first folder is the repository. npm skips optional packages that are made for other systems.
			folder === '' || optional || found[folder]?.version === version,
	);
}

/**
 * Whether the command that has acquired the lock is still running.
 *
 * @throws {NodeJS.ErrnoException} if the lock has been released meanwhile
 */
function isOwnerRunning() {
	const ageMs = Date.now() - statSync(installLock).mtimeMs;
	const owner = Number(readFileSync(installLock, 'utf8'));
	// The lock is empty for a moment, or if its command was killed in that moment.
	if (owner === 0 && ageMs > 5_000) return false;
	// Another process may have the ID of a command that was killed. In a new container, this one often has it.
	if (owner === process.pid || ageMs > maxInstallMs) return false;
	try {
		process.kill(owner, 0);
		return true;
	} catch (error) {
		// EPERM: the process belongs to another user.
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}

/**
 * Tries to become the only command that installs. dev/lib/lock.mts cannot be used here, because it needs a package. If a
 * killed command left the lock, this deletes it, so that the next try succeeds. Two commands that delete it at the same
 * moment may both install. In the worst case, one of them fails, and succeeds when it is run again.
 *
 * @returns whether this command acquired the lock
 */
function acquireInstallLock() {
	try {
		writeFileSync(installLock, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
	}
	try {
		if (!isOwnerRunning()) rmSync(installLock, { force: true });
	} catch (error) {
		// ENOENT: the lock has been released.
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
	}
	return false;
}

/** Lets one command install at a time, because two installations would delete each other's files. */
async function installMissing() {
	let isWaiting = false;
	while (!isInstalled()) {
		if (acquireInstallLock()) return installAndRelease();
		if (!isWaiting) {
			process.stdout.write('Waiting for another command that installs the packages ...\n');
		}
		isWaiting = true;
		await sleep(200);
	}
}

function installAndRelease() {
	// Another command may have installed the packages just before this one acquired the lock.
	const hasSucceeded = isInstalled() || install();
	rmSync(installLock, { force: true });
	if (hasSucceeded) return;
	fail(
		'The packages could not be installed. Check the connection to your npm registry, then run the command again.',
	);
}

function install() {
	process.stdout.write(
		'Installing the packages of package-lock.json (npm ci), about a minute ...\n',
	);
	const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		stdio: 'inherit',
	});
	return status === 0;
}

checkNode();
await installMissing();
