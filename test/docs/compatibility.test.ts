import { readdirSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { n8nVersions } from '../support/n8nVersions';
import { packageJson, read } from '../support/repository';

const folders = readdirSync(path.join(root, 'dev/n8n')).filter((name) => name.startsWith('n8n-'));

it('every n8n in dev/n8n/ is tested, with the right version of its n8n-core', () => {
	const cores = folders.map((folder) => {
		const lock = read(`dev/n8n/${folder}/pnpm-lock.yaml`);
		return [folder, /^ {2}n8n-core@([\d.]+):$/m.exec(lock)?.[1]];
	});
	expect(n8nVersions.map(({ version, coreVersion }) => [`n8n-${version}`, coreVersion])).toEqual(
		cores,
	);
});

it('docs/development/compatibility.md lists which command runs the engine suites on each n8n', () => {
	const rows = n8nVersions.map(({ version, coreVersion }) => [
		version,
		coreVersion,
		packageJson.devDependencies['n8n-core'] === coreVersion
			? '`npm test`'
			: '`npm run test:engines`',
	]);
	const [, section = ''] = read('docs/development/compatibility.md').split('## The adapter');
	const found = [...section.matchAll(/^\| +(\d.*) \|$/gm)].map(([, row = '']) =>
		row.split('|').map((cell) => cell.trim()),
	);
	expect(found).toEqual(rows);
});

it('README.md names the tested versions', () => {
	for (const { version } of n8nVersions) expect(read('README.md')).toContain(version);
});
