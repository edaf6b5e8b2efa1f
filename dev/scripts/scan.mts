// Runs the lint of n8n's scan for verification, on this checkout and on what `npm pack` makes of it. The scan also checks
// that npm has a provenance statement for the package, and that the source named in it can be fetched from GitHub. This
// program checks neither, because both need a published version. n8n's scan fails only on errors. This program also fails
// on warnings, and if the package has no files besides package.json.
import { execFileSync } from 'node:child_process';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
	// @ts-expect-error -- the package has no types
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint, type Linter } from 'eslint';

import { runMain } from '../lib/errors.mts';
import { root } from '../lib/root.cjs';
import { createTemporaryFolder } from '../lib/temporaryFolder.mts';
import { packPackage } from '../n8n/package.mts';

/** The files that the scan reads in a published package. It reads neither declarations nor the codex. */
const tarballFilePatterns = ['**/*.js', 'package.json'];

/** @returns whether the folder has files, and none of them has errors or warnings */
async function scan(label: string, folder: string, patterns: string[]): Promise<boolean> {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: (await buildScanConfig()) as Linter.Config[],
	});
	const results = await eslint.lintFiles(patterns);
	const faulty = results.filter(({ errorCount, warningCount }) => errorCount + warningCount > 0);
	console.log(`${label}: ${results.length} files, ${faulty.length} with errors or warnings`);
	const findings = await (await eslint.loadFormatter('stylish')).format(faulty);
	if (findings) console.log(findings);
	return faulty.length === 0 && results.length > 1;
}

async function main() {
	const folder = createTemporaryFolder();
	execFileSync('tar', ['-xzf', await packPackage(), '-C', folder, '--strip-components=1']);
	const source = await scan('Source', root, SOURCE_FILE_PATTERNS);
	const tarball = await scan('Tarball', folder, tarballFilePatterns);
	process.exitCode = source && tarball ? 0 : 1;
}

await runMain(main);
