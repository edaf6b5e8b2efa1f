/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- tests run on a developer's machine, never in n8n */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadTools, type Cluster, type Service, type Tools } from '../full/tools';

export interface Stage {
	tools: Tools;
	cluster: Cluster;
	service: Service;
	formUrl: string;
	credential: { id: string; name: string };
	stop(): Promise<void>;
}

/** Starts the service, and n8n with the published workflow under load. */
export async function startStage(
	options: Omit<Parameters<Tools['startCluster']>[0], 'folder'> = {},
): Promise<Stage> {
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
		cluster = await tools.startCluster({ ...options, folder });
		const { formUrl, credential } = await tools.publishWorkflow(
			cluster.rest,
			service,
			cluster.webhook.url,
		);
		return { tools, cluster, service, formUrl, credential, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What must hold regardless of what is taken away: see the doc comment of Facts. */
export const SOUND = {
	lost: [],
	doubled: [],
	startedAgain: [],
	paidTwice: [],
	reportedOnly: [],
	mixedUp: [],
};

/** n8n for the tests of a describe. */
export function useStage(options: Parameters<typeof startStage>[0]): { stage: Stage } {
	const under = {} as { stage: Stage };
	beforeAll(async () => (under.stage = await startStage(options)));
	afterAll(async () => await under.stage?.stop());
	return under;
}
