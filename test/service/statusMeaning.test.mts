import {
	getDebit,
	isKeyRefusal,
	isRefusedBeforeWork,
} from '../../nodes/VoiceSpeech/service/statusMeaning.ts';
import { createRange } from '../support/calls.mts';

// test/errors/httpError.test.mts tests what the user reads, and test/call/backoff.test.mts when a call is retried.

/** All statuses that are not a success. */
const statuses = createRange(300).map((number) => 300 + number);

it('only 401 and 402 refuse the key', () => {
	expect(statuses.filter(isKeyRefusal)).toEqual([401, 402]);
});

it.each([
	{ what: 'without Retry-After', retryAfter: undefined, refused: [429] },
	{ what: 'with a Retry-After of 0', retryAfter: 0, refused: [429, 503] },
	{ what: 'with a Retry-After of 60', retryAfter: 60, refused: [429, 503] },
])('only $refused were refused before any work $what', ({ retryAfter, refused }) => {
	const found = statuses.filter((status) => isRefusedBeforeWork(status, retryAfter));
	expect(found).toEqual(refused);
});

it('a redirect, a 408 and a fault of the server may have been debited, and others are refusals', () => {
	const mayBeDebited = (status: number) => status < 400 || status === 408 || status >= 500;
	for (const status of statuses) {
		expect([status, getDebit(status, undefined)]).toEqual([
			status,
			mayBeDebited(status) ? 'possible' : 'refused',
		]);
	}
	// Retry-After makes a difference only for a 503.
	const differing = statuses.filter(
		(status) => getDebit(status, 0) !== getDebit(status, undefined),
	);
	expect(differing).toEqual([503]);
	expect(getDebit(503, 0)).toBe('refused');
});
