// Tests the package on a version of n8n, which it installs if necessary: `npm run test:n8n -- <version>`. The default is
// the newest release on npm. With `--released <tag of n8n's newest release>`, it fails if npm's major version is older.
// Runs the engine tests, the version tests and the examples, even if one fails. It leaves out the demo, the browser and
// queue mode, whose tests run on the newest version of dev/n8n/ only.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { runMain, UserFacingError } from '../lib/errors.mts';
import { startProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import { printStep } from '../lib/progress.mts';
import { installN8n } from '../n8n/install.mts';
import { checkNewestMajor, versions } from '../n8n/versions.mts';

/** Scripts of package.json, with arguments of jest. */
const suites = {
	test: ['test/engine', 'test/credits'],
	'test:versions': [],
	'test:full': ['test/full/examples.test.mts'],
};

/**
 * @param wanted a version of n8n or a tag of the npm registry, such as `latest`
 * @throws {UserFacingError} if the registry does not have it
 */
function findRelease(wanted: string): string {
	if (versions.includes(wanted)) return wanted;
	const args = ['view', `n8n@${wanted}`, 'version', '--loglevel=error'];
	const { stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
	const version = stdout.trim();
	if (/^\d+\.\d+\.\d+\S*$/.test(version)) return version;
	throw new UserFacingError(`The npm registry has no n8n "${wanted}". ${stderr.trim()}`);
}

async function main() {
	const options = { released: { type: 'string' } } as const;
	const { positionals, values } = parseArgs({ options, allowPositionals: true });
	const [wanted = 'latest'] = positionals;
	const version = findRelease(wanted);
	// The issue of .github/workflows/newest-n8n.yml names the version.
	const { GITHUB_OUTPUT: stepOutput } = process.env;
	if (stepOutput) appendFileSync(stepOutput, `version=${version}\n`);
	if (wanted === 'latest' && values.released !== undefined) {
		checkNewestMajor(version, values.released);
	}
	await installN8n(version, { onStep: printStep });
	const env = { ...process.env, TEST_N8N: version };
	mkdirSync(path.join(root, 'reports'), { recursive: true });
	const failed: string[] = [];
	for (const [script, files] of Object.entries(suites)) {
		console.log(`\n${script} on n8n ${version}`);
		const report = `reports/newest-n8n-${script.replace('test:', '')}.json`;
		const args = ['run', script, '--', ...files, '--json', `--outputFile=${report}`];
		const run = startProcess('npm', args, { cwd: root, env, stdio: 'inherit' });
		const [code] = (await once(run, 'close')) as [number | null];
		if (code !== 0) failed.push(script);
	}
	if (failed.length > 0) {
		throw new UserFacingError(
			`Failed on n8n ${version}: ${failed.join(', ')}. What to do: docs/development/compatibility.md, "When a new n8n breaks something".`,
		);
	}
	console.log(`\nAll passed on n8n ${version}.`);
}

await runMain(main);
