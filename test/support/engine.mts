import { userFolder } from './n8nFolder.mts';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, ErrorReporter, WorkflowExecute } from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager.js';
import {
	createRunExecutionData,
	type ExecutionError,
	type IBinaryData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IRun,
	type NodeExecutionHint,
} from 'n8n-workflow';
import path from 'node:path';

import { createAdditionalData, createWorkflow, type NodeSetup } from './workflow.mts';

export { createDeclarativeNode, createRoutedNode, type CredentialOfItem } from './workflow.mts';

/** Where n8n keeps files; in 'database', the test defines the storage with `BinaryDataService.setManager`. */
export type BinaryMode = 'default' | 'filesystem' | 'database';

/** A file of an item, before n8n stores it. */
export interface TestFile {
	bytes: Buffer;
	fileName?: string;
	mimeType: string;
}

export interface RunInput extends NodeSetup {
	items: INodeExecutionData[];
	/**
	 * Called once the run has begun, with a function that cancels it and the signal that nodes get. If it rejects, so does
	 * the run.
	 */
	onStart?: (cancel: () => void, signal: AbortSignal) => Promise<void> | void;
}

export interface RunOutput {
	items: INodeExecutionData[];
	errorItems: INodeExecutionData[];
	error: (ExecutionError & { description?: string | null }) | undefined;
	/** What n8n shows below the output. */
	hints: NodeExecutionHint[];
	status: IRun['status'];
	run: IRun;
}

/** An execution whose next node is the tested one. */
function createExecutionData(node: INode, items: INodeExecutionData[]) {
	const data = { main: [items] };
	const source = { main: [{ previousNode: 'Start' }] };
	const began = { startTime: 0, executionIndex: 0, executionTime: 0, source: [] };
	return createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data, source }] },
		resultData: { runData: { Start: [{ ...began, executionStatus: 'success', data }] } },
	});
}

/** Runs the node on n8n's engine, with its expressions, requests and storage. The test supplies the credential. */
export class Engine {
	private readonly cancels = new Set<() => void>();

	private constructor(
		private readonly storage: BinaryDataService,
		private readonly binaryMode: BinaryMode,
	) {}

	static async start(binaryMode: BinaryMode = 'filesystem'): Promise<Engine> {
		const config = Container.get(BinaryDataConfig);
		config.mode = binaryMode;
		config.localStoragePath = path.join(userFolder, 'binary');
		const log = { warn() {}, info() {} };
		const storage = new BinaryDataService(config, Container.get(ErrorReporter), log as never);
		await storage.init();
		const engine = new Engine(storage, binaryMode);
		engine.useStorage();
		return engine;
	}

	/** n8n has one storage in a process, and another engine may have been started or used since. */
	private useStorage(): void {
		Container.get(BinaryDataConfig).mode = this.binaryMode;
		Container.set(BinaryDataService, this.storage);
	}

	/** Runs the node over the items, as in a workflow. */
	async run({ items, onStart, ...setup }: RunInput): Promise<RunOutput> {
		this.useStorage();
		const workflow = createWorkflow(setup);
		const engine = new WorkflowExecute(
			createAdditionalData(setup, workflow),
			'manual',
			createExecutionData(workflow.getNode('Voice and Speech') as INode, items),
		);
		const running = engine.processRunExecutionData(workflow);
		const { signal } = (engine as unknown as { abortController: AbortController }).abortController;
		const cancel = () => running.cancel();
		this.cancels.add(cancel);
		const [run] = await Promise.all([running, onStart?.(cancel, signal)]);
		this.cancels.delete(cancel);
		const result = run.data.resultData.runData['Voice and Speech']?.[0];
		return {
			items: result?.data?.main?.[0] ?? [],
			errorItems: result?.data?.main?.[1] ?? [],
			error: result?.error as RunOutput['error'],
			hints: result?.hints ?? [],
			status: run.status,
			run,
		};
	}

	/** Cancels runs that have not ended, so that a test that jest has timed out does not run into the next. */
	cancelRuns(): void {
		for (const cancel of this.cancels) cancel();
		this.cancels.clear();
	}

	/** Stores a file, as an earlier step would. */
	async storeFile({ bytes, ...about }: TestFile): Promise<IBinaryData> {
		const location = { type: 'execution', workflowId: 'test', executionId: '1' } as const;
		return await this.storage.store(location, bytes, { data: '', ...about });
	}

	async readFile(file: IBinaryData | undefined): Promise<Buffer> {
		if (file === undefined) throw new Error('no such file');
		return await this.storage.getAsBuffer(file);
	}

	/** An item with these fields and files. */
	async createItemWithFiles(
		json: IDataObject,
		files: Record<string, TestFile>,
	): Promise<INodeExecutionData> {
		const binary: Record<string, IBinaryData> = {};
		for (const [name, file] of Object.entries(files)) binary[name] = await this.storeFile(file);
		return { json, binary };
	}
}

// Older versions of n8n start a timer for it with every node run, which would keep jest's process alive.
afterAll(() => Container.get(SSHClientsManager).onShutdown());
