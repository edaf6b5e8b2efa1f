/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { expectEachItsOwn, expectTranscriptPages } from './spread';
import { startStage, type Stage } from './tools';

const MINUTE = 60_000;
const MEGABYTE = 1024 ** 2;

/** CI takes fewer and less: QUEUE_EXECUTIONS=1000 SOAK_MINUTES=30 is the whole measure. */
const EXECUTIONS = Number(process.env.QUEUE_EXECUTIONS ?? 300);
const SOAK_MINUTES = Number(process.env.SOAK_MINUTES ?? 1);

/** A pace that leaves a machine with two cores time to breathe. */
const UPLOAD_EVERY_MS = 1_000;

describe('two workers, files in the database', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await startStage({ binaryData: 'database' });
	}, 20 * MINUTE);

	afterAll(async () => await stage?.stop());

	it(
		`${EXECUTIONS} recordings through a form: each gets its own transcript and speech, and is paid for once`,
		async () => await expectEachItsOwn(stage, 'all', EXECUTIONS),
		15 * MINUTE + EXECUTIONS * 1_000,
	);

	it('the example form shows the transcript on its last page', async () => {
		await expectTranscriptPages(stage, 4);
	});

	it(
		`at a steady load of ${SOAK_MINUTES} minutes memory stays flat and no handle is left open`,
		async () => {
			const { tools, cluster, service, formUrl } = stage;
			const { main, webhook, workers } = cluster;
			await service.forget();
			const watch = tools.watchProcesses({
				main: main.pid,
				webhook: webhook.pid,
				'worker 1': workers[0]!.pid,
				'worker 2': workers[1]!.pid,
				redis: cluster.redis.pid(),
			});
			const count = Math.round((SOAK_MINUTES * MINUTE) / UPLOAD_EVERY_MS);
			const load = { run: 'soak', count, inFlight: 4, everyMs: UPLOAD_EVERY_MS };
			const submissions = await tools.submitRecordings(formUrl, load);
			const samples = watch.stop();

			const rows = await tools.endedRows(cluster, 'soak', count, 5 * MINUTE);
			const facts = await tools.factsOf({ cluster, service, submissions, rows });
			expect(facts).toMatchObject({
				statuses: { success: count },
				mixedUp: [],
				paidTwice: [],
				calls: 2 * count,
			});

			const growths = [...samples].map(([name, all]) => ({ name, ...tools.growth(all) }));
			const report = growths.map(({ name, level, resident, handles }) => {
				const megabytes = (bytes: number) => Math.round(bytes / MEGABYTE);
				return `${name}: ${megabytes(level)} MB, grew by ${megabytes(resident)} MB and ${handles} handles`;
			});
			process.stdout.write(`${count} uploads, ${SOAK_MINUTES} minutes\n${report.join('\n')}\n`);
			for (const { name, level, resident, handles } of growths) {
				expect({ name, leaked: resident > Math.max(64 * MEGABYTE, level / 10) }).toEqual({
					name,
					leaked: false,
				});
				// A few sockets come and go.
				expect({ name, leaked: handles > 10 }).toEqual({ name, leaked: false });
			}
		},
		(SOAK_MINUTES + 10) * 2 * MINUTE,
	);
});
