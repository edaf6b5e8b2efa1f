import { call } from './api.mts';
import { byId, cell, count, environmentBadge, make, notify, row, timeOf } from './dom.mts';
import type { CallRecord } from '../../usage.mts';

const MAX_ROWS = 200;
/** Calls can be faster than a screen reader: it reads several together. */
const ANNOUNCE_EVERY_MS = 1500;

const totals = { sandbox: 0, live: 0, calls: 0, tests: 0 };
const unannounced = { calls: 0, tests: 0, credits: 0 };
let lastId = 0;

/** Adds the calls that are not shown yet: at the start, and after a lost connection. */
export async function catchUp() {
	const { calls } = await call('GET', `/usage?after=${lastId}`);
	calls.forEach(addCall);
}

/** @param record of a new call */
export function showCall(record: CallRecord) {
	if (record.id <= lastId) return;
	// After a gap, the missing calls come first.
	if (record.id > lastId + 1) void catchUp();
	else addCall(record);
	if (unannounced.calls + unannounced.tests === 0) setTimeout(announce, ANNOUNCE_EVERY_MS);
	unannounced[isConnectionTest(record) ? 'tests' : 'calls']++;
	unannounced.credits += record.credits;
}

function addCall(record: CallRecord) {
	if (record.id <= lastId) return;
	lastId = record.id;
	totals[isConnectionTest(record) ? 'tests' : 'calls']++;
	totals[record.environment] += record.credits;
	const rows = byId('usage-rows');
	rows.prepend(rowOf(record));
	while (rows.children.length > MAX_ROWS) rows.lastElementChild.remove();
	byId('usage-empty').hidden = true;
	byId('calls').hidden = false;
	const debits = `sandbox ${count(totals.sandbox, 'credit')} (test data), live ${count(totals.live, 'credit')}`;
	const isCut = totals.calls + totals.tests > MAX_ROWS;
	byId('usage-totals').textContent =
		`${describe(totals)}. Debited: ${debits}.${isCut ? ` The newest ${MAX_ROWS} are listed.` : ''}`;
}

/** Whether it is the request with which n8n tests a credential, which is no call and costs nothing. */
function isConnectionTest({ method, operation }: CallRecord) {
	return method === 'GET' && operation === 'speech-to-text';
}

/** @returns such as "2 calls and 1 connection test" */
function describe({ calls, tests }: { calls: number; tests: number }): string {
	if (tests === 0) return count(calls, 'call');
	if (calls === 0) return count(tests, 'connection test');
	return `${count(calls, 'call')} and ${count(tests, 'connection test')}`;
}

function rowOf(record: CallRecord) {
	const { at, environment, testData, credits, keyPrefix, bytesIn, voiceId } = record;
	const title = `${record.method} ${record.path}`;
	return row(
		cell('Time', timeOf(at)),
		cell('Operation', operationOf(record), { isRowHeader: true, title }),
		cell('Environment', environmentBadge(environment, testData)),
		cell('Credits', String(credits), { className: 'number' }),
		resultCell(record),
		cell('Key', make('code', {}, keyPrefix)),
		cell('Size', sizeOf(bytesIn), { className: 'number' }),
		cell('Voice', voiceId ? make('code', {}, voiceId) : '–'),
	);
}

function operationOf(record: CallRecord) {
	if (isConnectionTest(record)) return 'connection test (GET)';
	const { method, operation, path } = record;
	if (method === 'POST' && operation) return operation;
	return make('code', { className: 'path' }, `${method} ${path}`);
}

function resultCell(record: CallRecord) {
	const { status } = record;
	// 405 is what a connection test gets if everything is well.
	if (isConnectionTest(record) && status === 405) return cell('Result', `Not a call, ${status}`);
	const className = status < 400 ? 'good' : 'bad';
	return cell('Result', `${outcomeOf(status)}, ${status}`, { className });
}

function outcomeOf(status: number) {
	if (status < 400) return 'Accepted';
	if (status === 499) return 'Broken off';
	return status < 500 ? 'Refused' : 'Failed';
}

function sizeOf(bytes: number) {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function announce() {
	const { credits, ...numbers } = unannounced;
	notify(`New: ${describe(numbers)}, ${count(credits, 'credit')}.`);
	Object.assign(unannounced, { calls: 0, tests: 0, credits: 0 });
}
