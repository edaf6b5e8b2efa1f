import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { runMain, UserFacingError } from '../lib/errors.mts';
import { printStep } from '../lib/progress.mts';
import { root } from '../lib/root.cjs';
import { deleteAtExit } from '../lib/temporaryFolder.mts';
import { installN8n } from '../n8n/install.mts';
import { packPackage } from '../n8n/package.mts';
import { newest } from '../n8n/versions.mts';
import { cases, type Case } from './cases.mts';
import { compare } from './compare.mts';
import { createReport, reportFile, type Result } from './report.mts';
import { startBenchServer } from './startServer.mts';

const folder = path.join(root, '.cache/bench');

/** @throws {UserFacingError} if no case has this name */
function findCases(name: string): Case[] {
	const found = cases[name];
	if (found) return found;
	const names = Object.keys(cases).join(', ');
	throw new UserFacingError(`Unknown case "${name}". Cases: ${names}.`);
}

/** Runs the command `npm run bench`. `--only` names cases, and `--quick` runs each one once with a small load. */
async function main() {
	const { only, quick } = parseArgs({
		options: {
			only: { type: 'string', default: Object.keys(cases).join(',') },
			quick: { type: 'boolean', default: false },
		},
	}).values;
	const selected = only.split(',').flatMap(findCases);
	const rounds = quick ? 1 : 3;
	const tarball = await packPackage({ onStep: printStep });
	const installed = await installN8n(newest, { onStep: printStep });
	// A bench that was killed has left it.
	await rm(folder, { recursive: true, force: true });
	deleteAtExit(folder);
	const recordings = path.join(folder, 'recordings');
	await mkdir(recordings, { recursive: true });
	const results: Result[] = [];
	const server = await startBenchServer(folder);
	const bench = { installed, tarball, server, folder, recordings };
	for (const work of selected) {
		const measured = quick ? { ...work, load: work.warmUp } : work;
		results.push({ work, rows: await compare(bench, measured, rounds) });
	}
	await server.stop();
	const report = await createReport(results, installed, rounds);
	console.log(`\n${report}`);
	const isComplete = selected.length === Object.values(cases).flat().length;
	if (quick) console.log('The loads were small, so these figures mean nothing.');
	else if (isComplete) await writeFile(reportFile, report);
}

await runMain(main);
