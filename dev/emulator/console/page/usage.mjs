import { call } from './api.mjs';
import { byId, cell, environmentBadge, make, notify, timeOf } from './dom.mjs';

/** @typedef {import('../../usage.mjs').CallRecord} CallRecord */

const MAX_ROWS = 200;
/** Calls can be faster than a screen reader: it reads several together. */
const ANNOUNCE_EVERY_MS = 1500;

const totals = { sandbox: 0, live: 0, calls: 0 };
const unannounced = { calls: 0, credits: 0 };
let lastId = 0;

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
	if (unannounced.calls === 0) setTimeout(announce, ANNOUNCE_EVERY_MS);
	unannounced.calls++;
	unannounced.credits += record.credits;
}

/** @param {CallRecord} record */
function addCall(record) {
	if (record.id <= lastId) return;
	lastId = record.id;
	totals.calls++;
	totals[record.environment] += record.credits;
	const rows = byId('usage-rows');
	rows.prepend(rowOf(record));
	while (rows.children.length > MAX_ROWS) rows.lastElementChild.remove();
	byId('usage-empty').hidden = true;
	byId('calls').hidden = false;
	byId('usage-totals').textContent =
		`${totals.calls.toLocaleString()} calls. Debited: sandbox ${totals.sandbox.toLocaleString()} credits (test data), live ${totals.live.toLocaleString()} credits.`;
}

/** @param {CallRecord} record */
function rowOf({ at, operation, path, environment, testData, credits, status, ...record }) {
	const name = operation || make('code', {}, path);
	const isGood = status < 400;
	return make(
		'tr',
		{},
		cell(timeOf(at)),
		make('th', { scope: 'row', className: 'long', title: path }, name),
		cell(environmentBadge(environment, testData)),
		cell(String(credits), 'number'),
		cell(`${isGood ? 'Accepted' : 'Refused'}, ${status}`, isGood ? 'good' : 'bad'),
		cell(make('code', {}, record.keyPrefix)),
		cell(sizeOf(record.bytesIn), 'number'),
		cell(record.voiceId ? make('code', {}, record.voiceId) : '–'),
	);
}

/** @param {number} bytes */
function sizeOf(bytes) {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function announce() {
	const { calls, credits } = unannounced;
	notify(`${calls} new call${calls === 1 ? '' : 's'}, ${credits} credits.`);
	Object.assign(unannounced, { calls: 0, credits: 0 });
}
