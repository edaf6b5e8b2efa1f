import { versions } from '../../dev/n8n/versions.mts';
import { n8nVersions } from '../support/n8nVersions';
import { packageJson, readRepositoryFile } from '../support/repository';

it('every n8n in dev/n8n/ is tested', () => {
	expect(n8nVersions.map(({ version }) => version)).toEqual([...versions].reverse());
});

it('docs/development/compatibility.md lists which command runs the engine suites on each n8n', () => {
	const rows = n8nVersions.map(({ version, coreVersion }) => [
		version,
		coreVersion,
		packageJson.devDependencies['n8n-core'] === coreVersion
			? '`npm test`'
			: '`npm run test:engines`',
	]);
	const [, section = ''] = readRepositoryFile('docs/development/compatibility.md').split(
		'## The adapter',
	);
	const found = [...section.matchAll(/^\| +(\d.*) \|$/gm)].map(([, row = '']) =>
		row.split('|').map((cell) => cell.trim()),
	);
	expect(found).toEqual(rows);
});
