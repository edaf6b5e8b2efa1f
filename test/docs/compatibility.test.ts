import { readdirSync } from 'node:fs';
import path from 'node:path';

import { hostVersions } from '../support/n8nVersions';
import { packageJson, read, rootFolder } from '../support/repository';

const hosts = readdirSync(path.join(rootFolder, 'dev/n8n')).filter((name) =>
	name.startsWith('n8n-'),
);

it('every n8n in dev/n8n/ is tested, with the right version of its n8n-core', () => {
	const cores = hosts.map((host) => {
		const lock = read(`dev/n8n/${host}/pnpm-lock.yaml`);
		return [host, /^ {2}n8n-core@([\d.]+):$/m.exec(lock)?.[1]];
	});
	expect(hostVersions.map(({ version, core }) => [`n8n-${version}`, core])).toEqual(cores);
});

it('docs/development/compatibility.md lists which command runs the engine suites on each n8n', () => {
	const rows = hostVersions.map(({ version, core }) => [
		version,
		core,
		packageJson.devDependencies['n8n-core'] === core ? '`npm test`' : '`npm run test:engines`',
	]);
	const [, section = ''] = read('docs/development/compatibility.md').split('## The adapter');
	const found = [...section.matchAll(/^\| +(\d.*) \|$/gm)].map(([, row = '']) =>
		row.split('|').map((cell) => cell.trim()),
	);
	expect(found).toEqual(rows);
});

it('README.md names the tested versions', () => {
	for (const { version } of hostVersions) expect(read('README.md')).toContain(version);
});
