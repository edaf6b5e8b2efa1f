/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- tests run on a developer's machine, never in n8n */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Ending, Execution, Rest } from '../full/tools';

/** The parts of hosts/queue/ and load/ that the tests use, as their doc comments describe them. */

interface Host {
	url: string;
	pid: number;
	logFile: string;
	ended: Promise<void>;
}

interface Server {
	pid(): number;
	start(): Promise<void>;
	stop(): Promise<void>;
}

export interface Cluster {
	main: Host;
	webhook: Host;
	workers: Host[];
	addWorker(): Promise<Host>;
	rest: Rest;
	postgres: Server & { query(sql: string): Promise<Array<Record<string, unknown>>> };
	redis: Server;
	stop(): Promise<void>;
}

export interface Service {
	baseUrl: string;
	apiKey: string;
	calls(): Promise<Array<{ recording: string; operation: string; status: number }>>;
	forget(): Promise<void>;
	setSettings(settings: object): Promise<void>;
	credits(): Promise<number>;
	stop(): Promise<void>;
}

export interface Submission {
	recording: string;
	accepted: boolean;
	answer: string;
}

export interface Row {
	id: string;
	status: string;
	recording: string;
}

export interface Facts {
	accepted: number;
	executions: number;
	statuses: Record<string, number>;
	lost: string[];
	doubled: string[];
	startedAgain: string[];
	paidTwice: string[];
	reportedOnly: string[];
	mixedUp: object[];
	calls: number;
	byWorker: number[];
}

export interface Sample {
	at: number;
	resident: number;
	handles: number;
}

export interface Watch {
	stop(): Map<string, Sample[]>;
}

interface StartOptions {
	folder: string;
	binaryData?: 'database' | 'folder';
	environment?: Record<string, string>;
}

export interface Tools {
	startCluster(options: StartOptions): Promise<Cluster>;
	startService(): Promise<Service>;
	publishWorkflow(
		rest: Rest,
		service: Service,
		webhookUrl: string,
	): Promise<{ id: string; formUrl: string; credential: { id: string; name: string } }>;
	submitRecordings(
		formUrl: string,
		how: {
			run: string;
			count: number;
			inFlight?: number;
			everyMs?: number;
			signal?: AbortSignal;
		},
	): Promise<Submission[]>;
	readRows(cluster: Cluster, run: string): Promise<Row[]>;
	endedRows(cluster: Cluster, run: string, count: number, timeoutMs: number): Promise<Row[]>;
	factsOf(run: {
		cluster: Cluster;
		service: Service;
		submissions: Submission[];
		rows: Row[];
	}): Promise<Facts>;
	makeRecording(run: string, number: number): { name: string; text: string; bytes: Buffer };
	submitForm(url: string, values: Record<string, File>, timeoutMs?: number): Promise<Ending>;
	finishedExecution(rest: Rest, id: string): Promise<Execution>;
	putWorkflow(rest: Rest, workflow: object): Promise<{ id: string; versionId: string }>;
	activate(rest: Rest, workflow: { id: string; versionId: string }): Promise<void>;
	readExamples(): Promise<Array<{ name: string; workflow: object }>>;
	withChoices(workflow: object, choice: { credential: object; files: string }): object;
	watchProcesses(processes: Record<string, number>, everyMs?: number): Watch;
	growth(samples: Sample[]): { resident: number; level: number; handles: number };
}

/** Loads them; the tests need `--experimental-vm-modules`, see ../full/import-module.cjs. */
export async function loadTools(): Promise<Tools> {
	const { default: load } = (await import('../full/import-module.cjs' as string)) as {
		default: (file: string) => Promise<object>;
	};
	const modules = [
		...['queue/cluster', 'forms', 'executions', 'workflows'].map((name) => `hosts/${name}.mjs`),
		...['service', 'workflow', 'recordings', 'submit', 'executions', 'facts', 'watch'].map(
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
