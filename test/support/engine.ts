/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// n8n-core reads its folder and key when it is loaded.
const userFolder = mkdtempSync(path.join(tmpdir(), 'voice-speech-test-'));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'key-of-the-tests-only';
// Tests provoke errors on purpose; log.ts turns the log on.
process.env.N8N_LOG_LEVEL ??= 'silent';

import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	DirectoryLoader,
	ErrorReporter,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import { SSHClientsManager } from 'n8n-core/dist/execution-engine/ssh-clients-manager';
import {
	createRunExecutionData,
	sleep,
	Workflow,
	type ExecutionError,
	type IBinaryData,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialsHelper,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
} from 'n8n-workflow';
import { Readable } from 'node:stream';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';

export type BinaryMode = 'default' | 'filesystem';

/** A credential whose fields are expressions: n8n resolves it for each item. */
export type CredentialOfItem = (itemIndex: number) => ICredentialDataDecryptedObject;

export interface RunInput {
	parameters: INodeParameters;
	items?: INodeExecutionData[];
	credential: ICredentialDataDecryptedObject | CredentialOfItem;
	/** Called each time n8n would read the credential from its database. */
	onCredentialRead?: () => void;
	/** Called each time n8n asks the credential type to add the key to a request. May throw. */
	onAuthenticate?: () => void;
	/** How long n8n takes to read the credential, in ms. */
	credentialTakes?: number;
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
	/** The node with another description, as {@link declarativeNode} makes it. */
	nodeType?: INodeType;
	/** Called once the run has begun, with a function that cancels it and the signal that nodes get. */
	onStart?: (cancel: () => void, signal: AbortSignal) => void;
}

export interface RunOutput {
	items: INodeExecutionData[];
	errorItems: INodeExecutionData[];
	error: (ExecutionError & { description?: string | null }) | undefined;
	status: IRun['status'];
	run: IRun;
}

const credentialType = new VoiceSpeechApi();

function credentialsHelper({
	credential,
	credentialTakes,
	onAuthenticate,
	onCredentialRead,
}: RunInput): ICredentialsHelper {
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async (
			_additionalData: unknown,
			_nodeCredentials: unknown,
			_type: unknown,
			_mode: unknown,
			_executeData: unknown,
			_raw: unknown,
			expressionResolveValues?: ICredentialsExpressionResolveValues,
		) => {
			onCredentialRead?.();
			if (credentialTakes !== undefined) await sleep(credentialTakes);
			if (typeof credential !== 'function') return { ...credential };
			return { ...credential(expressionResolveValues?.itemIndex ?? 0) };
		},
		preAuthentication: async () => undefined,
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			options: never,
		) => {
			onAuthenticate?.();
			return await credentialType.authenticate(credentials, options);
		},
	} as unknown as ICredentialsHelper;
}

/** The node as n8n loads it: its description, run by n8n's RoutingNode. */
export function declarativeNode(node: INodeType = new VoiceSpeech()): INodeType {
	// n8n adds its request options to every declarative node when it loads it.
	DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
	node.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as never, node).runNode()) ?? [];
	};
	return node;
}

const start = {
	description: { name: 'start', defaults: {}, inputs: [], outputs: ['main'], properties: [] },
} as unknown as INodeType;

const node = declarativeNode();

function nodeTypesFor({ nodeType = node }: RunInput): INodeTypes {
	const get = (type: string) => (type === 'test.start' ? start : nodeType);
	return { getByName: get, getByNameAndVersion: get, getKnownTypes: () => ({}) };
}

function additionalData(input: RunInput, workflow: Workflow): IWorkflowExecuteAdditionalData {
	const url = 'http://localhost';
	const workflowData = { id: workflow.id, name: 'Test', active: false, nodes: [], connections: {} };
	return {
		executionId: '1',
		credentialsHelper: credentialsHelper(input),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData as never),
		...{ restApiUrl: url, instanceBaseUrl: url, formWaitingBaseUrl: url, webhookBaseUrl: url },
		...{ webhookWaitingBaseUrl: url, webhookTestBaseUrl: url },
		...{ variables: {}, secretsHelpers: {}, setExecutionStatus: () => {}, logAiEvent: () => {} },
		getRuntimeCredential: async () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
}

