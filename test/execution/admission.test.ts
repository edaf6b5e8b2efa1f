import { admit } from '../../nodes/VoiceSpeech/execution/admission';
import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/backoff';
import { Batch } from '../../nodes/VoiceSpeech/execution/batch';
import type { Item } from '../../nodes/VoiceSpeech/execution/item';
import type { PreparedRequest } from '../../nodes/VoiceSpeech/execution/prepareRequest';

type Setting = { allowed?: string; stopsOnFailure?: boolean; cancel?: AbortSignal };

function setUp({ allowed = 'any', stopsOnFailure = true, cancel }: Setting = {}) {
	const batch = new Batch(stopsOnFailure, cancel);
	batch.enter();
	const backoff = new RateLimitBackoff();
	const item = { read: () => allowed } as unknown as Item;
	const request = { access: { environment: 'live' } } as PreparedRequest;
	return { batch, backoff, admission: () => admit(item, request, batch, backoff) };
}

const failure = { index: 0, error: new Error('No.'), apiKey: undefined };

describe('the admission of a call', () => {
	it('is given where nothing speaks against it', () => {
		expect(setUp().admission()).toBe('admitted');
	});

	it('is refused after a failure that ends the run', () => {
		const { batch, admission } = setUp();
		batch.fail(failure, false);
		expect(admission()).toBe('runEnded');
	});

	it.each([
		[true, 'runEnded'],
		[false, 'admitted'],
	])('with continue on failure, where the failure concerns all items: %s', (failsAll, expected) => {
		const { batch, admission } = setUp({ stopsOnFailure: false });
		batch.fail(failure, failsAll);
		expect(admission()).toBe(expected);
	});

	it('is refused after the execution was cancelled', () => {
		const controller = new AbortController();
		const { admission } = setUp({ cancel: controller.signal });
		controller.abort();
		expect(admission()).toBe('runEnded');
	});

	it('waits for the end of a back-off', () => {
		const { backoff, admission } = setUp();
		backoff.begin(60);
		expect(admission()).toBe('backoff');
	});

	it.each(['live', 'any'])('is given to a live key where %s keys are allowed', (allowed) => {
		expect(setUp({ allowed }).admission()).toBe('admitted');
	});

	it('is refused to a live key where sandbox keys are allowed', () => {
		expect(setUp({ allowed: 'sandbox' }).admission).toThrow('allows sandbox keys only');
	});
});
