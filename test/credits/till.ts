import { sleep, type INode, type INodeExecutionData } from 'n8n-workflow';

import { json, type Answer, type RecordedRequest, type Recorder } from '../support/recorder';

/** A call whose text is the number of its item, as {@link numbered} makes them. */
export const ask = {
	resource: 'language',
	operation: 'analyzeSentiment',
	inputType: 'text',
	text: '={{ $json.number }}',
};

/** Items that carry their number. */
export function numbered(count: number, first = 0): INodeExecutionData[] {
	return upTo(count).map((number) => ({ json: { number: String(first + number) } }));
}

/** The three settings of a node for what fails. */
export const modes = {
	stop: {},
	continue: { onError: 'continueRegularOutput' },
	'error output': { onError: 'continueErrorOutput' },
} satisfies Record<string, Partial<INode>>;

export type Mode = keyof typeof modes;

/** Retry On Fail; n8n takes 0 for its default of a second. */
export function tries(maxTries: number): Partial<INode> {
	return { retryOnFail: true, maxTries, waitBetweenTries: 1 };
}

/** n8n's batching of a node's items. */
export function batches(batchSize: number, batchInterval: number) {
	return { requestOptions: { batching: { batch: { batchSize, batchInterval } } } };
}

/** Which item a call is for. */
export function itemOf(request: RecordedRequest): number {
	return Number((JSON.parse(request.body.toString()) as { text: string }).text);
}

/** Ends the connection without an answer. */
export const reset: Answer = (_request, response) => response.destroy();

/** Answers later. */
export function after(milliseconds: number, answer: Answer): Answer {
	return (...call) => void sleep(milliseconds).then(() => answer(...call));
}

/** Counts at the service which items were called for, in order, and which of them were paid. */
export class Till {
	readonly calls: number[] = [];

	readonly paid: number[] = [];

	/** When each call arrived. */
	readonly times: number[] = [];

	/**
	 * @param answerTo by item, and by how often it was called for before: a status, or an answer. 200 is debited
	 */
	constructor(service: Recorder, answerTo: (item: number, before: number) => number | Answer) {
		service.answer = (request, response, index) => {
			const item = itemOf(request);
			const before = this.calls.filter((call) => call === item).length;
			this.calls.push(item);
			this.times.push(Date.now());
			const answer = answerTo(item, before);
			if (answer === 200) this.paid.push(item);
			const reply =
				typeof answer === 'number' ? json({ item, says: `status ${answer}` }, answer) : answer;
			reply(request, response, index);
		};
	}
}

/** Which input item each item that came out is paired with, in order of coming out. */
export function pairs(items: INodeExecutionData[]): unknown[] {
	return items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
}

/** The numbers from 0. */
export function upTo(count: number): number[] {
	return Array.from({ length: count }, (_, number) => number);
}
