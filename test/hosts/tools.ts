import type { BinaryFile, Ending, Execution, Rest } from '../full/tools';

/** The parts of hosts/ and demo/ that these tests use, as their doc comments describe them. */

export type { BinaryFile, Execution, Item, Rest } from '../full/tools';

export interface Host {
	version: string;
	folder: string;
	node: string;
	n8n: string;
	environment: Record<string, string>;
}

export interface RunningHost {
	url: string;
	pid: number;
	logFile: string;
	stop(): Promise<void>;
}

export interface NodeType {
	name: string;
	displayName: string;
	version: number | number[];
	iconUrl?: string | { light: string; dark: string };
	properties: Array<{ name: string; options?: Array<{ name: string; value: string }> }>;
}

export interface Workflow {
	name: string;
	nodes: object[];
	connections: object;
	settings?: object;
}

export interface Saved {
	id: string;
	versionId: string;
}

export interface Reference {
	id: string;
	name: string;
}

type Login = { email: string; password: string };

interface Example {
	name: string;
	workflow: { nodes: Array<{ type: string; typeVersion: number }> };
}

export interface Tools {
	installHost(version: string): Promise<Host>;
	packPackage(): Promise<string>;
	placePackage(tarball: string, userFolder: string): Promise<{ name: string; version: string }>;
	recordPackage(host: Host, userFolder: string, manifest: object, types: NodeType[]): void;
	startHost(
		host: Host,
		options: {
			userFolder: string;
			port: number;
			logFile: string;
			environment: Record<string, string>;
		},
	): Promise<RunningHost>;
	freePort(): Promise<number>;
	signIn(url: string, login: Login): Promise<Rest & { get(path: string): Promise<Response> }>;
	putCredential(
		rest: Rest,
		credential: { name: string; type: string; data: object },
	): Promise<Reference>;
	nodeTypes(rest: Rest): Promise<NodeType[]>;
	putWorkflow(rest: Rest, workflow: Workflow): Promise<Saved>;
	activate(rest: Rest, workflow: Saved): Promise<void>;
	run(rest: Rest, workflow: object, trigger: string): Promise<string>;
	finishedExecution(rest: Rest, id: string, timeoutMs?: number): Promise<Execution>;
	triggeredExecution(
		rest: Rest,
		workflowId: string,
		isIt: (execution: Execution) => boolean,
	): Promise<Execution>;
	fileBytes(rest: Rest, file: BinaryFile | undefined): Promise<Buffer>;
	submitForm(url: string, values: Record<string, string | string[] | File>): Promise<Ending>;
	importExamples(
		rest: Rest,
		choice: { state: { login: Login; workflows: object }; credential: Reference; files: string },
	): Promise<Record<string, { id: string }>>;
	readExamples(): Promise<Example[]>;
	voiceSample(): Buffer;
}

/** Loads them; the tests need `--experimental-vm-modules`, see test/full/import-module.cjs. */
export async function loadTools(): Promise<Tools> {
	const { default: load } = (await import('../full/import-module.cjs' as string)) as {
		default: (file: string) => Promise<object>;
	};
	const loaded: object[] = [];
	for (const file of ['install', 'package', 'record', 'start', 'ports', 'rest', 'workflows']) {
		loaded.push(await load(`hosts/${file}.mjs`));
	}
	for (const file of ['hosts/executions', 'hosts/forms', 'demo/import', 'demo/examples']) {
		loaded.push(await load(`${file}.mjs`));
	}
	loaded.push(await load('demo/sample.mjs'));
	return Object.assign({}, ...loaded) as Tools;
}
