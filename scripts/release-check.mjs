/**
 * The release up to the point where npm would take it: from a clean clone of the last commit, installed and built
 * as the publish workflow does. Built a second time in another folder, the package must be the same byte for byte.
 *
 * With `--tag v1.2.3` that must be the package's version, and the changelog must have its section.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} folder @param {string} command @param {string[]} args @returns {string} what it printed */
function run(folder, command, ...args) {
	const { status, stdout, stderr, error } = spawnSync(command, args, {
		cwd: folder,
		encoding: 'utf8',
		// npm tells a newer version of itself to every command.
		env: { ...process.env, npm_config_update_notifier: 'false' },
	});
	if (status !== 0) {
		throw new Error(
			`${command} ${args.join(' ')} ended with ${status}: ${error ?? `${stdout}${stderr}`}`,
		);
	}
	return `${stdout}${stderr}`;
}

/** @param {string} tag */
function checkTag(tag) {
	const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
	if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, the package's version ${version}`);
	const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
	if (
		!new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(
			changelog,
		)
	) {
		throw new Error(`CHANGELOG.md has no section "## [${version}] - <date>"`);
	}
}

/**
 * @param {string} place a folder that holds nothing yet
 * @param {string} [modules] installed before
 * @returns {{ clone: string, sha256: string }}
 */
function build(place, modules) {
	const clone = path.join(place, 'clone');
	run(place, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
	if (modules) symlinkSync(modules, path.join(clone, 'node_modules'), 'junction');
	else run(clone, 'npm', 'ci', '--no-audit', '--no-fund');
	run(clone, 'npm', 'run', '--silent', 'build');
	run(clone, 'npm', 'pack', '--silent', '--pack-destination', place);
	const tarball = readdirSync(place).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error('npm pack wrote no package');
	const bytes = readFileSync(path.join(place, tarball));
	return { clone, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const { tag } = parseArgs({ options: { tag: { type: 'string' } } }).values;
const places = ['first-', 'other-'].map((name) => mkdtempSync(path.join(tmpdir(), name)));
try {
	if (tag !== undefined) checkTag(tag);
	const first = build(places[0]);
	const other = build(places[1], path.join(first.clone, 'node_modules'));
	if (first.sha256 !== other.sha256) {
		throw new Error(`Two builds of one commit differ: ${first.sha256}, ${other.sha256}`);
	}
	const said = run(
		first.clone,
		'npm',
		'publish',
		'--dry-run',
		'--ignore-scripts',
		'--tag',
		'latest',
	);
	const summary = said
		.split('\n')
		.filter((line) => /(package|unpacked) size|total files/i.test(line));
	console.log(`Built twice, the same both times: sha256 ${first.sha256}`);
	console.log(summary.map((line) => line.replace(/^npm notice /, '')).join('\n'));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	for (const place of places) rmSync(place, { recursive: true, force: true });
}
