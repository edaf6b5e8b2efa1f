import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

import { root } from '../../dev/lib/root.cjs';
import { typeScriptFlags } from '../../dev/lib/typeScriptFlags.cjs';
import { steps as ciSteps } from '../../.ci/steps.mts';
import { packageJson, readRepositoryFile, runCommand } from '../support/repository';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	/** A workflow that the job runs, in place of steps. */
	uses?: string;
	needs?: string | string[];
	container?: string;
	permissions?: Record<string, string>;
	strategy?: { matrix: { group?: string[] } };
	steps?: Step[];
}

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

/** What a job may do in addition to reading the repository. */
const extraPermissions: Record<string, Record<string, string>> = {
	publish: { 'id-token': 'write' },
	release: { contents: 'write' },
	report: { issues: 'write' },
};

const readWorkflow = (name: string) =>
	parse(readRepositoryFile(`.github/workflows/${name}.yml`)) as Workflow;
const listSteps = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

const names = readdirSync(path.join(root, '.github/workflows')).map((file) =>
	path.basename(file, '.yml'),
);

describe.each(names)('the workflow %s', (name) => {
	const { permissions, jobs } = readWorkflow(name);

	it('names every action by its commit, and pins its containers', () => {
		const lines =
			readRepositoryFile(`.github/workflows/${name}.yml`).match(/^.*\buses: (?!\.\/).*$/gm) ?? [];
		for (const line of lines) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
		for (const { container = '@sha256:' } of Object.values(jobs)) {
			expect(container).toContain('@sha256:');
		}
	});

	it('may read the repository, has no job with more rights than it needs, and leaves no token to commands', () => {
		expect(permissions).toEqual({ contents: 'read' });
		for (const [job, { permissions: own }] of Object.entries(jobs)) {
			expect(own).toEqual(extraPermissions[job]);
		}
		for (const { uses, with: inputs } of listSteps({ jobs })) {
			if (!uses?.startsWith('actions/checkout@')) continue;
			expect(inputs).toMatchObject({ 'persist-credentials': false });
		}
	});
});

it('.ci/run runs every suite but the mutation tests and the one of any n8n, and judges it by its tests', () => {
	const suites = Object.keys(packageJson.scripts).filter((name) =>
		/^test:(?!mutation|n8n$)/.test(name),
	);
	const commands = ['coverage', ...suites].map((name) => `npm run ${name}`);
	const judged = ciSteps.filter(({ isSuite }) => isSuite).map(({ command }) => command);
	expect(judged.sort()).toEqual(commands.sort());
});

it('ci.yml runs every group of steps of .ci/run', () => {
	const { strategy, steps = [] } = readWorkflow('ci').jobs.groups!;
	expect(steps.map(({ run: command }) => command)).toContain('.ci/run --group ${{ matrix.group }}');
	const groups = new Set(ciSteps.map(({ group }) => group));
	expect(new Set(strategy?.matrix.group)).toEqual(groups);
});

it.each([
	{ what: 'step', args: ['npm run nothing'], message: '"npm run nothing" is not a step' },
	{ what: 'group', args: ['--group', 'nothing'], message: '"nothing" is not a group' },
])('.ci/run fails if it is asked for an unknown $what', async ({ args, message }) => {
	const options = { cwd: root, timeout: 60_000 };
	const command = [...typeScriptFlags, '.ci/run.mts', ...args];
	const running = promisify(execFile)(process.execPath, command, options);
	await expect(running).rejects.toMatchObject({
		code: 1,
		stdout: expect.stringMatching(new RegExp(`${message}[^]*\\n0 passed, 1 failed\\n$`)) as string,
	});
});

it('only what passed the complete CI is built, and only what was built is published', () => {
	const { ci, build, publish, release } = readWorkflow('publish').jobs;
	expect(ci?.uses).toBe('./.github/workflows/ci.yml');
	expect([build?.needs, publish?.needs, release?.needs]).toEqual([
		'ci',
		'build',
		['build', 'publish'],
	]);
});

const jobsWithExtraPermissions = names.flatMap((workflow) =>
	Object.entries(readWorkflow(workflow).jobs)
		.filter(([job]) => job in extraPermissions)
		.map(([job, { steps = [] }]) => ({ workflow, job, steps })),
);

it.each(jobsWithExtraPermissions)(
	'the job $job of $workflow, which may write, runs no code of the repository or its dependencies',
	({ steps }) => {
		const actions = steps.flatMap(({ uses = [] }) => uses);
		expect(actions.filter((action) => /^(\.|actions\/checkout@)/.test(action))).toEqual([]);
		for (const { run: command = '' } of steps) {
			expect(command).not.toMatch(/npm (ci|i|install|run|test|exec)\b|npx|node /);
		}
	},
);

it('every job that may write is tested above', () => {
	const jobs = jobsWithExtraPermissions.map(({ job }) => job);
	expect([...new Set(jobs)].sort()).toEqual(Object.keys(extraPermissions).sort());
});

it('the package is published without its scripts', () => {
	const { publish } = readWorkflow('publish').jobs;
	expect(publish?.steps?.map(({ run: command }) => command)).toContainEqual(
		expect.stringMatching(/^npm publish .*--ignore-scripts/),
	);
});

it('nobody publishes by hand, without provenance', () => {
	// npm runs this script first when it publishes a folder, and publishes nothing if it fails.
	const publish = () => runCommand('npm', ['run', '--ignore-scripts=false', 'prepublishOnly']);
	expect(publish).toThrow(expect.objectContaining({ status: 1 }));
});

it('the weekly check of the newest n8n knows the release that its image has', () => {
	const { steps } = readWorkflow('newest-n8n').jobs.test!;
	expect(steps?.map(({ run: command }) => command)).toContainEqual(
		expect.stringMatching(/ --released "\$\(gh release view --repo n8n-io\/n8n /),
	);
});
