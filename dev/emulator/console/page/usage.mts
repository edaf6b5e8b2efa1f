import { create, createBadge, createCell, createRow, createTime, formatCount } from './dom.mts';
import { getById, notify } from './dom.mts';
import type { CallRecord } from '../../usage.mts';

const maxRows = 50;
/** Calls can be faster than a screen reader: it reads several together. */
const announceEveryMs = 1500;

/** What several calls amount to. */
interface Totals {
	calls: number;
	tests: number;
	/** Credits, by environment. */
	sandbox: number;
	live: number;
}

const createTotals = (): Totals => ({ calls: 0, tests: 0, sandbox: 0, live: 0 });

let totals = createTotals();
let unannounced = createTotals();

/** @param usage all calls, oldest first */
export function showUsage({ calls }: { calls: CallRecord[] }) {
	totals = createTotals();
	for (const record of calls) count(totals, record);
	getById('usage-rows').replaceChildren(...calls.slice(-maxRows).reverse().map(createCallRow));
	showTotals();
}

/** @param record of a new call */
export function addCall(record: CallRecord) {
	count(totals, record);
	const rows = getById('usage-rows');
	rows.prepend(createCallRow(record));
	if (rows.children.length > maxRows) rows.lastElementChild?.remove();
	showTotals();
	if (unannounced.calls + unannounced.tests === 0) setTimeout(announce, announceEveryMs);
	count(unannounced, record);
}

/** @param sums changed in place */
function count(sums: Totals, record: CallRecord) {
	sums[isConnectionTest(record) ? 'tests' : 'calls']++;
	sums[record.environment] += record.credits;
}

function showTotals() {
	const { sandbox, live, calls, tests } = totals;
	const isEmpty = calls + tests === 0;
	getById('usage-empty').hidden = !isEmpty;
	getById('calls').hidden = isEmpty;
	const debits = `sandbox ${formatCount(sandbox, 'credit')} (test data), live ${formatCount(live, 'credit')}`;
	const cut = calls + tests > maxRows ? ` The newest ${maxRows} are listed.` : '';
	getById('usage-totals').textContent = isEmpty
		? ''
		: `${describe(totals)}. Debited: ${debits}.${cut}`;
}

/** Whether it is the request with which n8n tests a credential, which is no call and costs nothing. */
function isConnectionTest({ method, operation }: CallRecord) {
	return method === 'GET' && operation === 'speech-to-text';
}

/** @returns such as "2 calls and 1 connection test" */
function describe({ calls, tests }: Totals): string {
	if (tests === 0) return formatCount(calls, 'call');
	if (calls === 0) return formatCount(tests, 'connection test');
	return `${formatCount(calls, 'call')} and ${formatCount(tests, 'connection test')}`;
}

function createCallRow(record: CallRecord) {
	const { at, environment, testData, credits, keyPrefix, bytesIn, voiceId } = record;
	const title = `${record.method} ${record.path}`;
	return createRow(
		createCell('Time', createTime(at)),
		createCell('Operation', describeOperation(record), { isRowHeader: true, title }),
		createCell('Environment', createBadge(environment, testData)),
		createCell('Credits', String(credits), { className: 'number' }),
		createResultCell(record),
		createCell('Key', create('code', {}, keyPrefix)),
		createCell('Size', formatSize(bytesIn), { className: 'number' }),
		createCell('Voice', voiceId ? create('code', {}, voiceId) : '–'),
	);
}

function describeOperation(record: CallRecord) {
	if (isConnectionTest(record)) return 'connection test (GET)';
	const { method, operation, path } = record;
	if (method === 'POST' && operation) return operation;
	return create('code', { className: 'path' }, `${method} ${path}`);
}

function createResultCell(record: CallRecord) {
	const { status } = record;
	// A connection test has succeeded if the emulator knows the path and the key, but not the method.
	if (isConnectionTest(record) && status === 405) {
		return createCell('Result', `Reached, ${status}`, { className: 'good' });
	}
	const className = status < 400 ? 'good' : 'bad';
	return createCell('Result', `${describeStatus(status)}, ${status}`, { className });
}

function describeStatus(status: number) {
	if (status < 400) return 'Accepted';
	if (status === 499) return 'Broken off';
	return status < 500 ? 'Refused' : 'Failed';
}

function formatSize(bytes: number) {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function announce() {
	const credits = unannounced.sandbox + unannounced.live;
	notify(`New: ${describe(unannounced)}, ${formatCount(credits, 'credit')}.`);
	unannounced = createTotals();
}
