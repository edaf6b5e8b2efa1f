import type { DebitStatus } from '../../nodes/VoiceSpeech/service/debit.ts';
import {
	getDebit,
	isKeyRefusal,
	isRefusedBeforeWork,
} from '../../nodes/VoiceSpeech/service/statusMeaning.ts';

// test/errors/httpError.test.mts tests what the user reads, and test/call/backoff.test.mts when a call is retried.

interface Row {
	status: number;
	retryAfter: number | undefined;
	refusesKey: boolean;
	retried: boolean;
	debit: DebitStatus;
}

const rows: Row[] = [
	{ status: 302, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 304, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 399, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 400, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 401, retryAfter: undefined, refusesKey: true, retried: false, debit: 'refused' },
	{ status: 401, retryAfter: 1, refusesKey: true, retried: false, debit: 'refused' },
	{ status: 402, retryAfter: undefined, refusesKey: true, retried: false, debit: 'refused' },
	{ status: 403, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 404, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 405, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 407, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 408, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 408, retryAfter: 1, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 413, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 415, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 418, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 422, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 429, retryAfter: undefined, refusesKey: false, retried: true, debit: 'refused' },
	{ status: 429, retryAfter: 0, refusesKey: false, retried: true, debit: 'refused' },
	{ status: 499, retryAfter: undefined, refusesKey: false, retried: false, debit: 'refused' },
	{ status: 500, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 500, retryAfter: 1, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 503, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
	{ status: 503, retryAfter: 0, refusesKey: false, retried: true, debit: 'refused' },
	{ status: 503, retryAfter: 60, refusesKey: false, retried: true, debit: 'refused' },
	{ status: 599, retryAfter: undefined, refusesKey: false, retried: false, debit: 'possible' },
];

/** Adds the words of the title. */
const describeRow = (row: Row) => ({
	...row,
	header:
		row.retryAfter === undefined ? 'without Retry-After' : `with Retry-After ${row.retryAfter}`,
	effectOnKey: row.refusesKey ? 'refuses the key' : 'does not refuse the key',
	retry: row.retried ? 'is retried' : 'is not retried',
});

it.each(rows.map(describeRow))(
	'a status $status $header $effectOnKey, $retry, and has the debit status $debit',
	({ status, retryAfter, refusesKey, retried, debit }) => {
		expect(isKeyRefusal(status)).toBe(refusesKey);
		expect(isRefusedBeforeWork(status, retryAfter)).toBe(retried);
		expect(getDebit(status, retryAfter)).toBe(debit);
	},
);
