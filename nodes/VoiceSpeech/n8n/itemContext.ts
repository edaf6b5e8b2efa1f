import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
} from 'n8n-workflow';

import type { Item } from '../call/item';
import type { Operation } from '../descriptions/operation';
import { createAudioFetcher, credentialType, sendRequest } from './httpClient';
import { findInputFile, createFileSource, type InputItem } from './inputFiles';

/** What n8n calls the node with. The first is for all items in the loop, and the second for one item in the hook. */
export type NodeContext = IExecuteFunctions | IExecutePaginationFunctions;

/** n8n's context of one item, in the loop or in the hook. */
export interface ItemContext {
	context: NodeContext;
	input: InputItem;
	read(name: string, fallback?: unknown): unknown;
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	findFileAtPath(path: string): unknown;
}

/** n8n gives the node another type where it is an agent's tool. */
export function isTool(context: NodeContext): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** What all input items of a run have in common. */
function readCommonInput(context: NodeContext) {
	const steps = context.getParentNodes?.(context.getNode().name) ?? [];
	return {
		hasFilesInJson: context.getWorkflowSettings?.().binaryMode === 'combined',
		isTool: isTool(context),
		// n8n lists the nearest step last. The first one is where most files come from, such as a form.
		earlierStep: steps.length > 1 ? steps[0]?.name : undefined,
	};
}

export function createLoopContexts(context: IExecuteFunctions): ItemContext[] {
	// Credentials are read one after the other. Many reads at the same time would exhaust n8n's pool of database
	// connections.
	let lastRead: Promise<unknown> = Promise.resolve();
	const commonInput = readCommonInput(context);
	return context.getInputData().map(({ json, binary }, index) => ({
		context,
		// n8n passes on what a Code node returns, even an item without json.
		input: { json: json ?? {}, binary, index, ...commonInput },
		read: (name, fallback) => context.getNodeParameter(name, index, fallback) as unknown,
		readCredential: async () => {
			const reading = lastRead.then(
				async () => await context.getCredentials(credentialType, index),
			);
			lastRead = reading.catch(() => {});
			return await reading;
		},
		findFileAtPath: (path) => context.helpers.assertBinaryData(index, path),
	}));
}

export function createHookContext(context: IExecutePaginationFunctions): ItemContext {
	const { json, binary } = context.getInputData();
	return {
		context,
		input: { json, binary, index: context.getItemIndex(), ...readCommonInput(context) },
		read: (name, fallback) => context.getNodeParameter(name, fallback as object) as unknown,
		readCredential: async () => await context.getCredentials(credentialType),
		findFileAtPath: (path) => context.helpers.assertBinaryData(path),
	};
}

export function createItem(itemContext: ItemContext, operation: Operation): Item {
	const { context, input, read, readCredential, findFileAtPath } = itemContext;
	return {
		index: input.index,
		operation,
		read,
		credentialName: context.getNode().credentials?.[credentialType]?.name ?? '',
		readCredential,
		findFile() {
			const file = findInputFile(input, read('binaryPropertyName', 'data'), findFileAtPath);
			return createFileSource(file, context.helpers);
		},
		fetchAudio: (connection) => createAudioFetcher(context, connection),
		send: async (request, body, signal) => await sendRequest(context, request, body, signal),
		store: context.helpers.prepareBinaryData as Item['store'],
	};
}
