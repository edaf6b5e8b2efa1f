import { parse } from 'yaml';

import { packageJson, readRepositoryFile } from '../support/repository';

it('the tools that @n8n/node-cli brings have its versions in package.json', () => {
	const { dependencies } = JSON.parse(
		readRepositoryFile('node_modules/@n8n/node-cli/package.json'),
	) as {
		dependencies: Record<string, string>;
	};
	const { devDependencies } = packageJson;
	for (const name of ['eslint', 'prettier', 'typescript-eslint']) {
		expect([name, devDependencies[name]]).toEqual([name, dependencies[name]]);
	}
	expect(devDependencies['@eslint/js']).toBe(devDependencies.eslint);
});

interface IgnoreRule {
	'dependency-name': string;
	/** The kinds of updates that are ignored; all without it. */
	'update-types'?: string[];
}

const { updates } = parse(readRepositoryFile('.github/dependabot.yml')) as {
	updates: Array<{ ignore?: IgnoreRule[] }>;
};
const ignoreRules = updates[0]!.ignore!;

it('Dependabot leaves the packages that n8n consists of, the tools that it brings and the reviewed decoder to a person', () => {
	const [, listed = ''] =
		/n8n consists of \(([^)]*)\)/.exec(readRepositoryFile('dev/n8n/README.md')) ?? [];
	const names = [...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
	const ignored = ignoreRules
		.filter((rule) => rule['update-types'] === undefined)
		.map((rule) => rule['dependency-name']);
	expect(names).not.toEqual([]);
	const tools = ['eslint', '@eslint/js', 'prettier', 'typescript', 'typescript-eslint'];
	expect(ignored.sort()).toEqual([...names, ...tools, 'opus-decoder'].sort());
});

it('Dependabot keeps the types of Node.js at their major version', () => {
	expect(ignoreRules).toContainEqual({
		'dependency-name': '@types/node',
		'update-types': ['version-update:semver-major'],
	});
});
