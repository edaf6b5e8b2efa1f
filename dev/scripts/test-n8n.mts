/**
 * Tests the package on a version of n8n, which it installs if necessary: `npm run test:n8n -- 2.41.1`. The newest release
 * is the default. Runs the engine tests, the host tests and the examples, even if one fails. It leaves out the demo, the
 * browser and queue mode, whose tests run on the newest version of dev/n8n/ only.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../lib/problem.mts';
import { startProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import { printStep } from '../lib/progress.mts';
import { installHost } from '../n8n/install.mts';
import { closestTo, versions } from '../n8n/versions.mts';
import './prepare.mts';

interface Suite {
	name: string;
	/** Arguments of jest. */
	args: string[];
	/** Its results, which GitHub keeps. */
	report: string;
}

const suites: Suite[] = [
	{
		name: 'Engine tests',
		args: ['--config', 'test/engines/jest.config.cjs'],
		report: 'reports/newest-n8n-engines.json',
	},
	{
		name: 'Host tests',
		args: ['--config', 'test/hosts/jest.config.cjs'],
		report: 'reports/newest-n8n-hosts.json',
	},
	{
		name: 'Examples',
		args: ['--config', 'test/full/jest.config.cjs', 'test/full/examples.test.ts'],
		report: 'reports/newest-n8n-examples.json',
	},
];

/** @returns whether all tests passed */
async function runSuite({ args, report }: Suite, env: NodeJS.ProcessEnv): Promise<boolean> {
	const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const all = [jest, ...args, '--json', `--outputFile=${report}`];
	const run = startProcess(process.execPath, all, { cwd: root, env, stdio: 'inherit' });
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
		// Read by test/support/n8nVersions.ts and test/engines/jest.config.cjs.
		TEST_N8N: JSON.stringify({ version, core, like: closestTo(version) }),
		// Read by test/full/examples/stage.ts.
		EXAMPLES_N8N: version,
	};
	await mkdir(path.join(root, 'reports'), { recursive: true });
	const outcomes = [];
	for (const suite of suites) {
		console.log(`\n${suite.name} on n8n ${version} (n8n-core ${core})`);
		const passed = await runSuite(suite, env);
		outcomes.push(`${suite.name}: ${passed ? 'passed' : 'FAILED'}`);
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
