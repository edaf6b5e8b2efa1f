/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { packageJson, ROOT, type PackageJson } from '../package/repository';
import { blocksOf } from './markdown';

const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-docs-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the commands of the README put the package into n8n's folder for community nodes", () => {
	const block = blocksOf('README.md').find(({ heading }) => heading === 'From this repository')!;
	// The package as it is built: `npm test` has just done that.
	const repository = path.join(folder, 'repository');
	for (const name of ['package.json', 'README.md', 'LICENSE', 'dist']) {
		cpSync(path.join(ROOT, name), path.join(repository, name), { recursive: true });
	}
	const home = path.join(folder, 'home');
	const env = {
		...{ PATH: process.env.PATH, HOME: home },
		// Nothing of it needs the registry.
		...{ npm_config_offline: 'true', npm_config_update_notifier: 'false' },
		npm_config_cache: path.join(folder, 'cache'),
	};
	const commands = block.text.replace(/^npm (ci|run build)$/gm, '');
	execFileSync('bash', ['-euc', commands], { cwd: repository, env, stdio: 'pipe' });

	const installed = path.join(home, '.n8n', 'nodes', 'node_modules', packageJson.name);
	const own = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as PackageJson;
	expect(own.version).toBe(packageJson.version);
	for (const file of [...own.n8n.nodes, ...own.n8n.credentials]) {
		expect(existsSync(path.join(installed, file))).toBe(true);
	}
});
