import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/root.cjs';
import { installHost } from '../n8n/install.mts';
import { packPackage } from '../n8n/package.mts';
import { Problem } from '../lib/problem.mts';
import { deleteAfterwards } from '../lib/processes.mts';
import { newest } from '../n8n/versions.mts';
import { cases } from './cases.mts';
import { compare } from './compare.mts';
import { createReport } from './report.mts';
import { startService } from './service.mts';
import type { Bench } from './compare.mts';
import type { Result } from './report.mts';

const onStep = (step: string) => console.log(`${new Date().toLocaleTimeString('en-GB')}  ${step}`);

/** @throws {Problem} if there is no such case */
function readOptions() {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', default: Object.keys(cases).join(',') },
			quick: { type: 'boolean', default: false },
		},
	});
	const selected = values.only.split(',');
	const unknown = selected.find((name) => cases[name] === undefined);
	if (unknown !== undefined) {
		throw new Problem(`Unknown case "${unknown}". Cases: ${Object.keys(cases).join(', ')}.`);
	}
	return { selected, isQuick: values.quick };
}

/** @returns the results of all cases, also of those that failed */
async function measure(bench: Bench, selected: string[]): Promise<Result[]> {
	const results: Result[] = [];
	for (const [name, work] of Object.entries(cases)) {
		if (!selected.includes(name)) continue;
		const result: Result = { work, rows: [] };
		try {
			result.rows = await compare(bench, work, (step) => onStep(`${name}: ${step}`));
		} catch (error) {
			// A case that fails must not cost the results of the others.
			result.failure = (error as Error).message;
		}
		results.push(result);
	}
	return results;
}

const { selected, isQuick } = readOptions();
const tarball = await packPackage({ onStep });
const host = await installHost(newest, { onStep });
await mkdir(join(root, '.demo'), { recursive: true });
const folder = await mkdtemp(join(root, '.demo', 'bench-'));
deleteAfterwards(folder);
const service = await startService(folder);
const recordings = join(folder, 'recordings');
await mkdir(recordings);
const results = await measure({ isQuick, host, tarball, service, folder, recordings }, selected);
await service.stop();
const report = await createReport(results, host);
console.log(`\n${report}`);
if (isQuick) console.log('The loads were small, so these figures mean nothing.');
if (results.some(({ failure }) => failure !== undefined)) {
	process.exitCode = 1;
} else if (!isQuick && results.length === Object.keys(cases).length) {
	await writeFile(join(root, 'dev/bench/results.md'), report);
}
