/**
 * The lint that n8n's scan runs before it verifies a package, on this checkout and on what `npm pack` makes
 * of it. Not included, because they need a published version: the check that npm holds a provenance
 * statement for it, and that the source named in that statement can be fetched from GitHub.
 * n8n's scan counts errors only; this one also fails on warnings, or when it found no file to read.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
	// @ts-expect-error -- the package has no types
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the scan reads of a published package; declarations and the codex are not among it. */
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

/** @param {string} command @param {string[]} args */
function run(command, args) {
	const { status, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
	if (status !== 0)
		throw new Error(`${command} ${args[0]} ended with ${status}: ${error ?? stderr}`);
}

/** @param {string} folder where the package is packed and unpacked @returns {string} its content */
function unpackPackage(folder) {
	run('npm', ['pack', '--pack-destination', folder, '--ignore-scripts']);
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error('npm pack wrote no tarball.');
	const content = path.join(folder, 'content');
	mkdirSync(content);
	run('tar', ['-xzf', path.join(folder, tarball), '-C', content, '--strip-components=1']);
	return content;
}

/**
 * @param {string} label
 * @param {string} folder
 * @param {string[]} patterns
 * @returns {Promise<boolean>} whether there is nothing to complain about
 */
async function scan(label, folder, patterns) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = (await eslint.lintFiles(patterns)).filter(
		({ filePath }) => !filePath.endsWith('package-lock.json'),
	);
	const count = (/** @type {'errorCount' | 'warningCount'} */ field) =>
		results.reduce((sum, result) => sum + result[field], 0);
	const [errors, warnings] = [count('errorCount'), count('warningCount')];

	console.log(`${label}: ${results.length} files, ${errors} errors, ${warnings} warnings`);
	const findings = (await eslint.loadFormatter('stylish')).format(results);
	if (errors + warnings > 0) console.log(await findings);
	return errors + warnings === 0 && results.length > 1;
}

if (!existsSync(path.join(root, 'dist'))) {
	console.error('The folder dist is missing. Run "npm run build" first.');
	process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-scan-'));
try {
	const source = await scan('Source', root, SOURCE_FILE_PATTERNS);
	const tarball = await scan('Tarball', unpackPackage(folder), TARBALL_FILE_PATTERNS);
	console.log('Not checked here: the provenance of a published version (needs a release).');
	process.exitCode = source && tarball ? 0 : 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
