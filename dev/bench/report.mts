import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { createMarkdownTable } from '../lib/markdown.mts';
import { computeMedian } from '../lib/median.mts';
import { root } from '../lib/root.cjs';
import type { InstalledN8n } from '../n8n/install.mts';
import type { Case } from './cases.mts';
import type { Row } from './compare.mts';

export interface Result {
	work: Case;
	/** The candidates, this node first. */
	rows: Row[];
}

export const reportFile = path.join(root, 'dev/bench/results.md');

/** The target of the growth of n8n's memory, in every case. */
const growthTarget = 64 * 1024 ** 2;

/** The targets of the times in which n8n responds, in seconds, wherever they are measured. */
const healthTarget = 0.15;
const cancelTarget = 1;

const formatSeconds = (seconds: number) => seconds.toFixed(2);

function formatGrowth(bytes: number): string {
	const count = Math.round(bytes / 1024 ** 2);
	return `${count < 0 ? '' : '+'}${count} MiB`;
}

/** @returns e.g. `1.20 (1.10 to 1.40)`; empty without values */
function formatSpread(values: number[], formatValue: (value: number) => string): string {
	if (values.length === 0) return '';
	const lowest = formatValue(Math.min(...values));
	const highest = formatValue(Math.max(...values));
	return `${formatValue(computeMedian(values))} (${lowest} to ${highest})`;
}

/** @returns the text, bold if the value misses its target */
const markMiss = (text: string, value: number, target: number): string =>
	value > target ? `**${text}**` : text;

/** @returns the cells of one candidate */
function createCells({ work, rows }: Result, { name, runs }: Row): string[] {
	const isOwn = name === 'this node';
	const seconds = runs.map((run) => run.seconds);
	// These two are not measured for curl and ffmpeg, so their lists are empty.
	const processorSeconds = runs.flatMap((run) => run.processorSeconds ?? []);
	const growth = runs.flatMap((run) => run.growth ?? []);
	const formatResponses = (times: number[], target: number) =>
		markMiss(formatSpread(times, formatSeconds), computeMedian(times), target);
	const ownSeconds = rows[0]?.runs.map((run) => run.seconds) ?? [];
	const ratio = computeMedian(ownSeconds) / computeMedian(seconds);
	return [
		isOwn ? work.title : '',
		name,
		formatSpread(seconds, formatSeconds),
		formatSpread(processorSeconds, formatSeconds),
		markMiss(
			formatSpread(growth, formatGrowth),
			computeMedian(growth),
			isOwn ? growthTarget : Infinity,
		),
		formatResponses(
			runs.flatMap((run) => run.healthSeconds ?? []),
			healthTarget,
		),
		formatResponses(
			runs.flatMap((run) => run.cancelSeconds ?? []),
			cancelTarget,
		),
		isOwn ? '' : markMiss(`${ratio.toFixed(2)} ×`, ratio, work.others[name] ?? Infinity),
	];
}

/** @returns where and when it was measured, without anything that identifies the machine */
function describeMachine(installed: InstalledN8n): string {
	// The package is built from the working tree, which can differ from the commit.
	const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root }).toString();
	const node = execFileSync(installed.node, ['-p', 'process.versions.node']).toString();
	const day = new Date().toISOString().slice(0, 10);
	const processors = `${cpus().length} processor cores (${cpus()[0]?.model.trim()})`;
	const memory = `${(totalmem() / 1024 ** 3).toFixed(1)} GiB of memory`;
	const system = `${type()} ${release().split('-')[0]}`;
	return `Measured on ${day} at commit ${commit.trim()}, with n8n ${installed.version} on Node ${node.trim()}, the server on Node ${process.versions.node}, ${processors}, ${memory}, ${system}.`;
}

/**
 * @param rounds how often each candidate did each work
 * @returns Markdown
 */
export async function createReport(
	results: Result[],
	installed: InstalledN8n,
	rounds: number,
): Promise<string> {
	const head = [
		'work',
		'candidate',
		'seconds',
		'processor seconds',
		'memory growth',
		'longest delay of /healthz in seconds',
		'longest cancellation in seconds',
		"this node's time relative to it",
	];
	const rows = results.flatMap((result) => result.rows.map((row) => createCells(result, row)));
	const text = [
		'# Results of `npm run bench`',
		`What this node needs, compared with others that do the same work. ${rounds === 1 ? 'One run' : `Medians of ${rounds} runs (lowest to highest)`}. **Bold** misses its target. [How to read the results](README.md#how-to-read-the-results).`,
		describeMachine(installed),
		createMarkdownTable(head, rows),
	].join('\n\n');
	const config = await resolveConfig(reportFile);
	return await format(text, { ...config, filepath: reportFile });
}
