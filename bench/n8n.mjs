import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { placePackage } from '../hosts/package.mjs';
import { freePort } from '../hosts/ports.mjs';
import { putCredential, signIn } from '../hosts/rest.mjs';
import { startHost } from '../hosts/start.mjs';
import { putWorkflow, run } from '../hosts/workflows.mjs';
import { nodeRun } from './execution.mjs';
import { measured, workflowOf } from './nodes.mjs';
import { usedBetween, watchProcess } from './process.mjs';

const login = { email: 'bench@example.com', password: 'Bench-of-this-package-1' };

/** No key of anyone's: the bench's own server asks for none. */
const apiKey = `eak_test_${'b'.repeat(24)}`;

/**
 * What one run of the measured node came to.
 * @typedef {object} Measure
 * @property {number} seconds
 * @property {number} [growth] of the n8n process, in bytes, above the level before the node began
 * @property {number} [cpu] seconds of processor time that the n8n process used
 * @property {import('../hosts/executions.mjs').Item[]} items what it put out
 * @property {number} from when it began, in milliseconds since 1970
 * @property {number} to
 */

/**
 * An n8n of its own, with this package, ready to be measured.
 * @typedef {object} N8n
 * @property {import('./nodes.mjs').Reach} reach
 * @property {number} pid
 * @property {string} storage the folder of its files
 * @property {(steps: import('./nodes.mjs').Node[]) => Promise<Measure>} measure runs a workflow of these steps, and measures the last one
 * @property {() => Promise<void>} clear deletes the files of what has run
 * @property {() => Promise<void>} stop ends n8n, and deletes all it kept
 */

/**
 * @param {object} options
 * @param {import('../hosts/install.mjs').Host} options.host
 * @param {string} options.tarball of this package
 * @param {string} options.folder where it keeps what it makes
 * @param {string} options.files the folder that it may read
 * @param {string} options.url the server's
 * @param {Record<string, string>} [options.environment]
 * @param {string[]} [options.nodeFlags] for the Node that runs it
 * @returns {Promise<N8n>}
 */
export async function startN8n({ host, tarball, folder, files, url, environment, nodeFlags }) {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await placePackage(tarball, folder);
	const n8n = await startHost(host, {
		userFolder: folder,
		port: await freePort(),
		logFile: join(folder, 'n8n.log'),
		nodeFlags,
		environment: {
			N8N_RESTRICT_FILE_ACCESS_TO: files,
			N8N_STORAGE_PATH: join(folder, 'storage'),
			...environment,
		},
	});
	try {
		const rest = await signIn(n8n.url, login);
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
		const storage = join(folder, 'storage');
		return {
			reach: { url, credentials: { voice, header } },
			pid: n8n.pid,
			storage,
			measure: async (steps) => await measure(rest, n8n.pid, steps),
			clear: async () => await rm(join(storage, 'workflows'), { recursive: true, force: true }),
			async stop() {
				await n8n.stop();
				await rm(folder, { recursive: true, force: true });
			},
		};
	} catch (error) {
		await n8n.stop();
		throw error;
	}
}

/**
 * @param {import('../hosts/rest.mjs').Rest} rest
 * @param {number} pid
 * @param {import('./nodes.mjs').Node[]} steps
 * @returns {Promise<Measure>}
 */
async function measure(rest, pid, steps) {
	const workflow = workflowOf('Bench', steps);
	const { id } = await putWorkflow(rest, workflow);
	const endWatch = watchProcess(pid);
	try {
		const execution = await run(rest, { ...workflow, id }, 'Start');
		const { from, to, items } = await nodeRun(rest, execution, measured);
		return { seconds: (to - from) / 1_000, ...usedBetween(endWatch(), from, to), items, from, to };
	} finally {
		endWatch();
	}
}
