/**
 * Tests the package on any version of n8n, which it installs if necessary: `npm run test:n8n -- 2.41.1`. Without a
 * version: on the newest release. Runs the suites that depend on n8n, all of them even if one fails.
 */
import './prepare.mjs';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineHost } from '../n8n/define.mjs';
import { installHost } from '../n8n/install.mjs';
import { Problem } from '../n8n/problem.mjs';
import { startProcess } from '../n8n/processes.mjs';
import { closestTo } from '../n8n/versions.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What to run, as arguments of jest. @type {Record<string, string[]>} */
const suites = {
	'Engine tests': ['--config', 'test/engines/jest.config.cjs'],
	'Host tests': ['--config', 'test/hosts/jest.config.cjs'],
	Examples: ['--config', 'test/full/jest.config.cjs', 'test/full/examples.test.ts'],
};

/**
 * @param {string[]} args of jest
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<boolean>} whether all tests passed
 */
async function runJest(args, env) {
	const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const run = startProcess(process.execPath, [jest, ...args], { cwd: root, env, stdio: 'inherit' });
	const [code] = await once(run, 'close');
	return code === 0;
}

/** @param {string} wanted a version or a tag of the npm registry */
async function testOn(wanted) {
	const onStep = (/** @type {string} */ step, /** @type {string} */ usually) => {
		console.log(`${step} (${usually}) ...`);
	};
	const version = await defineHost(wanted, { onStep });
	const { folder } = await installHost(version, { onStep });
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

// The package could not be built: prepare.mjs has said why.
if (!process.exitCode) {
	try {
		await testOn(process.argv[2] ?? 'latest');
	} catch (error) {
		if (!(error instanceof Problem)) throw error;
		process.stderr.write(`${error.message}\n`);
		process.exitCode = 1;
	}
}
