import type { Environment } from './keys.mts';

const maxCalls = 10_000;

/** One line of the usage dashboard. */
export interface CallRecord {
	/** Grows by one from call to call. */
	id: number;
	/** Time of the request, ISO 8601. */
	at: string;
	/** HTTP method; only POST is a call. */
	method: string;
	/** Empty if the path is not an endpoint. */
	operation: string;
	path: string;
	environment: Environment;
	/** True for every sandbox call. */
	testData: boolean;
	/** Credits debited; 0 for a refused call. */
	credits: number;
	/** HTTP status; 499 if the client left before the response. */
	status: number;
	/** Like `eak_test_abcd…`. */
	keyPrefix: string;
	/** Bytes of the body that were read. */
	bytesIn: number;
	/** The voice that was used or cloned. */
	voiceId?: string;
}

/** The usage dashboard. It keeps the newest calls that came with a key that was issued, in memory. */
export function createUsage(onAdd: (call: CallRecord) => void) {
	const calls: CallRecord[] = [];
	let lastId = 0;
	return {
		add(call: Omit<CallRecord, 'id'>) {
			const record = { id: ++lastId, ...call };
			calls.push(record);
			if (calls.length > maxCalls) calls.shift();
			onAdd(record);
		},
		/** @returns the calls after the one with this ID, the oldest first */
		listAfter(id: number): CallRecord[] {
			return calls.filter((call) => call.id > id);
		},
	};
}
