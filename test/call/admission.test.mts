import type { Admission } from '../../nodes/VoiceSpeech/call/admission.ts';
import { createFailure } from '../../nodes/VoiceSpeech/call/itemFailure.ts';
import { createAdmission } from '../support/stubItem.mts';

const key = 'eak_test_one';
const otherKey = 'eak_test_two';

const failure = createFailure(3, new Error('first'));
const secondFailure = createFailure(4, new Error('second'));

it('lets a call start if nothing has happened, even if n8n has no signal of a cancellation', () => {
	const admission = createAdmission();
	expect(admission.findBlock(key)).toBeUndefined();
	expect(admission.createStopSignal(key).aborted).toBe(false);
});

describe('if the node stops on failure', () => {
	it.each<{ what: string; act(admission: Admission): void }>([
		{ what: 'of one item', act: (admission) => admission.reportFailure(failure) },
		{ what: 'that refuses the key', act: (admission) => admission.reportRefusedKey(key, failure) },
	])('stops the calls with every key after a failure $what', ({ act }) => {
		const admission = createAdmission();
		const signals = [undefined, key, otherKey].map((one) => admission.createStopSignal(one));
		act(admission);
		expect(admission.runFailure).toBe(failure);
		for (const signal of signals) expect(signal.aborted).toBe(true);
		for (const one of [undefined, key, otherKey]) {
			expect(admission.createStopSignal(one).aborted).toBe(true);
		}
		for (const one of [key, otherKey]) {
			expect(admission.findBlock(one)).toEqual({ kind: 'runFailed', failure });
		}
	});

	it('keeps the first of two failures', () => {
		const admission = createAdmission();
		admission.reportFailure(failure);
		admission.reportRefusedKey(key, secondFailure);
		expect(admission.runFailure).toBe(failure);
	});
});

describe('if the node continues on failure', () => {
	it('stops nothing after the failure of one item', () => {
		const admission = createAdmission({ stopsOnFailure: false });
		const signals = [undefined, key].map((one) => admission.createStopSignal(one));
		admission.reportFailure(failure);
		expect(admission.runFailure).toBeUndefined();
		expect(admission.findBlock(key)).toBeUndefined();
		for (const signal of signals) expect(signal.aborted).toBe(false);
	});

	it('stops only the calls with a refused key', () => {
		const admission = createAdmission({ stopsOnFailure: false });
		const before = admission.createStopSignal(key);
		const others = [undefined, otherKey].map((one) => admission.createStopSignal(one));
		admission.reportRefusedKey(key, failure);
		expect(admission.runFailure).toBeUndefined();
		expect(admission.findBlock(key)).toEqual({ kind: 'keyRefused', failure });
		expect(admission.findBlock(otherKey)).toBeUndefined();
		expect(before.aborted).toBe(true);
		expect(admission.createStopSignal(key).aborted).toBe(true);
		for (const signal of others) expect(signal.aborted).toBe(false);
	});

	it('keeps the first refusal of each key', () => {
		const admission = createAdmission({ stopsOnFailure: false });
		const ofOtherKey = createFailure(5, new Error('third'));
		admission.reportRefusedKey(key, failure);
		admission.reportRefusedKey(key, secondFailure);
		admission.reportRefusedKey(otherKey, ofOtherKey);
		expect(admission.findBlock(key)).toEqual({ kind: 'keyRefused', failure });
		expect(admission.findBlock(otherKey)).toEqual({ kind: 'keyRefused', failure: ofOtherKey });
	});
});

describe.each([{ stopsOnFailure: true }, { stopsOnFailure: false }])(
	'a canceled execution (stops on failure: $stopsOnFailure)',
	({ stopsOnFailure }) => {
		it('stops the calls with every key, and is not a failure', () => {
			const cancel = new AbortController();
			const admission = createAdmission({ stopsOnFailure, cancelSignal: cancel.signal });
			const signals = [undefined, key].map((one) => admission.createStopSignal(one));
			expect(admission.findBlock(key)).toBeUndefined();
			cancel.abort();
			expect(admission.runFailure).toBeUndefined();
			expect(admission.findBlock(key)).toEqual({ kind: 'canceled' });
			for (const signal of signals) expect(signal.aborted).toBe(true);
		});

		it('aborts the signal of a cancellation, which a failure does not', () => {
			const cancel = new AbortController();
			const admission = createAdmission({ stopsOnFailure, cancelSignal: cancel.signal });
			const signal = admission.createCancelSignal();
			admission.reportRefusedKey(key, failure);
			expect(signal.aborted).toBe(false);
			cancel.abort();
			expect(signal.aborted).toBe(true);
		});

		it('is the reason of a block even if a key was refused or a back-off is in effect', () => {
			const cancel = new AbortController();
			const admission = createAdmission({ stopsOnFailure, cancelSignal: cancel.signal });
			admission.reportRefusedKey(key, failure);
			admission.backoff.begin(60);
			cancel.abort();
			expect(admission.findBlock(key)).toEqual({ kind: 'canceled' });
		});

		it('stops calls also if it was canceled before', () => {
			const cancelSignal = AbortSignal.abort();
			const admission = createAdmission({ stopsOnFailure, cancelSignal });
			expect(admission.createStopSignal(key).aborted).toBe(true);
			expect(admission.findBlock(key)).toEqual({ kind: 'canceled' });
		});
	},
);

describe('a back-off', () => {
	it('blocks the calls with every key until it is over, without stopping them', () => {
		const admission = createAdmission();
		admission.backoff.begin(60);
		expect(admission.findBlock(key)).toEqual({ kind: 'backoff' });
		expect(admission.findBlock(otherKey)).toEqual({ kind: 'backoff' });
		expect(admission.createStopSignal(key).aborted).toBe(false);
	});

	it('is not the reason of a block if the run has failed', () => {
		const admission = createAdmission();
		admission.backoff.begin(60);
		admission.reportFailure(failure);
		expect(admission.findBlock(key)).toEqual({ kind: 'runFailed', failure });
	});

	it('is not the reason of a block if the key was refused', () => {
		const admission = createAdmission({ stopsOnFailure: false });
		admission.backoff.begin(60);
		admission.reportRefusedKey(key, failure);
		expect(admission.findBlock(key)).toEqual({ kind: 'keyRefused', failure });
	});
});
