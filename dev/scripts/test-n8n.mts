/**
 * Tests the package on a version of n8n, which it installs if necessary: `npm run test:n8n -- 2.41.1`. The newest release
 * is the default. Runs all suites that depend on n8n, even if one fails.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../lib/problem.mts';
import { startProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import { printStep } from '../lib/steps.mts';
import { installHost } from '../n8n/install.mts';
import { closestTo, versions } from '../n8n/versions.mts';
import './prepare.mts';

/** What to run, as arguments of jest. */
const suites: Record<string, string[]> = {
	'Engine tests': ['--config', 'test/engines/jest.config.cjs'],
	'Host tests': ['--config', 'test/hosts/jest.config.cjs'],
	Examples: ['--config', 'test/full/jest.config.cjs', 'test/full/examples.test.ts'],
};

/**
 * @param args of jest
 * @returns whether all tests passed
 */
async function runJest(args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
	const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const run = startProcess(process.execPath, [jest, ...args], { cwd: root, env, stdio: 'inherit' });
	const [code] = await once(run, 'close');
	return code === 0;
}

/**
 * @param wanted a version of n8n or a tag of the npm registry, such as `latest`
 * @returns the version
 * @throws {Problem} if the registry does not have exactly one such n8n
 */
function findRelease(wanted: string): string {
	if (versions.includes(wanted)) return wanted;
	const args = ['view', `n8n@${wanted}`, 'version', '--loglevel=error'];
	const { stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
	const version = stdout.trim();
	if (/^\d+\.\d+\.\d+\S*$/.test(version)) return version;
	throw new Problem(`The npm registry has no n8n "${wanted}". ${stderr.trim()}`);
}

/** @param wanted a version or a tag of the npm registry */
async function testOn(wanted: string) {
	const version = findRelease(wanted);
	const { folder } = await installHost(version, { onStep: printStep });
	const manifest = path.join(folder, 'node_modules', 'n8n-core', 'package.json');
	const core = JSON.parse(await readFile(manifest, 'utf8')).version;
	const env = {
		...process.env,
		// Read by test/hosts/versions.ts and test/engines/jest.config.cjs.
		TEST_N8N: JSON.stringify({ version, core, like: closestTo(version) }),
		// Read by test/full/examples/stage.ts.
		EXAMPLES_N8N: version,
	};
	const outcomes = [];
	for (const [name, args] of Object.entries(suites)) {
		console.log(`\n${name} on n8n ${version} (n8n-core ${core})`);
		const passed = await runJest(args, env);
		outcomes.push(`${name}: ${passed ? 'passed' : 'FAILED'}`);
		if (!passed) process.exitCode = 1;
	}
	console.log(`\nn8n ${version}\n${outcomes.join('\n')}`);
	if (process.exitCode) {
		console.log('What to do: CONTRIBUTING.md, "When a new n8n breaks something".');
	}
}

try {
	await testOn(process.argv[2] ?? 'latest');
} catch (error) {
	if (!(error instanceof Problem)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
