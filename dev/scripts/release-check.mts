// Builds the release from a clean clone of the last commit, as the publish workflow does. A second build in another folder
// must give the same package, byte for byte. `--tag v1.2.3` also names what must change before this release.
// `--output <folder>` copies the package to `package.tgz` there.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { runMain, UserFacingError } from '../lib/errors.mts';
import { root } from '../lib/root.cjs';
import { createTemporaryFolder } from '../lib/temporaryFolder.mts';

/** What npm would show with the package forever, and is right only before the first release. */
const beforeRelease = [
	/\bnot (yet )?(on npm|published (on npm|to npm|there))\b/i,
	/\bmaintainers@[\w.-]*\.example\b/,
];

/**
 * Finds what must change before npm gets a release.
 *
 * @param tag such as v1.2.3
 * @param read returns the content of a file
 * @returns a sentence for each fault
 */
function findReleaseFaults(tag: string, read: (file: string) => string): string[] {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const faults: string[] = [];
	if (tag !== `v${version}`) faults.push(`The tag is ${tag}, but package.json has ${version}.`);
	const heading = `## [${version}] - `;
	if (!read('CHANGELOG.md').includes(heading)) {
		faults.push(`CHANGELOG.md has no section "${heading}<date>".`);
	}
	for (const file of ['README.md', 'package.json']) {
		const text = read(file).replace(/\s+/g, ' ');
		for (const pattern of beforeRelease) {
			const [found] = pattern.exec(text) ?? [];
			if (found) faults.push(`${file} has "${found}", which is wrong in a release.`);
		}
	}
	return faults;
}

/** @returns what the command printed to its standard output */
function runIn(cwd: string, command: string, ...args: string[]): string {
	const env = { ...process.env, npm_config_update_notifier: 'false' };
	return execFileSync(command, args, { cwd, env, encoding: 'utf8' });
}

/** @throws {UserFacingError} with a line for each fault */
function checkTexts(tag: string) {
	const faults = findReleaseFaults(tag, (file) => runIn(root, 'git', 'show', `HEAD:${file}`));
	if (faults.length > 0) throw new UserFacingError(faults.join('\n'));
}

/**
 * @param clone a folder that does not exist yet
 * @param modules node_modules to use, instead of installing them
 * @returns path of the package
 */
function build(clone: string, modules?: string): string {
	runIn(root, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
	if (modules) symlinkSync(modules, path.join(clone, 'node_modules'));
	else runIn(clone, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
	runIn(clone, 'npm', 'run', '--silent', 'build');
	return path.join(clone, runIn(clone, 'npm', 'pack', '--silent').trim());
}

function hash(file: string): string {
	return createHash('sha256').update(readFileSync(file)).digest('hex');
}

async function main() {
	const options = { tag: { type: 'string' }, output: { type: 'string' } } as const;
	const { tag, output } = parseArgs({ options }).values;
	if (tag !== undefined) checkTexts(tag);
	const folder = createTemporaryFolder();
	const clone = path.join(folder, 'clone');
	const tarball = build(clone);
	const other = build(path.join(folder, 'other'), path.join(clone, 'node_modules'));
	if (hash(tarball) !== hash(other)) throw new UserFacingError('Two builds of one commit differ.');
	if (output !== undefined) {
		mkdirSync(output, { recursive: true });
		copyFileSync(tarball, path.join(output, 'package.tgz'));
	}
	console.log(`Built twice, the same both times: sha256 ${hash(tarball)}`);
}

await runMain(main);
