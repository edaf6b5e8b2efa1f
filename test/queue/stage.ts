/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- tests run on a developer's machine, never in n8n */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Cluster, Service, StartOptions, Tools } from './tools';

/** Loads the tools; the tests need `--experimental-vm-modules`, see ../full/import-module.cjs. */
async function loadTools(): Promise<Tools> {
	const { default: load } = (await import('../full/import-module.cjs' as string)) as {
		default: (file: string) => Promise<object>;
	};
	const modules = [
		...['queue/cluster', 'forms', 'executions', 'workflows'].map((name) => `hosts/${name}.mjs`),
		...['service', 'workflow', 'recordings', 'submit', 'executions', 'facts', 'watch', 'live'].map(
			(name) => `test/queue/load/${name}.mjs`,
		),
		'demo/examples.mjs',
	];
	const loaded: object[] = [];
	for (const file of modules) loaded.push(await load(file));
	return Object.assign({}, ...loaded) as Tools;
}

export interface Stage {
	tools: Tools;
	folder: string;
	cluster: Cluster;
	service: Service;
	formUrl: string;
	credential: { id: string; name: string };
	stop(): Promise<void>;
}

/** Starts the service, and n8n with the published workflow under load. */
export async function startStage(options: Omit<StartOptions, 'folder'> = {}): Promise<Stage> {
	const tools = await loadTools();
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-queue-'));
	const service = await tools.startService();
	let cluster: Cluster | undefined;
	const stop = async () => {
		await cluster?.stop();
		await service.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		const environment = { ...options.environment, ...tools.liveProbe(folder) };
		cluster = await tools.startCluster({ ...options, folder, environment });
		const { formUrl, credential } = await tools.publishWorkflow(
			cluster.rest,
			service,
			cluster.webhook.url,
		);
		return { tools, folder, cluster, service, formUrl, credential, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
