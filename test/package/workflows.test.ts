import { parse } from 'yaml';

import { packageJson, read, trackedFiles } from './repository';

interface Step {
	name?: string;
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	strategy?: { matrix: { node: number[] } };
	steps: Step[];
}

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
const names = ['ci', 'publish'];
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
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
			.filter((line) => /\buses:/.test(line));
		expect(lines.length).toBeGreaterThan(0);
		for (const line of lines) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('may read the repository, and no job more than it needs', () => {
		expect(permissions).toEqual({ contents: 'read' });
		for (const [job, { permissions: own }] of Object.entries(jobs)) {
			const needed = job === 'publish' ? { contents: 'read', 'id-token': 'write' } : undefined;
			expect(own).toEqual(needed);
		}
	});

	it('leaves no token to the commands, and ends by itself', () => {
		for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(45);
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
		expect(scripts.length).toBeGreaterThan(3);
		for (const script of scripts) expect(packageJson.scripts).toHaveProperty([script]);
	});
});

it('every change is tested on the versions of Node that the package allows', () => {
	expect(workflow('ci').jobs.test?.strategy?.matrix.node).toEqual([20, 22, 24]);
	expect(packageJson).toMatchObject({ engines: { node: '>=20' } });
});

it('every change runs what CONTRIBUTING says that it must pass', () => {
	const all = ['build', 'types', 'lint', 'scan', 'coverage', 'release:check', 'demo'];
	const suites = ['full', 'hosts', 'engines', 'browser', 'queue'].map((suite) => `test:${suite}`);
	const commands = commandsOf('ci').join('\n');
	for (const script of [...all, ...suites]) expect(commands).toContain(`npm run ${script}`);
	expect(commands).toContain('npm test');
	expect(commands).toContain('npx prettier --check .');
});

it('a release is checked before it is published, and carries its provenance', () => {
	const commands = commandsOf('publish');
	expect(commands.at(-1)).toBe('npm publish --provenance --access public');
	expect(commands).toEqual(
		expect.arrayContaining([
			'npm run release:check -- --tag "$GITHUB_REF_NAME"',
			...['npm run build', 'npm run lint', 'npm run scan', 'npm test'],
		]),
	);
});