function workflowFor(input: RunInput): Workflow {
	const common = { typeVersion: 1, position: [0, 0] as [number, number] };
	const voice: INode = {
		...common,
		id: 'voice',
		name: 'Voice and Speech',
		type: 'n8n-nodes-voice-speech.voiceSpeech',
		parameters: input.parameters,
		credentials: { voiceSpeechApi: { id: '1', name: 'Test' } },
		...input.node,
	};
	const before = { ...common, id: 'start', name: 'Start', type: 'test.start', parameters: {} };
	return new Workflow({
		id: 'test',
		nodes: [before, voice],
		connections: { Start: { main: [[{ node: voice.name, type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: nodeTypesFor(input),
		settings: input.settings ?? {},
	});
}

/** n8n's engine: WorkflowExecute with RoutingNode, expressions, requests and storage. The test has the credential. */
export class Engine {
	private constructor(private readonly binary: BinaryDataService) {}

	static async start(binaryMode: BinaryMode = 'filesystem'): Promise<Engine> {
		const config = Container.get(BinaryDataConfig);
		config.mode = binaryMode;
		config.localStoragePath = path.join(userFolder, 'binary');
		const service = new BinaryDataService(config, Container.get(ErrorReporter), {
			warn() {},
			info() {},
		} as never);
		await service.init();
		Container.set(BinaryDataService, service);
		return new Engine(service);
	}

	/** Runs the node over the items, as in a workflow. */
	async run(input: RunInput): Promise<RunOutput> {
		const workflow = workflowFor(input);
		const items = input.items ?? [{ json: {} }];
		const executionData = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{
						node: workflow.getNode('Voice and Speech') as INode,
						data: { main: [items] },
						source: { main: [{ previousNode: 'Start' }] },
					},
				],
			},
			resultData: {
				runData: {
					Start: [
						{
							...{ startTime: 0, executionIndex: 0, executionTime: 0 },
							...{ executionStatus: 'success', source: [], data: { main: [items] } },
						},
					],
				},
			},
		});
		const engine = new WorkflowExecute(additionalData(input, workflow), 'manual', executionData);
		const running = engine.processRunExecutionData(workflow);
		const { signal } = (engine as unknown as { abortController: AbortController }).abortController;
		input.onStart?.(() => running.cancel(), signal);
		const run = await running;
		const result = run.data.resultData.runData['Voice and Speech']?.[0];
		return {
			items: result?.data?.main?.[0] ?? [],
			errorItems: result?.data?.main?.[1] ?? [],
			error: result?.error as RunOutput['error'],
			status: run.status,
			run,
		};
	}

	/** Loads the options of a list in the panel; without a credential, none is selected yet. */
	async loadOptions(
		method: string,
		credential?: ICredentialDataDecryptedObject,
	): Promise<INodePropertyOptions[]> {
		const input: RunInput = {
			parameters: {},
			credential: credential ?? {},
			node: credential ? {} : { credentials: {} },
		};
		const workflow = workflowFor(input);
		const context = new LoadOptionsContext(
			workflow,
			workflow.getNode('Voice and Speech') as INode,
			additionalData(input, workflow),
			'',
		);
		return (await node.methods?.loadOptions?.[method]?.call(context)) ?? [];
	}

	/** Stores a file, as an earlier step would. */
	async file(
		bytes: Buffer | Readable,
		about: { fileName?: string; mimeType: string },
	): Promise<IBinaryData> {
		return await this.binary.store(
			{ type: 'execution', workflowId: 'test', executionId: '1' },
			bytes,
			{ data: '', ...about },
		);
	}

	async read(file: IBinaryData | undefined): Promise<Buffer> {
		if (file === undefined) throw new Error('no such file');
		return await this.binary.getAsBuffer(file);
	}

	async item(
		json: IDataObject,
		files: Record<string, { bytes: Buffer; fileName?: string; mimeType: string }>,
	): Promise<INodeExecutionData> {
		const binary: Record<string, IBinaryData> = {};
		for (const [name, { bytes, ...about }] of Object.entries(files)) {
			binary[name] = await this.file(bytes, about);
		}
		return { json, binary };
	}
}

afterAll(() => {
	// n8n 1 and 2.0 start a timer for it with every node run, which would keep jest's process alive.
	Container.get(SSHClientsManager).onShutdown();
	rmSync(userFolder, { recursive: true, force: true });
});
