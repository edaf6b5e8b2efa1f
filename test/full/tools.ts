/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import path from 'node:path';
import type { INode, INodeTypeDescription } from 'n8n-workflow';

/** The parts of hosts/ and demo/ that the tests use, as their doc comments describe them. */

export const ROOT = path.resolve(__dirname, '../..');

export interface BinaryFile {
	id?: string;
	data: string;
	fileName?: string;
	mimeType: string;
}

export interface Item {
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	json: Record<string, any>;
	binary?: Record<string, BinaryFile>;
	pairedItem?: { item: number };
}

export interface Execution {
	id: string;
	status: string;
	error?: string;
	nodes(): string[];
	items(node: string, output?: number): Item[];
}

export interface Rest {
	url: string;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	call(method: string, path: string, body?: unknown): Promise<any>;
}

export interface Demo {
	n8n: { url: string; pid: number; logFile: string };
	rest: Rest;
	service: { baseUrl: string; consoleUrl: string; apiKey: string; credits(): Promise<number> };
	workflows: Record<string, { id: string }>;
	files: string;
	recordings: string;
	stop(): Promise<void>;
}

export interface Ending {
	executionId: string;
	title: string;
	message: string;
	downloads: { fileName: string; type: string; bytes: Buffer }[];
}

/** A workflow as n8n exports it. */
export interface Workflow {
	name: string;
	nodes: INode[];
	connections: object;
}

interface Saved {
	id: string;
	versionId: string;
}

type FormValue = string | string[] | File;

export interface Tools {
	startDemo(options: {
		folder: string;
		port: number;
		emulatorPort: number;
		version?: string;
	}): Promise<Demo>;
	installHost(
		version: string,
		options?: { into?: string; onStep?: (step: string) => void; signal?: AbortSignal },
	): Promise<object>;
	recordStep(folder: string, wanted: string, step: string): Promise<void>;
	explainFailure(step: string, output: string, logFile: string): Error;
	voiceSample(): Buffer;
	freePort(): Promise<number>;
	submitForm(
		url: string,
		values: Record<string, FormValue>,
		timeoutMs?: number,
		further?: Array<Record<string, string>>,
	): Promise<Ending>;
	finishedExecution(rest: Rest, id: string): Promise<Execution>;
	triggeredExecution(
		rest: Rest,
		workflowId: string,
		isIt: (execution: Execution) => boolean,
	): Promise<Execution>;
	fileBytes(rest: Rest, file: BinaryFile | undefined): Promise<Buffer>;
	nodeTypes(rest: Rest): Promise<INodeTypeDescription[]>;
	putCredential(
		rest: Rest,
		credential: { name: string; type: string; data: object },
	): Promise<{ id: string; name: string }>;
	putWorkflow(rest: Rest, workflow: Workflow, id?: string): Promise<Workflow & Saved>;
	activate(rest: Rest, workflow: Saved): Promise<void>;
	/** @returns the execution's id */
	run(rest: Rest, workflow: object, trigger: string): Promise<string>;
	readExamples(): Promise<Array<{ name: string; workflow: Workflow }>>;
}

/** Loads them; the tests need `--experimental-vm-modules`, see import-module.cjs. */
export async function loadTools(): Promise<Tools> {
	const { default: load } = (await import('./import-module.cjs' as string)) as {
		default: (file: string) => Promise<object>;
	};
	const modules = [
		...['demo/setup.mjs', 'demo/sample.mjs'],
		...['hosts/install.mjs', 'hosts/stamp.mjs', 'hosts/explain.mjs'],
		...['hosts/ports.mjs', 'hosts/forms.mjs', 'hosts/executions.mjs'],
		...['hosts/rest.mjs', 'hosts/workflows.mjs', 'demo/examples.mjs'],
	];
	const loaded: object[] = [];
	for (const file of modules) loaded.push(await load(file));
	return Object.assign({}, ...loaded) as Tools;
}
