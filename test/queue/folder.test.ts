import { expectEachItsOwn, expectTranscriptPages } from './spread';
import { startStage, type Stage } from './stage';

const MINUTE = 60_000;

describe('two workers, files in a folder that they share', () => {
	let stage: Stage;

	beforeAll(async () => {
		stage = await startStage({ binaryData: 'folder' });
	}, 20 * MINUTE);

	afterAll(async () => await stage?.stop());

	it(
		'60 recordings through a form: each gets its own transcript and speech, and is paid for once',
		async () => await expectEachItsOwn(stage, 'all', 60),
		15 * MINUTE,
	);

	it('the example form shows the transcript on its last page', async () => {
		await expectTranscriptPages(stage, 4);
	});
});
