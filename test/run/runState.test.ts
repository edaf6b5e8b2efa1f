import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions';
import { notSentRecord, type DebitStatus } from '../../nodes/VoiceSpeech/debit';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText';
import { RunState, type SuccessfulCall } from '../../nodes/VoiceSpeech/run/runState';

const createSuccessfulCall = (text: string): SuccessfulCall => ({
	output: { json: { text } },
	options: readOptions({}, speechToText.endpoint),
});

describe('completed calls', () => {
	it('finds the completed call of an item for the same request', () => {
		const state = new RunState();
		const call = createSuccessfulCall('hello');
		state.cacheCall(0, ['a', 'x'], call);
		expect(state.findCallWithSameRequest(0, ['a', 'x'])).toBe(call);
	});

	it.each([
		{ what: 'another request', index: 0, fingerprint: ['b', 'x'] },
		{ what: 'a request with more parts', index: 0, fingerprint: ['a', 'x', 'y'] },
		{ what: 'a request with fewer parts', index: 0, fingerprint: ['a'] },
		{ what: 'another item', index: 1, fingerprint: ['a', 'x'] },
	])('finds no completed call of an item for $what', ({ index, fingerprint }) => {
		const state = new RunState();
		state.cacheCall(0, ['a', 'x'], createSuccessfulCall('hello'));
		expect(state.findCallWithSameRequest(index, fingerprint)).toBeUndefined();
	});

	it('replaces a completed call by a later call of the same item', () => {
		const state = new RunState();
		const later = createSuccessfulCall('later');
		state.cacheCall(0, ['a', 'x'], createSuccessfulCall('hello'));
		state.cacheCall(0, ['b'], later);
		expect(state.findCallWithSameRequest(0, ['a', 'x'])).toBeUndefined();
		expect(state.findCallWithSameRequest(0, ['b'])).toBe(later);
		expect(state.getCachedCall(0)).toBe(later);
	});

	it('returns the last completed call of an item, and none of another item', () => {
		const state = new RunState();
		const call = createSuccessfulCall('hello');
		state.cacheCall(0, ['a', 'x'], call);
		expect(state.getCachedCall(0)).toBe(call);
		expect(state.getCachedCall(1)).toBeUndefined();
	});
});

describe('the debit status of an item', () => {
	const consoleName = 'the console (https://console.example.com)';

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
		for (const debit of recorded) state.recordDebit(3, debit, consoleName);
		expect(state.getDebitRecord(3).debit).toBe(known);
		expect(state.getDebitRecord(4)).toBe(notSentRecord);
	});

	it('is at least what an earlier, unknown use of the same items may have cost', () => {
		const state = new RunState({ debit: 'possible', consoleName });
		expect(state.getDebitRecord(0)).toEqual({ debit: 'possible', consoleName });
		state.recordDebit(0, 'refused', consoleName);
		expect(state.getDebitRecord(0).debit).toBe('possible');
		state.recordDebit(0, 'debited', consoleName);
		expect(state.getDebitRecord(0).debit).toBe('debited');
	});

	it('keeps the console of the request that may have been debited', () => {
		const state = new RunState();
		state.recordDebit(0, 'possible', consoleName);
		state.recordDebit(0, 'refused', 'the console of another key');
		expect(state.getDebitRecord(0)).toEqual({ debit: 'possible', consoleName });
	});
});
