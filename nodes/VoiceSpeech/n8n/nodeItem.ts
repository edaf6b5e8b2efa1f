import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import type { AnyItem, Item } from '../call/item';
import { isService, type Operation } from '../descriptions/operation';
import { binaryPropertyNameParameter, defaultFileField } from '../descriptions/parameters';
import { createAudioFetcher, credentialType, sendRequest } from './httpClient';
import { createFileSource, chooseInputFile, type InputItem } from './inputFiles';
import { createLinkCheck } from './outputItem';

/** n8n's context of all items (`customOperations`), or of one item (the pagination hook, entryPoints.ts). */
export type NodeContext = IExecuteFunctions | IExecutePaginationFunctions;

export type NodeItem = AnyItem & {
	readonly input: InputItem;
};

/** How a context of either type is asked about one item. */
interface ItemReader extends Pick<Item, 'number' | 'read' | 'readCredential' | 'checkLinks'> {
	findAtPath(path: string): unknown;
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

function createNodeItem(
	context: NodeContext,
	operation: Operation,
	input: InputItem,
	{ findAtPath, ...reader }: ItemReader,
): NodeItem {
	const item: Omit<Item, 'operation'> & { input: InputItem } = {
		...reader,
		index: input.index,
		input,
		credentialName: context.getNode().credentials?.[credentialType]?.name ?? '',
		chooseFile() {
			const parameter = reader.read(binaryPropertyNameParameter.name, defaultFileField);
			const file = chooseInputFile(input, parameter, findAtPath);
			return createFileSource(file, context.helpers);
		},
		createAudioFetcher: (connection) => createAudioFetcher(context, connection),
		send: async (request, body, signal) => await sendRequest(context, request, body, signal),
		store: context.helpers.prepareBinaryData as Item['store'],
	};
	return isService(operation) ? { ...item, operation } : { ...item, operation };
}

/** The items of `customOperations`, which one loop runs. */
export function createLoopItems(context: IExecuteFunctions, operation: Operation): NodeItem[] {
	// Credentials are read one after the other. Many reads at the same time would exhaust n8n's pool of database
	// connections.
	let lastRead: Promise<unknown> = Promise.resolve();
	const commonInput = readCommonInput(context);
	const checkLinks = createLinkCheck(context.helpers);
	return context.getInputData().map(({ json, binary }, index, { length }) => {
		// n8n passes on what a Code node returns, even an item without json.
		const input: InputItem = { json: json ?? {}, binary, index, ...commonInput };
		return createNodeItem(context, operation, input, {
			number: length > 1 ? index + 1 : undefined,
			read: (name, fallback) => context.getNodeParameter(name, index, fallback) as unknown,
			readCredential: async () => {
				const reading = lastRead.then(
					async () => await context.getCredentials(credentialType, index),
				);
				lastRead = reading.catch(() => {});
				return await reading;
			},
			checkLinks,
			findAtPath: (path) => context.helpers.assertBinaryData(index, path),
		});
	});
}

/** The input item that the pagination hook is called for. */
export function readHookInput(context: IExecutePaginationFunctions): InputItem {
	const { json, binary } = context.getInputData();
	return { json, binary, index: context.getItemIndex(), ...readCommonInput(context) };
}

/**
 * The item of the pagination hook, which n8n calls for a tool of an agent.
 *
 * @param itemCount the number of items of the node run
 */
export function createHookItem(
	context: IExecutePaginationFunctions,
	operation: Operation,
	itemCount: number,
): NodeItem {
	const input = readHookInput(context);
	return createNodeItem(context, operation, input, {
		number: itemCount > 1 ? input.index + 1 : undefined,
		read: (name, fallback) => context.getNodeParameter(name, fallback as object) as unknown,
		readCredential: async () => await context.getCredentials(credentialType),
		checkLinks: createLinkCheck(context.helpers),
		findAtPath: (path) => context.helpers.assertBinaryData(path),
	});
}
