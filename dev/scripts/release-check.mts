/**
 * Builds the release from a clean clone of the last commit as the publish workflow does, up to the point where npm
 * would get it. A second build in another folder must give the same package, byte for byte.
 *
 * With `--tag v1.2.3`, refuses what release-rules.cjs finds. With `--output <folder>`, copies the package to
 * `package.tgz` in that folder.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/root.cjs';
import { deleteAfterwards } from '../lib/processes.mts';
import rules from './release-rules.cjs';

/** @returns what it printed */
function run(cwd: string, command: string, ...args: string[]): string {
	const { status, stdout, stderr, error } = spawnSync(command, args, {
		cwd,
		encoding: 'utf8',
		// Otherwise npm may announce a newer version of itself.
		env: { ...process.env, npm_config_update_notifier: 'false' },
	});
	if (status !== 0) {
		throw new Error(
			`${command} ${args.join(' ')} ended with ${status}: ${error ?? `${stdout}${stderr}`}`,
		);
	}
	return `${stdout}${stderr}`;
}

function checkTexts(tag: string) {
	const listed = run(root, 'git', 'ls-files', '*.md', 'package.json', 'nodes', 'credentials');
	const read = (file: string) => run(root, 'git', 'show', `HEAD:${file}`);
	const files = listed.trim().split('\n');
	const texts = new Map(files.map((file) => [file, read(file)]));
	const manifest = JSON.parse(read('package.json'));
	const repository = process.env.GITHUB_REPOSITORY;
	const faults = rules.findReleaseFaults({ tag, manifest, texts, repository });
	if (faults.length > 0) throw new Error(faults.join('\n'));
}

/**
 * @param clone a folder that does not exist yet
 * @param modules node_modules to use, instead of installing them
 */
function build(clone: string, modules?: string): { tarball: string; sha256: string } {
	run(root, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
	if (modules) symlinkSync(modules, path.join(clone, 'node_modules'), 'junction');
	else run(clone, 'npm', 'ci', '--no-audit', '--no-fund');
	run(clone, 'npm', 'run', '--silent', 'build');
	run(clone, 'npm', 'pack', '--silent');
	const name = readdirSync(clone).find((file) => file.endsWith('.tgz'));
	if (!name) throw new Error('npm pack wrote no package');
	const tarball = path.join(clone, name);
	return { tarball, sha256: createHash('sha256').update(readFileSync(tarball)).digest('hex') };
}

const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
deleteAfterwards([folder]);
const clone = path.join(folder, 'clone');
try {
	const { tag, output } = parseArgs({
		options: { tag: { type: 'string' }, output: { type: 'string' } },
	}).values;
	if (tag !== undefined) checkTexts(tag);
	const first = build(clone);
	const other = build(path.join(folder, 'other'), path.join(clone, 'node_modules'));
	if (first.sha256 !== other.sha256) {
		throw new Error(`Two builds of one commit differ: ${first.sha256}, ${other.sha256}`);
	}
	const dryRun = ['publish', '--dry-run', '--ignore-scripts', '--tag', 'latest'];
	const summary = run(clone, 'npm', ...dryRun)
		.split('\n')
		.filter((line) => /(package|unpacked) size|total files/i.test(line));
	if (output !== undefined) {
		mkdirSync(output, { recursive: true });
		copyFileSync(first.tarball, path.join(output, 'package.tgz'));
	}
	console.log(`Built twice, the same both times: sha256 ${first.sha256}`);
	console.log(summary.map((line) => line.replace(/^npm notice /, '')).join('\n'));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
