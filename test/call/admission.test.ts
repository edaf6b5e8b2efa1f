import type { RunFailure } from '../../nodes/VoiceSpeech/call/admission';
import { newAdmission } from './call';

const key = 'eak_test_one';
const otherKey = 'eak_test_two';

const failure: RunFailure = { index: 3, error: new Error('first'), apiKey: key };
const secondFailure: RunFailure = { index: 4, error: new Error('second'), apiKey: key };

it('a call may start if nothing has happened, with n8n that has no signal of a cancellation too', () => {
	const admission = newAdmission();
	expect(admission.blockFor(key)).toBeUndefined();
	expect(admission.stopSignalFor(key).aborted).toBe(false);
	expect(admission.isCanceled).toBe(false);
});

describe('if the node stops on failure', () => {
	it.each([
		{ what: 'of one item', refusesKey: false },
		{ what: 'that refuses the key', refusesKey: true },
	])('a failure $what stops the calls with every key', ({ refusesKey }) => {
		const admission = newAdmission();
		const signals = [undefined, key, otherKey].map((one) => admission.stopSignalFor(one));
		admission.fail(failure, refusesKey);
		expect(admission.failure).toBe(failure);
		for (const signal of signals) expect(signal.aborted).toBe(true);
		for (const one of [undefined, key, otherKey]) {
			expect(admission.stopSignalFor(one).aborted).toBe(true);
		}
		for (const one of [key, otherKey]) {
			expect(admission.blockFor(one)).toEqual({ kind: 'runFailed', failure });
		}
	});

	it('the first of two failures is kept', () => {
		const admission = newAdmission();
		admission.fail(failure, false);
		admission.fail(secondFailure, true);
		expect(admission.failure).toBe(failure);
	});
});

describe('if the node continues on failure', () => {
	it('the failure of one item stops nothing', () => {
		const admission = newAdmission({ stopsOnFailure: false });
		const signals = [undefined, key].map((one) => admission.stopSignalFor(one));
		admission.fail(failure, false);
		expect(admission.failure).toBeUndefined();
		expect(admission.blockFor(key)).toBeUndefined();
		for (const signal of signals) expect(signal.aborted).toBe(false);
	});

	it('a refused key stops the calls with this key only', () => {
		const admission = newAdmission({ stopsOnFailure: false });
		const before = admission.stopSignalFor(key);
		const others = [undefined, otherKey].map((one) => admission.stopSignalFor(one));
		admission.fail(failure, true);
		expect(admission.failure).toBeUndefined();
		expect(admission.blockFor(key)).toEqual({ kind: 'keyRefused', failure });
		expect(admission.blockFor(otherKey)).toBeUndefined();
		expect(before.aborted).toBe(true);
		expect(admission.stopSignalFor(key).aborted).toBe(true);
		for (const signal of others) expect(signal.aborted).toBe(false);
	});

	it('the first refusal of a key is kept, and each key has its own', () => {
		const admission = newAdmission({ stopsOnFailure: false });
		const ofOtherKey: RunFailure = { ...secondFailure, apiKey: otherKey };
		admission.fail(failure, true);
		admission.fail(secondFailure, true);
		admission.fail(ofOtherKey, true);
		expect(admission.blockFor(key)).toEqual({ kind: 'keyRefused', failure });
		expect(admission.blockFor(otherKey)).toEqual({ kind: 'keyRefused', failure: ofOtherKey });
	});

	it('a failure without a key stops nothing', () => {
		const admission = newAdmission({ stopsOnFailure: false });
		admission.fail({ ...failure, apiKey: undefined }, true);
		expect(admission.blockFor(key)).toBeUndefined();
		expect(admission.stopSignalFor(undefined).aborted).toBe(false);
	});
});

describe.each([{ stopsOnFailure: true }, { stopsOnFailure: false }])(
	'a canceled execution (stops on failure: $stopsOnFailure)',
	({ stopsOnFailure }) => {
		it('stops the calls with every key, and is not a failure', () => {
			const cancel = new AbortController();
			const admission = newAdmission({ stopsOnFailure, cancelSignal: cancel.signal });
			const signals = [undefined, key].map((one) => admission.stopSignalFor(one));
			expect(admission.blockFor(key)).toBeUndefined();
			cancel.abort();
			expect(admission.isCanceled).toBe(true);
			expect(admission.failure).toBeUndefined();
			expect(admission.blockFor(key)).toEqual({ kind: 'canceled' });
			for (const signal of signals) expect(signal.aborted).toBe(true);
		});

		it('is the reason even if a key was refused, or a back-off is in effect', () => {
			const cancel = new AbortController();
			const admission = newAdmission({ stopsOnFailure, cancelSignal: cancel.signal });
			admission.fail(failure, true);
			admission.backoff.begin(60);
			cancel.abort();
			expect(admission.blockFor(key)).toEqual({ kind: 'canceled' });
		});

		it('stops calls also if it was canceled before', () => {
			const cancelSignal = AbortSignal.abort();
			const admission = newAdmission({ stopsOnFailure, cancelSignal });
			expect(admission.stopSignalFor(key).aborted).toBe(true);
			expect(admission.blockFor(key)).toEqual({ kind: 'canceled' });
		});
	},
);

describe('a back-off', () => {
	it('blocks the calls with every key until it is over, without stopping them', () => {
		const admission = newAdmission();
		admission.backoff.begin(60);
		expect(admission.blockFor(key)).toEqual({ kind: 'backoff' });
		expect(admission.blockFor(otherKey)).toEqual({ kind: 'backoff' });
		expect(admission.stopSignalFor(key).aborted).toBe(false);
	});

	it('is not the reason if the run failed', () => {
		const admission = newAdmission();
		admission.backoff.begin(60);
		admission.fail(failure, false);
		expect(admission.blockFor(key)).toEqual({ kind: 'runFailed', failure });
	});

	it('is not the reason if the key was refused', () => {
		const admission = newAdmission({ stopsOnFailure: false });
		admission.backoff.begin(60);
		admission.fail(failure, true);
		expect(admission.blockFor(key)).toEqual({ kind: 'keyRefused', failure });
	});
});
