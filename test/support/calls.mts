import type { INode, INodeExecutionData } from 'n8n-workflow';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	respondWithJson,
	type Responder,
	type RecordedRequest,
	type ScriptedServer,
} from './servers/scriptedServer.mts';
import { settleAll } from './waiting.mts';

/** Items for `numberedTextParameters`. */
export function createNumberedItems(count: number, first = 0): INodeExecutionData[] {
	return createRange(count).map((number) => ({ json: { number: String(first + number) } }));
}

/** The choices of the node setting 'On Error', as n8n names them. */
export const onErrorSettings = {
	'Stop Workflow': {},
	Continue: { onError: 'continueRegularOutput' },
	'Continue (using error output)': { onError: 'continueErrorOutput' },
} satisfies Record<string, Partial<INode>>;

export type OnErrorChoice = keyof typeof onErrorSettings;

/** The node setting 'Retry On Fail'. n8n takes a wait of 0 for its default of a second. */
export function enableRetryOnFail(maxTries: number): Partial<INode> {
	return { retryOnFail: true, maxTries, waitBetweenTries: 1 };
}

/** n8n's Batching in the request options; the interval is in ms. */
export function enableBatching(batchSize: number, batchInterval: number) {
	return { requestOptions: { batching: { batch: { batchSize, batchInterval } } } };
}

/** The number of the item that a call is for: its text, as with `numberedTextParameters`, or the language of its audio. */
export function readItemNumber({ parts, body }: RecordedRequest): number {
	const language = parts.find(({ name }) => name === 'language');
	return Number(language?.body ?? (JSON.parse(body.toString()) as { text: string }).text);
}

export const neverRespond: Responder = () => {};

/**
 * Responds once this many requests of the server are in progress, or were at some time, and any other that is in transit
 * has arrived.
 */
export function respondWhenInProgress(
	server: ScriptedServer,
	count: number,
	respond: Responder,
): Responder {
	return async (...call) => {
		await waitUntil(() => server.maxInProgress >= count);
		await settleAll();
		await respond(...call);
	};
}

/** Chooses a status or a responder for a call, by its item and the number of the item's earlier calls. */
export type ItemResponder = (item: number, earlier: number) => number | Responder;

/** Makes the service respond to each item, and records its calls. */
export function recordCalls(service: ScriptedServer, respond: ItemResponder) {
	/** The item of each call, in their order. */
	const calls: number[] = [];
	/** Items of calls whose response was sent with status 200, in the order of these responses. */
	const paid: number[] = [];
	service.respond = (request, response, index) => {
		const item = readItemNumber(request);
		const earlier = calls.filter((call) => call === item).length;
		calls.push(item);
		response.on('finish', () => {
			if (response.statusCode === 200) paid.push(item);
		});
		const chosen = respond(item, earlier);
		const send =
			typeof chosen === 'number'
				? respondWithJson({ item, says: `status ${chosen}` }, chosen)
				: chosen;
		return send(request, response, index);
	};
	return { calls, paid };
}

/** The input item that each output item is paired with. */
export function listPairedItems(items: INodeExecutionData[]): number[] {
	return items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
}

/** The numbers from 0. */
export function createRange(count: number): number[] {
	return Array.from({ length: count }, (_, number) => number);
}

export function sortNumbers(numbers: number[]): number[] {
	return [...numbers].sort((a, b) => a - b);
}
