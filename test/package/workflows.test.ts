import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

import { root } from '../../dev/lib/root.cjs';
import { preparation, steps as ciSteps } from '../../.ci/steps.mts';
import { packageJson, read, run } from '../support/repository';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
}

interface Job {
	/** A workflow that the job runs, in place of steps. */
	uses?: string;
	needs?: string | string[];
	container?: string;
	'timeout-minutes'?: number;
	permissions?: Record<string, string>;
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

const readWorkflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
const listSteps = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

const names = readdirSync(path.join(root, '.github/workflows')).map((file) =>
	path.basename(file, '.yml'),
);

describe.each(names)('the workflow %s', (name) => {
	const { permissions, jobs } = readWorkflow(name);

	it('names every action by its commit, and pins its containers', () => {
		const lines = read(`.github/workflows/${name}.yml`).match(/^.*\buses: (?!\.\/).*$/gm)!;
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

describe('.ci/run', () => {
	it('runs every suite but the mutation tests and the one of any n8n, and judges it by its tests', () => {
		const suites = Object.keys(packageJson.scripts).filter((name) =>
			/^test:(?!mutation$|n8n$)/.test(name),
		);
		const commands = ['coverage', ...suites].map((name) => `npm run ${name}`);
		const judged = ciSteps.filter(({ isSuite }) => isSuite).map(({ command }) => command);
		expect(judged.sort()).toEqual(commands.sort());
	});

	it('is what GitHub runs for each change, next to the tests on newer Node.js', () => {
		const commands = listSteps(readWorkflow('ci')).map(({ run: command }) => command);
		const safe = 'git config --global --add safe.directory "$GITHUB_WORKSPACE"';
		expect(commands.filter(Boolean)).toEqual([safe, '.ci/run', 'npm test']);
	});

	it('has time on GitHub for every step to reach its limit', () => {
		const packages = Number(/timeout (\d+)m/.exec(read('.ci/run'))?.[1]);
		// A step starts at the latest when both lanes have shared all steps before it.
		let earlier = 0;
		const ends = ciSteps.map(({ minutes }) => {
			const end = earlier / 2 + minutes;
			earlier += minutes;
			return end;
		});
		const limit = readWorkflow('ci').jobs.all?.['timeout-minutes'];
		expect(limit).toBeGreaterThanOrEqual(packages + preparation.minutes + Math.max(...ends));
	});
});

describe('the weekly run on the newest n8n', () => {
	const { report } = readWorkflow('newest-n8n').jobs;

	it('opens an issue, unless one is open for this version', () => {
		const script = report?.steps?.[0]?.run ?? '';
		const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-gh-'));
		const record = path.join(folder, 'calls');
		// A stand-in for GitHub's command, which lists the open issues, and records what it is called with.
		const gh = `#!/bin/bash\nprintf '%s\\n' "$@" >> ${record}\n[ "$2" = list ] && cat ${folder}/open || true\n`;
		writeFileSync(path.join(folder, 'gh'), gh, { mode: 0o755 });
		const runWith = (open: string) => {
			writeFileSync(path.join(folder, 'open'), open);
			writeFileSync(record, '');
			const env = { PATH: `${folder}:${process.env.PATH}`, VERSION: '3.0.0', RUN: 'https://a/1' };
			run('bash', ['-e', '-o', 'pipefail', '-c', script], folder, env);
			return readFileSync(record, 'utf8');
		};
		try {
			const created = runWith('Tests fail on n8n 3.0.01\nSomething else\n');
			expect(created).toContain('create\n--title\nTests fail on n8n 3.0.0\n--body\n');
			expect(created).toContain(
				'The weekly run failed: https://a/1\n\nWhat to do: docs/development/maintaining.md',
			);
			expect(runWith('')).toContain('create');
			expect(runWith('Tests fail on n8n 3.0.0\n')).not.toContain('create');
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
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
		for (const { run: command = '' } of steps) {
			expect(command).not.toMatch(/npm (ci|i|install|run|test|exec)\b|npx|node /);
		}
	},
);

it('every job that may write is tested above', () => {
	const jobs = jobsWithExtraPermissions.map(({ job }) => job);
	expect(jobs.sort()).toEqual(Object.keys(extraPermissions).sort());
});

it('the package is published without its scripts', () => {
	const { publish } = readWorkflow('publish').jobs;
	expect(publish?.steps?.map(({ run: command }) => command)).toContainEqual(
		expect.stringMatching(/^npm publish .*--ignore-scripts/),
	);
});

describe('the release on GitHub', () => {
	const { release } = readWorkflow('publish').jobs;
	const [, attach] = release!.steps!.slice(1);

	it.each([
		{ what: 'created', status: 1, expected: ['view', 'create', 'upload'] },
		{ what: 'kept if somebody wrote it', status: 0, expected: ['view', 'upload'] },
	])(
		'is $what, and gets the package under the name that npm pack gives it',
		({ status, expected }) => {
			const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-gh-'));
			// A stand-in for GitHub's command, which records what it is called with, and knows the release or not.
			const gh = `#!/bin/bash\nprintf '%s\\n' "$*" >> calls\n[ "$2" != view ] || exit ${status}\n`;
			writeFileSync(path.join(folder, 'gh'), gh, { mode: 0o755 });
			writeFileSync(path.join(folder, 'package.tgz'), 'the package');
			try {
				const env = { PATH: `${folder}:${process.env.PATH}`, TAG: 'v1.2.3', GH_REPO: 'a/b' };
				run('bash', ['-e', '-c', attach?.run ?? ''], folder, env);
				const calls = readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
				expect(calls.map((call) => call.split(' ')[1])).toEqual(expected);
				const file = `${packageJson.name}-1.2.3.tgz`;
				expect(calls.at(-1)).toBe(`release upload v1.2.3 ${file} --clobber`);
				expect(readFileSync(path.join(folder, file), 'utf8')).toBe('the package');
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
		},
	);
});
