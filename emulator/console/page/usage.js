import { call } from './api.js';
import { byId, environmentBadge, make, tell, timeOf } from './dom.js';

const MOST_ROWS = 200;
/** Calls can come faster than a screen reader speaks: they are announced together. */
const ANNOUNCE_EVERY_MS = 1500;

const totals = { sandbox: 0, live: 0, calls: 0 };
let lastId = 0;
let unannounced = [];

/** Adds the calls that are not shown yet: at the start, and after a lost connection. */
export async function catchUp() {
	const { calls } = await call('GET', `/usage?after=${lastId}`);
	calls.forEach(addCall);
}

/** @param {any} line a call that was just made */
export function showCall(line) {
	if (line.id <= lastId) return;
	// After a gap, what was missed comes first, and this call with it.
	if (line.id > lastId + 1) void catchUp();
	else addCall(line);
	if (unannounced.length === 0) setTimeout(announce, ANNOUNCE_EVERY_MS);
	unannounced.push(line);
}

/** @param {any} line */
function addCall(line) {
	if (line.id <= lastId) return;
	lastId = line.id;
	totals.calls++;
	totals[line.environment] += line.credits;
	const rows = byId('usage-rows');
	rows.prepend(rowOf(line));
	while (rows.children.length > MOST_ROWS) rows.lastElementChild.remove();
	byId('usage-empty').hidden = true;
	byId('usage-table').hidden = false;
	byId('usage-totals').textContent =
		`${totals.calls.toLocaleString()} calls. Debited: sandbox ${totals.sandbox.toLocaleString()} credits (test data), live ${totals.live.toLocaleString()} credits.`;
}

/** @param {any} line */
function rowOf(line) {
	const good = line.status < 400;
	return make(
		'tr',
		{},
		make('td', {}, timeOf(line.at)),
		make('th', { scope: 'row' }, line.operation || make('code', {}, line.path)),
		make('td', {}, environmentBadge(line.environment, line.testData)),
		make('td', { class: 'number' }, String(line.credits)),
		make(
			'td',
			{ class: good ? 'result-good' : 'result-bad' },
			`${good ? 'Accepted' : 'Refused'}, ${line.status}`,
		),
		make('td', {}, make('code', {}, line.keyPrefix)),
		make('td', { class: 'number' }, sizeOf(line.bytesIn)),
		make('td', {}, line.voiceId ? make('code', {}, line.voiceId) : '–'),
	);
}

/** @param {number} bytes */
function sizeOf(bytes) {
	if (bytes < 1000) return `${bytes} B`;
	if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function announce() {
	const credits = unannounced.reduce((sum, line) => sum + line.credits, 0);
	const [first] = unannounced;
	tell(
		unannounced.length === 1
			? `New ${first.environment} call${first.testData ? ' (test data)' : ''}: ${first.operation || first.path}, ${credits} credits, status ${first.status}.`
			: `${unannounced.length} new calls, ${credits} credits.`,
	);
	unannounced = [];
}
