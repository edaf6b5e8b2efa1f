import { call } from './api.mjs';
import { byId, environmentBadge, make, notify, timeOf } from './dom.mjs';

/** @typedef {import('../../usage.mjs').CallRecord} CallRecord */

const MAX_ROWS = 200;
/** Calls can be faster than a screen reader: it reads several together. */
const ANNOUNCE_EVERY_MS = 1500;

const totals = { sandbox: 0, live: 0, calls: 0 };
let lastId = 0;
/** @type {CallRecord[]} */
let unannounced = [];

/** Adds the calls that are not shown yet: at the start, and after a lost connection. */
export async function catchUp() {
	/** @type {{calls: CallRecord[]}} */
	const { calls } = await call('GET', `/usage?after=${lastId}`);
	calls.forEach(addCall);
}

/** @param {CallRecord} record of a new call */
export function showCall(record) {
	if (record.id <= lastId) return;
	// After a gap, the missing calls come first.
	if (record.id > lastId + 1) void catchUp();
	else addCall(record);
	if (unannounced.length === 0) setTimeout(announce, ANNOUNCE_EVERY_MS);
	unannounced.push(record);
}

/** @param {CallRecord} record */
function addCall(record) {
	if (record.id <= lastId) return;
	lastId = record.id;
	totals.calls++;
	totals[record.environment] += record.credits;
	const rows = byId('usage-rows');
	rows.prepend(rowOf(record));
	while (rows.children.length > MAX_ROWS) rows.lastElementChild?.remove();
	byId('usage-empty').hidden = true;
	byId('usage-table').hidden = false;
	byId('usage-totals').textContent =
		`${totals.calls.toLocaleString()} calls. Debited: sandbox ${totals.sandbox.toLocaleString()} credits (test data), live ${totals.live.toLocaleString()} credits.`;
}

/** @param {CallRecord} record */
function rowOf(record) {
	const isGood = record.status < 400;
	return make(
		'tr',
		{},
		make('td', {}, timeOf(record.at)),
		make(
			'th',
			{ scope: 'row', class: 'long', title: record.path },
			record.operation || make('code', {}, record.path),
		),
		make('td', {}, environmentBadge(record.environment, record.testData)),
		make('td', { class: 'number' }, String(record.credits)),
		make(
			'td',
			{ class: isGood ? 'good' : 'bad' },
			`${isGood ? 'Accepted' : 'Refused'}, ${record.status}`,
		),
		make('td', {}, make('code', {}, record.keyPrefix)),
		make('td', { class: 'number' }, sizeOf(record.bytesIn)),
		make('td', {}, record.voiceId ? make('code', {}, record.voiceId) : '–'),
	);
}

/** @param {number} bytes */
function sizeOf(bytes) {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function announce() {
	const credits = unannounced.reduce((sum, record) => sum + record.credits, 0);
	const [first] = unannounced;
	if (first) {
		notify(
			unannounced.length === 1
				? `New ${first.environment} call${first.testData ? ' (test data)' : ''}: ${first.operation || first.path}, ${credits} credits, status ${first.status}.`
				: `${unannounced.length} new calls, ${credits} credits.`,
		);
	}
	unannounced = [];
}
