/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { setTimeout as sleep } from 'node:timers/promises';
import { startStage, type Stage } from './stage';
import type { Facts } from './tools';

const MINUTE = 60_000;

/** What must hold whatever is taken away: see the doc comment of Facts. */
export const SOUND = {
	lost: [],
	doubled: [],
	startedAgain: [],
	paidTwice: [],
	reportedOnly: [],
	mixedUp: [],
};

const UPLOADS = 40;

/** What {@link useDisruptedStage} finds where nothing was given up. */
export const ALL_WELL = { ...SOUND, statuses: { success: UPLOADS }, calls: 2 * UPLOADS };

/**
 * n8n for a suite of which each test takes something away while uploads come in and calls are under way.
 *
 * @param environment further settings of every process
 */
export function useDisruptedStage(environment: Record<string, string>) {
	let stage: Stage;

	beforeAll(async () => {
		stage = await startStage({ environment });
		// Longer than ten places get done with: some uploads wait.
		await stage.service.setSettings({ latencyMs: 2_000 });
	}, 20 * MINUTE);

	afterAll(async () => await stage?.stop());

	return {
		uploads: UPLOADS,
		cluster: () => stage.cluster,
		during: async (run: string, disrupt: () => Promise<void>) =>
			await uploadDuring(stage, { run, count: UPLOADS }, disrupt),
	};
}

/** Uploads recordings, and once calls are under way does something; resolves when all has ended. */
async function uploadDuring(
	stage: Stage,
	{ run, count }: { run: string; count: number },
	disrupt: () => Promise<void>,
): Promise<Facts> {
	const { tools, cluster, service, formUrl } = stage;
	await service.forget();
	let uploading = true;
	const uploads = tools
		.submitRecordings(formUrl, { run, count, everyMs: 250 })
		.finally(() => (uploading = false));
	// Then some have ended, calls of others are under way, and others wait in the queue.
	for (;;) {
		const statuses = (await tools.readRows(cluster, run)).map(({ status }) => status);
		const waiting = statuses.filter((status) => status === 'new').length;
		const ended = statuses.filter((status) => status === 'success').length;
		if ((waiting >= 3 && ended >= 3) || (!uploading && waiting === 0)) break;
		await sleep(100);
	}
	// Whose each is: of those that are killed now n8n keeps no data.
	await tools.readRows(cluster, run);
	await disrupt();
	const submissions = await uploads;
	const accepted = submissions.filter((one) => one.accepted).length;
	const rows = await tools.endedRows(cluster, run, accepted, 4 * MINUTE);
	const facts = await tools.factsOf({ cluster, service, submissions, rows });
	const { statuses, calls } = facts;
	process.stdout.write(
		`${run}: ${accepted} accepted, ${JSON.stringify(statuses)}, ${calls} calls\n`,
	);
	return facts;
}
