import type { Call, History } from './history';

/** Whether a call arrived because of a later action than this one, or because of this one. */
function startedAfter(call: Call, action: { step: number; isAlone: boolean }): boolean {
	return call.step > action.step || (call.step === action.step && action.isAlone);
}

function show(call: Call): string {
	return `the call of item ${call.item} in try ${call.try} after action ${call.step}`;
}

/** I1: no call starts after the run failed, was cancelled, or while a back-off is in effect. */
export function checkStarts(history: History): string[] {
	const { backOffs, cancelled, calls, failures, stopsOnFailure } = history;
	const ends = failures.filter((failure) => stopsOnFailure || failure.endsRun);
	return calls.flatMap((call) => {
		const failure = ends.find((one) => one.try === call.try && startedAfter(call, one));
		const wait = backOffs.find(
			(one) => one.try === call.try && startedAfter(call, one) && call.time < one.until - 1,
		);
		return [
			...(failure
				? [`I1: ${show(call)} started after item ${failure.item} failed in action ${failure.step}`]
				: []),
			...(wait ? [`I1: ${show(call)} started in the back-off since action ${wait.step}`] : []),
			...(cancelled && startedAfter(call, cancelled)
				? [`I1: ${show(call)} started after the cancellation in action ${cancelled.step}`]
				: []),
			...(call.isLate ? [`I1: ${show(call)} started after its try had ended`] : []),
		];
	});
}

/** I1: without continue on failure, nothing is sent if an item is known to fail beforehand. */
export function checkBarrier(history: History): string[] {
	const { batchSize, items } = history.scene;
	if (!history.stopsOnFailure) return [];
	return history.tries.flatMap(({ step }, number) => {
		const bad = items.findIndex((_, item) => history.isBad(item, step) && !history.isEdited(item));
		if (bad < 0) return [];
		// With n8n's Batching, items are checked when their batch starts.
		const first = batchSize > 0 ? Math.floor(bad / batchSize) * batchSize : 0;
		return history.calls
			.filter((call) => call.try === number && call.item >= first)
			.map((call) => `I1: ${show(call)} started, and item ${bad} was known to fail`);
	});
}

/** I2: never more than `concurrency` calls in progress. */
export function checkConcurrency({ calls, scene }: History): string[] {
	return calls
		.filter((call) => call.inProgress > scene.concurrency)
		.map((call) => `I2: with ${show(call)}, ${call.inProgress} calls were in progress`);
}

/** I4: the key on the wire is the item's own, and the node allows its environment for the item. */
export function checkKeys(history: History): string[] {
	return history.calls.flatMap((call) => {
		const versions = history.credentials[call.item] ?? [];
		const sent = versions.findIndex(({ key }) => key === call.key);
		const credential = versions[sent];
		if (credential === undefined || credential.step > call.step) {
			return [`I4: ${show(call)} has the key ${call.key} of something else`];
		}
		const begun = history.tries[call.try]?.step ?? 0;
		const replaced = versions[sent + 1];
		return [
			...(history.allows(call.item, credential)
				? []
				: [`I4: ${show(call)} has a ${credential.kind} key, which the node does not allow`]),
			...(replaced && replaced.step <= begun
				? [`I4: ${show(call)} has a key that was replaced before the try`]
				: []),
		];
	});
}

/** I5: an item whose call succeeded is never sent again. */
export function checkPaidOnce({ calls }: History): string[] {
	return calls.flatMap((paid, index) => {
		if (paid.reply !== '200') return [];
		// With another key it is another request.
		return calls
			.slice(index + 1)
			.filter((call) => call.item === paid.item && call.key === paid.key)
			.map((call) => `I5: ${show(call)} came after the one in action ${paid.step} succeeded`);
	});
}
