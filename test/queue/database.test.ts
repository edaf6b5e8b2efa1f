/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { expectEachItsOwn, expectTranscriptPages } from './spread';
import { expectSteady } from './steady';
import { startStage, type Stage } from './stage';

const MINUTE = 60_000;

/** CI takes fewer and less: QUEUE_EXECUTIONS=1000 SOAK_MINUTES=30 is the whole measure. */
const EXECUTIONS = Number(process.env.QUEUE_EXECUTIONS || 150);
const SOAK_MINUTES = Number(process.env.SOAK_MINUTES || 1);

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
		async () => await expectSteady(stage, SOAK_MINUTES),
		(SOAK_MINUTES + 10) * 2 * MINUTE,
	);
});
