import { parse } from 'flatted';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../lib/root.cjs';
import { placePackage } from '../n8n/package.mts';
import { freePort } from '../lib/ports.mts';
import { putCredential, RestError, signIn } from '../n8n/rest.mts';
import { startHost } from '../n8n/start.mts';
import { putWorkflow, run } from '../n8n/workflows.mts';
import { measured, workflowOf } from './nodes.mts';
import { usedBetween, watchProcess } from './process.mts';
import type { Rest } from '../n8n/rest.mts';
import type { Item } from '../n8n/executions.mts';
import type { Run } from './compare.mts';
import type { Bench } from './candidates.mts';
import type { Access, Node } from './nodes.mts';

const login = { email: 'bench@example.com', password: 'Bench-of-this-package-1' };

/** Nobody's key: the bench's server does not check it. */
const apiKey = `eak_test_${'b'.repeat(24)}`;

const minimalNode = join(root, 'dev/bench/minimal');

/** one run of the measured node */
export type Measured = Run & { items: Item[] };

export type N8n = Awaited<ReturnType<typeof startN8n>>;

/**
 * Starts an n8n with this package.
 * @param name for the folder of its data
 */
export async function startN8n(
	{ host, tarball, service, files, options, ...bench }: Omit<Bench, 'url' | 'onStep'>,
	name: string,
) {
	const folder = join(bench.folder, name.replace(/\W+/g, '-').toLowerCase());
	await rm(folder, { recursive: true, force: true });
	await placePackage(tarball, folder);
	const storage = join(folder, 'storage');
	const n8n = await startHost(host, {
		userFolder: folder,
		port: await freePort(),
		logFile: join(folder, 'n8n.log'),
		nodeFlags: options.nodeFlags,
		environment: {
			N8N_RESTRICT_FILE_ACCESS_TO: files,
			N8N_STORAGE_PATH: storage,
			N8N_CUSTOM_EXTENSIONS: minimalNode,
			NODE_EXTRA_CA_CERTS: service.certificate,
		},
	});
	const rest = await signIn(n8n.url, login);
	const header = await putCredential(rest, {
		name: 'Header',
		type: 'httpHeaderAuth',
		data: { name: 'X-API-Key', value: apiKey },
	});
	return {
		/** @param url the server's */
		async accessTo(url: string): Promise<Access> {
			const voice = await putCredential(rest, {
				name: 'Voice and Speech',
				type: 'voiceSpeechApi',
				data: { apiKey, environment: 'sandbox', baseUrl: url },
			});
			return { url, credentials: { voice, header } };
		},
		pid: n8n.pid,
		/** The folder of its files. */
		storage,
		/** Runs a workflow of these steps, and measures the last one. */
		measure: async (steps: Node[]) =>
			await measure(rest, n8n.pid, workflowOf(steps, options.quick ? 0 : 4)),
		/** Deletes the files of earlier executions. */
		clear: async () => await rm(join(storage, 'workflows'), { recursive: true, force: true }),
		/** Ends n8n, and deletes all its data. */
		async stop() {
			await n8n.stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function measure(
	rest: Rest,
	pid: number,
	workflow: ReturnType<typeof workflowOf>,
): Promise<Measured> {
	const { id } = await putWorkflow(rest, workflow);
	const endWatch = watchProcess(pid);
	try {
		const execution = await run(rest, { ...workflow, id }, 'Start');
		const { from, to, items } = await nodeRun(rest, execution);
		return { seconds: (to - from) / 1_000, ...usedBetween(endWatch(), from, to), items };
	} finally {
		endWatch();
	}
}

/**
 * Waits for an execution, and reads how n8n recorded the run of the measured node.
 * @returns times in milliseconds since 1970
 * @throws if the execution did not succeed
 */
async function nodeRun(
	rest: Rest,
	id: string,
): Promise<{ from: number; to: number; items: Item[] }> {
	// Rarely: reading executions is work for the n8n that is being measured.
	for (let wait = 500; ; wait = Math.min(wait * 1.5, 3_000)) {
		await sleep(wait);
		const { results } = await retried(async () => await rest.call('GET', '/executions?limit=1'));
		if (results[0]?.id === id && results[0].stoppedAt) break;
	}
	const { status, data } = await retried(async () => await rest.call('GET', `/executions/${id}`));
	const { resultData } = parse(data);
	if (status !== 'success') {
		const { message, description = '' } = resultData.error ?? {};
		throw new Error(`A workflow ended with "${status}": ${message} ${description}`);
	}
	const [{ startTime, executionTime, data: output }] = resultData.runData[measured];
	return { from: startTime, to: startTime + executionTime, items: output.main[0] };
}

/**
 * A busy n8n may close a connection that is about to be used again, not respond for minutes, or report that its
 * database is not ready.
 */
async function retried<T>(read: () => Promise<T>): Promise<T> {
	for (let failures = 0; ; failures++) {
		try {
			return await read();
		} catch (error) {
			const isBusy = error instanceof RestError ? error.status === 503 : error instanceof TypeError;
			if (!isBusy || failures === 20) throw error;
			await sleep(1_000);
		}
	}
}
