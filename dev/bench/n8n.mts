import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { watchProcess, type ProcessUsage } from '../lib/processUsage.mts';
import { root } from '../lib/root.cjs';
import { waitForExecution } from '../n8n/executions.mts';
import type { InstalledN8n } from '../n8n/install.mts';
import { placePackage } from '../n8n/package.mts';
import { putCredential, signIn, type Rest } from '../n8n/rest.mts';
import { startN8n } from '../n8n/start.mts';
import { putWorkflow, runWorkflow } from '../n8n/workflows.mts';
import type { Case } from './cases.mts';
import { createWorkflow, measuredName, type Access, type MeasuredNode } from './nodes.mts';
import type { Load } from './recordings.mts';
import { watchResponses, type ResponseTimes } from './responses.mts';
import type { BenchServer } from './startServer.mts';

/** What all cases share. */
export interface Bench {
	installed: InstalledN8n;
	/** Path of this package. */
	tarball: string;
	server: BenchServer;
	/** Folder for n8n's data. */
	folder: string;
	/** Folder for the recordings, which n8n may read. */
	recordings: string;
}

export interface MeasuredRun extends ProcessUsage, Partial<ResponseTimes> {
	seconds: number;
}

/** Without this flag, transfers are slow in some n8n processes, by chance (README.md). */
const nodeFlags = ['--no-allocation-site-pretenuring'];

/** An execution of the longest case takes less than a minute on an idle machine. */
const executionLimitMs = 600_000;

/** The pause is long, because reading an execution is work for the n8n that is measured. */
const readIntervalMs = 2_000;

/** The server does not check the key, so it belongs to nobody. */
const apiKey = `eak_test_${'b'.repeat(24)}`;

/**
 * Starts an n8n, warms a node up with a small load, and measures it with the entire load.
 *
 * @throws if n8n fails, or if the audio of an item did not arrive completely
 */
export async function runInN8n(bench: Bench, work: Case, name: MeasuredNode): Promise<MeasuredRun> {
	const userFolder = path.join(bench.folder, 'n8n');
	const storage = path.join(userFolder, 'storage');
	await placePackage(bench.tarball, userFolder);
	const n8n = await startN8n(bench.installed, {
		userFolder,
		port: await getPort(),
		logFile: path.join(bench.folder, 'n8n.log'),
		nodeFlags,
		environment: {
			N8N_RESTRICT_FILE_ACCESS_TO: bench.recordings,
			N8N_STORAGE_PATH: storage,
			N8N_CUSTOM_EXTENSIONS: path.join(root, 'dev/bench/minimal'),
			NODE_EXTRA_CA_CERTS: bench.server.certificate,
		},
	});
	try {
		const rest = await signIn(n8n.url, {
			email: 'bench@example.com',
			password: 'Bench-of-this-package-1',
		});
		const runLoad = async (load: Load) => {
			const access = await createAccess(rest, `${bench.server.urls[work.protocol]}/${load.bytes}`);
			const workflow = await createWorkflow(name, work.input, load, access, bench.recordings);
			const { id } = await putWorkflow(rest, workflow);
			const endWatch = await watchProcess(n8n.pid);
			const endResponses = work.measuresResponses ? await watchResponses(rest) : undefined;
			const runOnce = async () => {
				const executionId = await runWorkflow(rest, { ...workflow, id }, 'Start');
				return await waitForMeasuredNode(rest, executionId);
			};
			const tasks = await Promise.all(Array.from({ length: load.executions ?? 1 }, runOnce));
			const from = Math.min(...tasks.map(({ startTime }) => startTime));
			const to = Math.max(
				...tasks.map(({ startTime, executionTime }) => startTime + executionTime),
			);
			const usage = endWatch(from, to);
			const responses = await endResponses?.({ from, to });
			for (const { data } of tasks) await checkItems(data?.main?.[0] ?? [], load, storage);
			return { seconds: (to - from) / 1_000, ...usage, ...responses };
		};
		await runLoad(work.warmUp);
		return await runLoad(work.load);
	} finally {
		await n8n.stop();
		await rm(userFolder, { recursive: true, force: true });
	}
}

/**
 * @returns what n8n recorded of the measured node
 * @throws if the execution fails
 */
async function waitForMeasuredNode(rest: Rest, executionId: string): Promise<ITaskData> {
	const execution = await waitForExecution(rest, executionId, executionLimitMs, readIntervalMs);
	const { status, error } = execution;
	const measured = execution.task(measuredName);
	if (status === 'success' && measured) return measured;
	throw new Error(`A workflow ended with "${status}": ${error}`);
}

/** Saves the credentials for a base URL. */
async function createAccess(rest: Rest, url: string): Promise<Access> {
	const voice = await putCredential(rest, {
		name: 'Voice and Speech',
		type: 'voiceSpeechApi',
		data: { apiKey, environment: 'sandbox', baseUrl: url },
	});
	const header = await putCredential(rest, {
		name: 'Header',
		type: 'httpHeaderAuth',
		data: { name: 'X-API-Key', value: apiKey },
	});
	return { url, voice, header };
}

/** @throws unless the audio of each item arrived completely, at the server or in n8n's storage */
async function checkItems(items: INodeExecutionData[], { count, bytes }: Load, storage: string) {
	// Each part of a recording says how many there are, and how long its own file is.
	const expectedCount = Number(items[0]?.json.parts ?? count);
	const isAll = items.length === expectedCount;
	if (!isAll) throw new Error(`${expectedCount} items became ${items.length}`);
	for (const { json, binary } of items) {
		const stored = binary?.data?.id?.replace(/^[^:]*:/, '');
		const arrived = stored ? (await stat(path.join(storage, stored))).size : Number(json.received);
		const expected = json.parts === undefined ? bytes : Number(json.bytes);
		// The body of an upload also has the boundaries and headers of its parts.
		const isComplete = arrived >= expected && arrived < expected + 2_000;
		if (!isComplete) throw new Error(`${arrived} of ${expected} bytes arrived`);
	}
}
