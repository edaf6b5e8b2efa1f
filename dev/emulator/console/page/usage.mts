import type { CallRecord } from '../../usage.mts';
import {
	create,
	createBadge,
	createCell,
	createRow,
	createTime,
	formatCount,
	getById,
	notify,
} from './dom.mts';

const maxRows = 20;
/** Calls can arrive faster than a screen reader reads, so several are announced together. */
const announceEveryMs = 1500;

/** All calls, oldest first. */
let calls: CallRecord[] = [];
/** How many of the calls were announced. */
let announced = 0;

export function showUsage(usage: { calls: CallRecord[] }) {
	({ calls } = usage);
	announced = calls.length;
	getById('usage-rows').replaceChildren(...calls.slice(-maxRows).reverse().map(createCallRow));
	showTotals();
}

export function addCall(record: CallRecord) {
	if (announced === calls.length) setTimeout(announce, announceEveryMs);
	calls.push(record);
	const rows = getById('usage-rows');
	rows.prepend(createCallRow(record));
	if (rows.children.length > maxRows) rows.lastElementChild?.remove();
	showTotals();
}

function announce() {
	const recent = calls.slice(announced);
	// The page has received the entire state again, so nothing is new.
	if (recent.length === 0) return;
	announced = calls.length;
	notify(`New: ${countCalls(recent)}, ${countCredits(recent)}.`, 'news');
}

function showTotals() {
	const isEmpty = calls.length === 0;
	getById('usage-empty').hidden = !isEmpty;
	getById('calls').hidden = isEmpty;
	const sandbox = calls.filter(({ environment }) => environment === 'sandbox');
	const live = calls.filter(({ environment }) => environment === 'live');
	const debits = `sandbox ${countCredits(sandbox)} (test data), live ${countCredits(live)}`;
	const cut = calls.length > maxRows ? ` The newest ${maxRows} are listed.` : '';
	getById('usage-totals').textContent = isEmpty
		? ''
		: `${countCalls(calls)}. Debited: ${debits}.${cut}`;
}

/** @returns such as "2 calls and 1 connection test" */
function countCalls(records: CallRecord[]): string {
	const tests = records.filter(isConnectionTest).length;
	const others = records.length - tests;
	if (tests === 0) return formatCount(others, 'call');
	if (others === 0) return formatCount(tests, 'connection test');
	return `${formatCount(others, 'call')} and ${formatCount(tests, 'connection test')}`;
}

const countCredits = (records: CallRecord[]) =>
	formatCount(
		records.reduce((sum, { credits }) => sum + credits, 0),
		'credit',
	);

/** Whether n8n sent the request to test a credential. It is not a call, and costs nothing. */
function isConnectionTest({ method, operation }: CallRecord) {
	return method === 'GET' && operation === 'speech-to-text';
}

function createCallRow(record: CallRecord) {
	const { method, path, status, environment, voiceId } = record;
	// A connection test has succeeded if the emulator knows the path and the key, but not the method.
	const isReached = isConnectionTest(record) && status === 405;
	const className = isReached || status < 400 ? 'good' : 'bad';
	return createRow(
		createCell('Time', createTime(record.at)),
		createCell('Operation', describeOperation(record), { tag: 'th', title: `${method} ${path}` }),
		createCell('Environment', createBadge(environment, record.testData)),
		createCell('Credits', String(record.credits), { className: 'number' }),
		createCell('Result', describeResult(record, isReached), { className }),
		createCell('Key', create('code', {}, record.keyPrefix)),
		createCell('Size', formatSize(record.bytesIn), { className: 'number' }),
		createCell('Voice', voiceId ? create('code', {}, voiceId) : '–'),
	);
}

function describeOperation(record: CallRecord) {
	if (isConnectionTest(record)) return 'connection test (GET)';
	const { method, operation, path } = record;
	if (method === 'POST' && operation) return operation;
	return create('code', { className: 'path' }, `${method} ${path}`);
}

function describeResult({ status }: CallRecord, isReached: boolean) {
	if (isReached) return `Reached, ${status}`;
	if (status < 400) return `Accepted, ${status}`;
	if (status === 499) return `Broken off, ${status}`;
	return status < 500 ? `Refused, ${status}` : `Failed, ${status}`;
}

function formatSize(bytes: number) {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
