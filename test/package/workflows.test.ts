/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { parse } from 'yaml';

import { createRequire } from 'node:module';
import { packageJson, read, trackedFiles } from './repository';

const { findReleaseFaults } = createRequire(__filename)('../../dev/scripts/release-rules.cjs') as {
	findReleaseFaults(release: object): string[];
};

interface Step {
	name?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}

interface Job {
	/** A workflow that the job runs, in place of steps. */
	uses?: string;
	needs?: string;
	container?: string;
	outputs?: Record<string, string>;
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	strategy?: { matrix: { node: number[] } };
	steps?: Step[];
}

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
const names = ['ci', 'publish'];
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const commandsOf = (name: string) =>
	stepsOf(workflow(name)).flatMap(({ run }) => (run === undefined ? [] : [run]));

it('are these', () => {
	const files = trackedFiles.filter((file) => file.startsWith('.github/workflows/'));
	expect(files.sort()).toEqual(names.map((name) => `.github/workflows/${name}.yml`));
});

describe.each(names)('the workflow %s', (name) => {
	const { permissions, jobs } = workflow(name);

	it('names every action by its commit, with the version beside it', () => {
		const lines = read(`.github/workflows/${name}.yml`)
			.split('\n')
			.filter((line) => /\buses:/.test(line) && !/uses: \.\//.test(line));
		expect(lines.length).toBeGreaterThan(0);
		for (const line of lines) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('may read the repository, and no job more than it needs', () => {
		expect(permissions).toEqual({ contents: 'read' });
		for (const [job, { permissions: own }] of Object.entries(jobs)) {
			const needed = job === 'publish' ? { 'id-token': 'write' } : undefined;
			expect(own).toEqual(needed);
		}
	});

	it('leaves no token to the commands, pins its containers, and ends by itself', () => {
		for (const { uses, container = '@sha256:', 'timeout-minutes': limit } of Object.values(jobs)) {
			if (!uses) expect(limit).toBeLessThanOrEqual(45);
			expect(container).toContain('@sha256:');
		}
		for (const { uses, with: inputs } of stepsOf({ jobs })) {
			if (uses?.startsWith('actions/checkout@')) {
				expect(inputs).toMatchObject({ 'persist-credentials': false });
			}
		}
	});

	it('runs commands that there are', () => {
		const scripts = commandsOf(name).flatMap((command) => {
			const [, script] = /^npm (?:run )?([\w:-]+)/.exec(command) ?? [];
			return script === undefined || ['ci', 'publish'].includes(script) ? [] : [script];
		});
		expect(scripts.length).toBeGreaterThan(1);
		for (const script of scripts) expect(packageJson.scripts).toHaveProperty([script]);
	});
});

it('every change is tested on the versions of Node that the package allows', () => {
	expect(workflow('ci').jobs.test?.strategy?.matrix.node).toEqual([20, 22, 24]);
	expect(packageJson).toMatchObject({ engines: { node: '>=20' } });
});

it('every change runs what CONTRIBUTING says that it must pass', () => {
	const all = ['build', 'types', 'lint', 'scan', 'coverage', 'release:check'];
	const suites = ['full', 'hosts', 'engines', 'browser', 'queue'].map((suite) => `test:${suite}`);
	const commands = commandsOf('ci').join('\n');
	for (const script of [...all, ...suites]) expect(commands).toContain(`npm run ${script}`);
	expect(commands).toContain('npm test');
	expect(commands).toContain('npx prettier --check .');
});

it('what is published is what passed the whole CI and was built without credentials', () => {
	const { ci, build, publish } = workflow('publish').jobs;
	expect(ci?.uses).toBe('./.github/workflows/ci.yml');
	expect([build?.needs, publish?.needs]).toEqual(['ci', 'build']);
	expect(build?.steps?.map(({ run }) => run)).toEqual(
		expect.arrayContaining([
			'npm test',
			'npm run release:check -- --tag "$GITHUB_REF_NAME" --output release',
		]),
	);
	const hash = publish?.steps?.find(({ env }) => env)?.env?.SHA256;
	expect(hash).toBe('${{ needs.build.outputs.sha256 }}');
	expect(publish?.steps?.flatMap(({ run = [] }) => run)).toEqual([
		'echo "$SHA256  package.tgz" | sha256sum --check --strict',
		'npm publish ./package.tgz --ignore-scripts --provenance --access public',
	]);
});

describe('release:check --tag', () => {
	const release = {
		tag: 'v1.2.3',
		manifest: { version: '1.2.3', homepage: 'https://github.com/somebody/voice' },
		texts: new Map([['CHANGELOG.md', '## [1.2.3] - 2030-01-31']]),
		repository: 'somebody/voice',
	};
	const withText = (text: string) => ({
		texts: new Map([...release.texts, ['README.md', text]]),
	});

	it('accepts a release that is ready', () => {
		expect(findReleaseFaults(release)).toEqual([]);
	});

	it.each([
		['another version', { tag: 'v1.2.4' }, 'The tag is v1.2.4, but package.json has 1.2.3.'],
		['no section', { texts: new Map() }, 'CHANGELOG.md has no section "## [1.2.3] - <date>".'],
		[
			'another repository',
			{ repository: 'a/b' },
			/^The homepage in package\.json is .+voice, not .+a\/b\.$/,
		],
		[
			'a text of before',
			withText('It is not\non npm yet.'),
			'README.md states that the package is not on npm.',
		],
		[
			'an announcement',
			withText('Once the package is published'),
			'README.md announces the first release.',
		],
		[
			'a placeholder',
			withText(`<maintainers${'@'}voice.example>`),
			/^README\.md contains the placeholder/,
		],
		[
			'a note about placeholders',
			withText('Both are placeholders until the owner sets real ones.'),
			'README.md states that addresses are placeholders.',
		],
	])('refuses %s', (_what, change, fault) => {
		expect(findReleaseFaults({ ...release, ...change })).toEqual([
			typeof fault === 'string' ? fault : expect.stringMatching(fault),
		]);
	});
});
