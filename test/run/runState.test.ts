import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions';
import type { DebitStatus } from '../../nodes/VoiceSpeech/debit';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText';
import { notSentRecord, RunState, type CallResult } from '../../nodes/VoiceSpeech/run/runState';

const createResult = (text: string): CallResult => ({
	output: { json: { text }, sampleWarnings: [], responseInfo: undefined },
	options: readOptions({}, speechToText.endpoint),
});

describe('a RunState', () => {
	it('finds the result of an item for the same request', () => {
		const state = new RunState();
		const result = createResult('hello');
		state.cacheResult(0, ['a', 'x'], result);
		expect(state.findResultOfSameRequest(0, ['a', 'x'])).toBe(result);
	});

	it.each([
		{ what: 'another request', index: 0, fingerprint: ['b', 'x'] },
		{ what: 'a request with more parts', index: 0, fingerprint: ['a', 'x', 'y'] },
		{ what: 'a request with fewer parts', index: 0, fingerprint: ['a'] },
		{ what: 'another item', index: 1, fingerprint: ['a', 'x'] },
	])('finds no result of an item for $what', ({ index, fingerprint }) => {
		const state = new RunState();
		state.cacheResult(0, ['a', 'x'], createResult('hello'));
		expect(state.findResultOfSameRequest(index, fingerprint)).toBeUndefined();
	});

	it('replaces a result by that of a later call of the same item', () => {
		const state = new RunState();
		const later = createResult('later');
		state.cacheResult(0, ['a', 'x'], createResult('hello'));
		state.cacheResult(0, ['b'], later);
		expect(state.findResultOfSameRequest(0, ['a', 'x'])).toBeUndefined();
		expect(state.findResultOfSameRequest(0, ['b'])).toBe(later);
		expect(state.getCachedResult(0)).toBe(later);
	});

	it('returns the last result of an item, and none of another item', () => {
		const state = new RunState();
		const result = createResult('hello');
		state.cacheResult(0, ['a', 'x'], result);
		expect(state.getCachedResult(0)).toBe(result);
		expect(state.getCachedResult(1)).toBeUndefined();
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
