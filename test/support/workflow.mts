import './n8nFolder.mts';

import { DirectoryLoader, ExecutionLifecycleHooks, RoutingNode } from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialsHelper,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
} from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';

type Credential = ICredentialDataDecryptedObject;

/**
 * A credential whose fields are expressions, which n8n resolves for each item. Called each time n8n would read it from
 * its database. n8n does so when the node asks for it, and before that when RoutingNode runs the node for an older
 * agent's tool.
 */
export type CredentialOfItem = (itemIndex: number) => Credential | Promise<Credential>;

/** The node in its workflow, and the credential that the user chose. */
export interface NodeSetup {
	parameters: INodeParameters;
	credential: Credential | CredentialOfItem;
	/** Settings of the node, such as 'On Error'. */
	node?: Partial<INode>;
	/** Settings of the workflow. */
	settings?: IWorkflowSettings;
	/** Name of a step before the one that outputs the items. */
	firstStep?: string;
	/** The node with another description, as {@link createDeclarativeNode} makes it. */
	nodeType?: INodeType;
}

const credentialType = new VoiceSpeechApi();

/** Reads credentials, as n8n does from its database, and adds them to requests. */
function createCredentialsHelper({ credential }: NodeSetup): ICredentialsHelper {
	const getDecrypted = async (...given: unknown[]) => {
		const values = given[6] as ICredentialsExpressionResolveValues | undefined;
		const isStatic = typeof credential !== 'function';
		return { ...(isStatic ? credential : await credential(values?.itemIndex ?? 0)) };
	};
	return {
		getDecrypted,
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		authenticate: async (credentials: Credential, _type: string, options: never) =>
			await credentialType.authenticate(credentials, options),
	} as unknown as ICredentialsHelper;
}

/**
 * The node as n8n loads it. n8n calls the function in `customOperations` for the node's resource and operation, and
 * `execute`, which is n8n's RoutingNode, only if there is none.
 */
export function createDeclarativeNode(node: INodeType = new VoiceSpeech()): INodeType {
	// n8n adds its request options to every declarative node when it loads it.
	DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
	node.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as never, node).runNode()) ?? [];
	};
	return node;
}

/** The node without the functions for all items, so that n8n's RoutingNode runs it, as Engine 2.0 does. */
export function createRoutedNode(): INodeType {
	const node = createDeclarativeNode();
	delete node.customOperations;
	return node;
}

const start = {
	description: { name: 'start', defaults: {}, inputs: [], outputs: ['main'], properties: [] },
} as unknown as INodeType;

export const voiceSpeech = createDeclarativeNode();

/** Creates a workflow, in which 'Start' outputs the items for this node. */
export function createWorkflow(setup: NodeSetup): Workflow {
	const { parameters, node, settings = {}, firstStep, nodeType } = setup;
	const common = { typeVersion: 1, position: [0, 0] as [number, number] };
	const voice: INode = {
		...common,
		id: 'voice',
		name: 'Voice and Speech',
		type: 'n8n-nodes-voice-speech.voiceSpeech',
		parameters,
		credentials: { voiceSpeechApi: { id: '1', name: 'Test' } },
		...node,
	};
	const createStep = (name: string): INode => ({
		...common,
		id: name,
		name,
		type: 'test.start',
		parameters: {},
	});
	const steps = firstStep === undefined ? ['Start'] : [firstStep, 'Start'];
	const links = steps.map((name, index) => {
		const next = steps[index + 1] ?? voice.name;
		return [name, { main: [[{ node: next, type: 'main', index: 0 }]] }];
	});
	const findType = (type: string) => (type === 'test.start' ? start : (nodeType ?? voiceSpeech));
	return new Workflow({
		id: 'test',
		nodes: [...steps.map(createStep), voice],
		connections: Object.fromEntries(links) as IConnections,
		active: false,
		nodeTypes: { getByName: findType, getByNameAndVersion: findType, getKnownTypes: () => ({}) },
		settings,
	});
}

/** What n8n's server adds to an execution. */
export function createAdditionalData(
	setup: NodeSetup,
	{ id }: Workflow,
): IWorkflowExecuteAdditionalData {
	const url = 'http://localhost';
	const workflowData = { id, name: 'Test', active: false, nodes: [], connections: {} };
	return {
		executionId: '1',
		credentialsHelper: createCredentialsHelper(setup),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData as never),
		restApiUrl: url,
		instanceBaseUrl: url,
		formWaitingBaseUrl: url,
		webhookWaitingBaseUrl: url,
	} as unknown as IWorkflowExecuteAdditionalData;
}
