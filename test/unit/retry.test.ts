import { retryAfterSeconds, retryWait } from '../../nodes/VoiceSpeech/request/retry';

const now = 'Wed, 21 Oct 2015 07:28:00 GMT';

describe('Retry-After', () => {
	it.each([
		['0', 0],
		['12', 12],
		['1.25', 1.25],
		['Wed, 21 Oct 2015 07:28:30 GMT', 30],
		['Wednesday, 21-Oct-15 07:28:30 GMT', 30],
		['wed, 21 Oct 2015 07:28:30 GMT', 30],
		['Wed, 21 Oct 2015 07:27:00 GMT', 0],
	])('%s is %d seconds', (value, seconds) => {
		expect(retryAfterSeconds({ 'retry-after': value, date: now })).toBe(seconds);
	});

	it.each([
		...[
			undefined,
			'',
			' ',
			'2x',
			'x2',
			'1.',
			'.5',
			'1.x',
			'-1',
			'soon',
			'abc 1',
			'Wed',
			'21 Oct 2015',
		],
		'at Wed, 21 Oct 2015 07:28:30 GMT',
	])('%s says nothing', (value) => {
		expect(retryAfterSeconds({ 'retry-after': value, date: now })).toBeUndefined();
	});
});

describe('a call that was refused', () => {
	const limits = { rateLimitRetries: 1, maxRetryWaitSeconds: 2 };

	it('is sent again after the longest wait that is allowed, and not after a longer one', () => {
		expect(retryWait(429, { 'retry-after': '2' }, 0, limits)).toBe(2);
		expect(retryWait(429, { 'retry-after': '2.01' }, 0, limits)).toBeUndefined();
	});
});
