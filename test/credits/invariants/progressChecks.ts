import type { INodeExecutionData } from 'n8n-workflow';

import type { History } from './history';

function isFailed({ json, error }: INodeExecutionData): boolean {
	return error !== undefined || json.error !== undefined;
}

/** Whether anything happened in the last try that may keep this item from its result. */
function hasReason(history: History, item: number): boolean {
	const last = history.tries.at(-1)?.step ?? 0;
	const failures = history.failures.filter((failure) => failure.try === history.try);
	return (
		history.isBad(item, last) ||
		history.isEdited(item) ||
		history.broken.has(item) ||
		history.cancelled !== undefined ||
		failures.some((failure) => failure.item === item || failure.endsRun)
	);
}

/** I3: a run throws, and an item fails, only for a reason. A node that sends nothing breaks no other rule. */
export function checkProgress(history: History): string[] {
	const { output, scene } = history;
	if (output === undefined || history.cancelled) return [];
	const items = [...scene.items.keys()];
	if (history.stopsOnFailure) {
		const isReason = items.some((item) => hasReason(history, item));
		return output.error === undefined || isReason
			? []
			: [`I3: the run failed without a reason: ${output.error.message}`];
	}
	return items.flatMap((item) => {
		const out = [...output.items, ...output.errorItems].filter(
			({ pairedItem }) => (pairedItem as { item: number } | undefined)?.item === item,
		);
		return out.some(isFailed) && !hasReason(history, item)
			? [`I3: item ${item} failed without a reason: ${JSON.stringify(out)}`]
			: [];
	});
}

/** I3: an item that comes out as a success is the service's response to its own call. */
export function checkResults(history: History): string[] {
	const { output } = history;
	return [...(output?.items ?? [])].flatMap((item) => {
		if (isFailed(item)) return [];
		const { item: index = -1 } = (item.pairedItem ?? {}) as { item?: number };
		const isPaid = history.callsOf(index).some(({ reply }) => reply === '200');
		return isPaid && item.json.item === index
			? []
			: [`I3: item ${index} came out as ${JSON.stringify(item.json)}`];
	});
}
