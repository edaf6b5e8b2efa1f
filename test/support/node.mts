import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import {
	recordCalls,
	onErrorSettings,
	createNumberedItems,
	enableRetryOnFail,
	type OnErrorChoice,
	type ItemResponder,
} from './calls.mts';
import {
	Engine,
	type BinaryMode,
	type CredentialOfItem,
	type RunInput,
	type RunOutput,
	type TestFile,
} from './engine.mts';
import { createWav } from './media/recordings.mts';
import { numberedTextParameters } from './nodeParameters.mts';
import { respondWithJson, ScriptedServer } from './servers/scriptedServer.mts';

export type { TestFile };

export const nodeKey = 'eak_test_wire';

export const recording = createWav();

export const callWav: TestFile = { bytes: recording, fileName: 'call.wav', mimeType: 'audio/wav' };

/** Larger than the socket buffers between two programs of one machine. */
export const createLargeWav = (): TestFile => ({
	...callWav,
	bytes: Buffer.concat([recording, Buffer.alloc(32e6)]),
});

/** What differs from one item with one recording and a valid credential. */
export interface RunSetup extends Partial<Omit<RunInput, 'parameters' | 'credential'>> {
	json?: RunOutput['items'][number]['json'];
	files?: Record<string, TestFile>;
	/** What differs from a valid credential; for each item, if it is a function. */
	credential?: ICredentialDataDecryptedObject | CredentialOfItem;
}

/** Settings of {@link NodeUnderTest.runItems}. */
export interface RunItemsSetup extends RunSetup {
	/** How the service responds; 200 by default. */
	respond?: ItemResponder;
	onError?: OnErrorChoice;
	/** Turns Retry On Fail on. */
	maxTries?: number;
	concurrency?: unknown;
	options?: object;
	parameters?: INodeParameters;
}

/** The node on n8n's engine, and a scripted service. */
class NodeUnderTest {
	engine!: Engine;

	constructor(readonly service: ScriptedServer) {}

	createCredential(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		return { apiKey: nodeKey, environment: 'sandbox', baseUrl: this.service.baseUrl, ...changes };
	}

	async run(parameters: INodeParameters, setup: RunSetup = {}): Promise<RunOutput> {
		const { json = {}, files = { data: callWav }, items, credential, ...rest } = setup;
		return await this.engine.run({
			parameters,
			items: items ?? [await this.engine.createItemWithFiles(json, files)],
			credential:
				typeof credential === 'function'
					? async (itemIndex) => this.createCredential(await credential(itemIndex))
					: this.createCredential(credential),
			...rest,
		});
	}

	/** Runs a text operation over numbered items. Returns the output, and the calls that the service saw. */
	async runItems(
		items: number | INodeExecutionData[],
		{ respond = () => 200, onError = 'Stop Workflow', maxTries = 0, ...setup }: RunItemsSetup = {},
	) {
		const { concurrency, options, parameters, node, ...rest } = setup;
		const { calls, paid } = recordCalls(this.service, respond);
		const allParameters: object = {
			...numberedTextParameters,
			...parameters,
			options: concurrency === undefined ? { ...options } : { concurrency, ...options },
		};
		const retrySettings = maxTries > 0 ? enableRetryOnFail(maxTries) : {};
		const output = await this.run(allParameters as INodeParameters, {
			...rest,
			items: typeof items === 'number' ? createNumberedItems(items) : items,
			node: { ...onErrorSettings[onError], ...retrySettings, ...node },
		});
		return { ...output, calls, paid, all: [...output.items, ...output.errorItems] };
	}

	/** Items that each have {@link callWav}, and these fields. */
	async createItemsWithFile(...fields: IDataObject[]): Promise<INodeExecutionData[]> {
		return await Promise.all(
			fields.map(async (json) => await this.engine.createItemWithFiles(json, { data: callWav })),
		);
	}

	/** Runs, and returns the only request that arrived and what came out. */
	async runOnce(parameters: INodeParameters, setup?: RunSetup) {
		const output = await this.run(parameters, setup);
		expect(output.error).toBeUndefined();
		expect(this.service.requests).toHaveLength(1);
		const [request] = this.service.requests;
		if (request === undefined) throw new Error('nothing arrived');
		return { ...output, request };
	}

	/** Runs, and returns the error; nothing may have arrived at the service. */
	async runUnsent(parameters: INodeParameters, setup?: RunSetup) {
		const { error, items } = await this.run(parameters, setup);
		expect(items).toEqual([]);
		expect(this.service.requestCount).toBe(0);
		return { message: error?.message, description: error?.description };
	}
}

/** Starts the engine and the service before the tests of a describe, and resets the service before each test. */
export function useNode(mode: BinaryMode = 'filesystem'): NodeUnderTest {
	const node = new NodeUnderTest(ScriptedServer.use(respondWithJson({ ok: true })));
	beforeAll(async () => {
		node.engine = await Engine.start(mode);
	});
	afterEach(() => node.engine.cancelRuns());
	return node;
}
