import { parse } from 'flatted';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { placePackage } from '../n8n/package.mjs';
import { freePort } from '../n8n/ports.mjs';
import { putCredential, RestError, signIn } from '../n8n/rest.mjs';
import { startHost } from '../n8n/start.mjs';
import { putWorkflow, run } from '../n8n/workflows.mjs';
import { measured, workflowOf } from './nodes.mjs';
import { usedBetween, watchProcess } from './process.mjs';

/** @typedef {import('../n8n/rest.mjs').Rest} Rest */
/** @typedef {import('../n8n/executions.mjs').Item} Item */

const login = { email: 'bench@example.com', password: 'Bench-of-this-package-1' };

/** Nobody's key: the bench's server does not check it. */
const apiKey = `eak_test_${'b'.repeat(24)}`;

const minimalNode = fileURLToPath(new URL('minimal', import.meta.url));

/** @typedef {import('./compare.mjs').Run & {items: Item[]}} Measured one run of the measured node */

/** @typedef {Awaited<ReturnType<typeof startN8n>>} N8n */

/**
 * Starts an n8n with this package.
 * @param {Omit<import('./candidates.mjs').Bench, 'url' | 'onStep'>} bench
 * @param {string} name for the folder of its data
 */
export async function startN8n({ host, tarball, service, files, options, ...bench }, name) {
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
		/**
		 * @param {string} url the server's
		 * @returns {Promise<import('./nodes.mjs').Access>}
		 */
		async accessTo(url) {
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
		/**
		 * Runs a workflow of these steps, and measures the last one.
		 * @param {import('./nodes.mjs').Node[]} steps
		 */
		measure: async (steps) =>
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

/**
 * @param {Rest} rest
 * @param {number} pid
 * @param {ReturnType<typeof workflowOf>} workflow
 * @returns {Promise<Measured>}
 */
async function measure(rest, pid, workflow) {
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
 * @param {Rest} rest
 * @param {string} id
 * @returns {Promise<{from: number, to: number, items: Item[]}>} times in milliseconds since 1970
 * @throws if the execution did not succeed
 */
async function nodeRun(rest, id) {
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
 * @template T
 * @param {() => Promise<T>} read
 * @returns {Promise<T>}
 */
async function retried(read) {
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
