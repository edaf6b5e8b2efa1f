/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage';
import type { Sample } from '../full/tools';

const MINUTE = 60_000;
const MEGABYTE = 1024 ** 2;

/** A pace that leaves a machine with two cores time to breathe. */
const UPLOAD_EVERY_MS = 1_000;

/** Sockets come and go. A call or an upload that left one behind would leave hundreds. */
const SPARE_HANDLES = 8;

/** Bytes that a process may take more from Linux than in the time before. */
const SPARE_TAKEN = 32 * MEGABYTE;

/** The same of n8n's: V8 takes room and gives it back in steps of this size, whatever it holds. */
const SPARE_TAKEN_V8 = 128 * MEGABYTE;

/** Bytes that an n8n process may hold more than before, all garbage collected: its caches. */
const SPARE_HELD = 16 * MEGABYTE;

/** Uploads recordings for some minutes, and checks that no process of n8n grows. */
export async function expectSteady(stage: Stage, minutes: number) {
	const { tools, cluster, service, formUrl } = stage;
	const n8n = {
		main: cluster.main.pid,
		webhook: cluster.webhook.pid,
		'worker 1': cluster.workers[0]!.pid,
		'worker 2': cluster.workers[1]!.pid,
	};
	const watched = { ...n8n, redis: cluster.redis.pid(), postgres: cluster.postgres.pid() };
	// What is loaded with the first executions is no leak.
	await tools.submitRecordings(formUrl, { run: 'warm', count: 20 });
	await tools.endedRows(cluster, 'warm', 20, 5 * MINUTE);
	await service.forget();
	const count = Math.round((minutes * MINUTE) / UPLOAD_EVERY_MS);
	const liveBefore = await liveAll(stage, n8n);
	const before = tools.sampleAll(watched);
	const watch = tools.watchProcesses(watched);
	const submissions = await tools
		.submitRecordings(formUrl, { run: 'soak', count, inFlight: 4, everyMs: UPLOAD_EVERY_MS })
		.finally(() => watch.stop());
	const samples = watch.stop();

	expect(submissions.filter(({ accepted }) => !accepted)).toEqual([]);
	const rows = await tools.endedRows(cluster, 'soak', count, 5 * MINUTE);
	const after = await atRest(() => excess(before, tools.sampleAll(watched)));
	const live = await liveAll(stage, n8n);
	const facts = await tools.factsOf({ cluster, service, submissions, rows });
	expect(facts).toMatchObject({
		statuses: { success: count },
		mixedUp: [],
		paidTwice: [],
		calls: 2 * count,
	});

	const shares = [...samples].map(([name, all]) => ({ name, ...tools.thirds(all) }));
	process.stdout.write(`${count} uploads, ${minutes} minutes; each third of the time:\n`);
	for (const { name, first, middle, last } of shares) {
		const each = (what: (sample: Sample) => number) => [first, middle, last].map(what).join(', ');
		process.stdout.write(
			`${name}: ${each(({ memory }) => Math.round(memory / MEGABYTE))} MB, ${each(({ handles }) => handles)} handles, ${each(({ processes }) => processes)} processes\n`,
		);
	}
	for (const [name, bytes] of live) {
		const grown = bytes - liveBefore.get(name)!;
		const megabytes = [bytes - grown, bytes].map((each) => (each / MEGABYTE).toFixed(1));
		process.stdout.write(`${name}: live before and after ${megabytes.join(', ')} MB\n`);
		expect({ name, leaks: grown > SPARE_HELD, grown }).toEqual({ name, leaks: false, grown });
	}
	for (const { name, middle, last } of shares) {
		const grown = last.memory - middle.memory;
		const leaks = grown > (name in n8n ? SPARE_TAKEN_V8 : SPARE_TAKEN);
		expect({ name, leaks, grown }).toEqual({ name, leaks: false, grown });
	}
	expect(after).toEqual([]);
}

/** What each process holds once its garbage is collected. */
async function liveAll({ tools, folder }: Stage, pids: Record<string, number>) {
	const live = new Map<string, number>();
	for (const [name, pid] of Object.entries(pids)) {
		live.set(name, await tools.liveMemory(folder, pid));
	}
	return live;
}

/** What is open that was not open before. PostgreSQL keeps its files open on purpose: its sessions count. */
function excess(before: Map<string, Sample>, now: Map<string, Sample>): string[] {
	return [...now].flatMap(([name, { handles, processes }]) => {
		const was = before.get(name)!;
		const what = name === 'postgres' ? processes - was.processes : handles - was.handles;
		if (processes === 0) return [`${name} has ended`];
		return what > SPARE_HANDLES ? [`${name}: ${what} more`] : [];
	});
}

/** Sockets that are kept open for the next call close after a while: waits for that, a minute at most. */
async function atRest(look: () => string[]): Promise<string[]> {
	for (let tries = 60; tries > 0 && look().length > 0; tries--) await sleep(1_000);
	return look();
}
