import { createFailure } from '../../nodes/VoiceSpeech/call/itemFailure.ts';
import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import type { DebitStatus } from '../../nodes/VoiceSpeech/service/debit.ts';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText.ts';
import { notSentRecord, RunState, type PaidOutcome } from '../../nodes/VoiceSpeech/run/runState.ts';

const createOutcome = (text: string): PaidOutcome => {
	const output = { json: { text }, sampleWarnings: [], responseInfo: undefined };
	const result = { output, options: readOptions({}, speechToText.endpoint) };
	return { kind: 'succeeded', result };
};

const failed: PaidOutcome = { kind: 'failed', failure: createFailure(0, new Error('unusable')) };

describe('a RunState', () => {
	it.each([
		{ what: 'a result', outcome: createOutcome('hello') },
		{ what: 'the failure of a response that could not be used', outcome: failed },
	])('finds $what for the same request of an item', ({ outcome }) => {
		const state = new RunState();
		state.recordPaid(0, ['a', 'x'], outcome);
		expect(state.findPaid(0, ['a', 'x'])).toBe(outcome);
	});

	it.each([
		{ what: 'another request', index: 0, fingerprint: ['b', 'x'] },
		{ what: 'a request with more parts', index: 0, fingerprint: ['a', 'x', 'y'] },
		{ what: 'a request with fewer parts', index: 0, fingerprint: ['a'] },
		{ what: 'another item', index: 1, fingerprint: ['a', 'x'] },
	])('finds nothing for $what', ({ index, fingerprint }) => {
		const state = new RunState();
		state.recordPaid(0, ['a', 'x'], createOutcome('hello'));
		expect(state.findPaid(index, fingerprint)).toBeUndefined();
	});

	it('remembers each request of an item, and which one was the last', () => {
		const state = new RunState();
		const first = createOutcome('first');
		const later = createOutcome('later');
		state.recordPaid(0, ['a', 'x'], first);
		state.recordPaid(0, ['b'], later);
		expect(state.findPaid(0, ['a', 'x'])).toBe(first);
		expect(state.findPaid(0, ['b'])).toBe(later);
		expect(state.getLastPaid(0)).toBe(later);
		expect(state.getLastPaid(1)).toBeUndefined();
	});
});

describe('the debit status of an item', () => {
	const consoleLabel = 'the console (https://console.example.com)';

	it.each<{ recorded: DebitStatus[]; known: DebitStatus }>([
		{ recorded: [], known: 'notSent' },
		{ recorded: ['notSent'], known: 'notSent' },
		{ recorded: ['refused', 'notSent'], known: 'refused' },
		{ recorded: ['possible', 'refused'], known: 'possible' },
		{ recorded: ['refused', 'possible', 'notSent'], known: 'possible' },
		{ recorded: ['debited', 'possible'], known: 'debited' },
		{ recorded: ['possible', 'debited'], known: 'debited' },
	])('is $known after $recorded', ({ recorded, known }) => {
		const state = new RunState();
		for (const debit of recorded) state.recordDebit(3, debit, consoleLabel);
		expect(state.getDebitRecord(3).debit).toBe(known);
		expect(state.getDebitRecord(4)).toBe(notSentRecord);
	});

	it('is at least what an earlier, unknown use of the same items may have cost', () => {
		const state = new RunState({ debit: 'possible', consoleLabel });
		expect(state.getDebitRecord(0)).toEqual({ debit: 'possible', consoleLabel });
		state.recordDebit(0, 'refused', consoleLabel);
		expect(state.getDebitRecord(0).debit).toBe('possible');
		state.recordDebit(0, 'debited', consoleLabel);
		expect(state.getDebitRecord(0).debit).toBe('debited');
	});

	it('keeps the console of the request that may have been debited', () => {
		const state = new RunState();
		state.recordDebit(0, 'possible', consoleLabel);
		state.recordDebit(0, 'refused', 'the console of another key');
		expect(state.getDebitRecord(0)).toEqual({ debit: 'possible', consoleLabel });
	});
});
