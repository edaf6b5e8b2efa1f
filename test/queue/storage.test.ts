/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { SOUND, upload, useStage, type Stage } from './stage';

/** CI runs fewer: QUEUE_EXECUTIONS=1000 is the complete measurement. */
const EXECUTIONS = Number(process.env.QUEUE_EXECUTIONS || 150);

const MINUTE = 60_000;

/** Credits of the two calls of an execution, as the emulator has them. */
const CREDITS = 2 + 1;

/** Uploads recordings through the form, and checks the execution and the debits of each. */
async function expectEachItsOwn(stage: Stage, count: number) {
	const before = stage.service.credits();
	const facts = await upload(stage, { run: 'all', count });
	expect(facts).toMatchObject({
		...{ ...SOUND, refused: [], accepted: count, executions: count },
		...{ statuses: { success: count }, calls: 2 * count },
	});
	expect(before - stage.service.credits()).toBe(CREDITS * count);
	// Both workers take part: each has at least a tenth.
	expect(facts.byWorker).toHaveLength(2);
	expect(Math.min(...facts.byWorker)).toBeGreaterThanOrEqual(count / 10);
	expect(facts.byWorker[0]! + facts.byWorker[1]!).toBe(count);
}

/** Fills in the example's form as several people do at the same time, and checks what its last page shows. */
async function expectTranscriptPages(stage: Stage, people: number) {
	const { tools, cluster, credential } = stage;
	const examples = await tools.readExamples();
	const { workflow } = examples.find(({ name }) => name === 'form-upload-to-transcript')!;
	const own = tools.withChoices(workflow, { credential, files: '' });
	await tools.activate(cluster.rest, await tools.putWorkflow(cluster.rest, own));
	const url = `${cluster.webhook.url}/form/transcribe-a-recording`;

	const pages = await Promise.all(
		Array.from({ length: people }, async (_, number) => {
			const { name, text, bytes } = tools.makeRecording('page', number);
			const recording = new File([bytes], name, { type: 'audio/wav' });
			const ending = await tools.submitForm(url, { Recording: recording }, 2 * MINUTE);
			return { shown: ending.message, text };
		}),
	);
	for (const { shown, text } of pages) expect(shown).toBe(text);
}

describe.each([
	{ binaryData: 'database', count: EXECUTIONS },
	{ binaryData: 'folder', count: 60 },
] as const)('two workers, files in the $binaryData', ({ binaryData, count }) => {
	const under = useStage({ binaryData });

	it(
		`${count} recordings through a form: each gets its own transcript and speech, and is debited once`,
		async () => await expectEachItsOwn(under.stage, count),
		15 * MINUTE + count * 1_000,
	);

	it('the example form shows the transcript on its last page', async () => {
		await expectTranscriptPages(under.stage, 4);
	});
});
