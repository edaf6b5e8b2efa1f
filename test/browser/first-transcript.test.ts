import type { Page } from 'playwright-core';
import { EmulatedService } from '../full/examples/service';
import { Canvas } from './canvas';
import { examples } from './examples';
import type { Frame } from './encode';
import type { Box } from './layout';
import { capture, compose, hide } from './pictures';
import { eventually, makesPictures, stage } from './stage';
import { useTab } from './tab';

const EXAMPLE = examples.find(({ name }) => name === 'form-upload-to-transcript')!;
const NODES = ['Recording Form', 'Transcribe Recording', 'Transcript Page'];
const SPOKEN =
	'Hi, this is Anna Keller. I am calling about my appointment on Thursday: could we move it to Tuesday at ten? You can reach me on 555 0142. Thank you, and goodbye!';

/** What is on the two pages at one moment. */
interface Moment {
	form: Buffer;
	workflow: Buffer;
}

describe('the first transcript, as the README describes it', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	const moments: Moment[] = [];
	let service: EmulatedService;
	let form: Page;
	let row: Box;

	beforeAll(async () => {
		service = new EmulatedService(stage.service);
	});
	afterAll(async () => await service?.emulate({ latencyMs: 0 }));

	const formCard = async () =>
		await capture(form, [form.locator('.card').filter({ visible: true })], { margin: 6 });

	/** Keeps what is seen now, if pictures are made. */
	async function keep(times = 1) {
		for (let taken = 0; makesPictures && taken < times; taken++) {
			const workflow = await canvas.capture(row, 'allow');
			moments.push({ form: await formCard(), workflow });
		}
	}

	/** The form, its transcript and the workflow. */
	const scene = async ({ form: before, workflow }: Moment, after: Buffer, isRead: boolean) =>
		await compose(tab.page, [
			[
				{ png: before, caption: 'Upload a recording' },
				{ png: after, caption: 'Read its transcript', isEmpty: !isRead },
			],
			[{ png: workflow, caption: 'The workflow behind the form' }],
		]);

	tab.it('the first transcript comes with Execute workflow and an upload', async () => {
		const { page } = tab;
		await page.goto(`${stage.url}/workflow/${stage.workflows[EXAMPLE.name]!.id}`);
		await eventually(async () => await canvas.shown.count(), EXAMPLE.nodes.length);
		await canvas.showAll({ width: 1_400, height: 960 });
		// The same for all pictures: those of an animation have one size.
		[row] = (await canvas.rows(2_000)) as [Box];
		const opened = page.waitForEvent('popup');
		await tab.part('execute-workflow-button').click();
		form = await opened;
		await form.setViewportSize({ width: 700, height: 640 });
		await form.getByRole('heading', { name: 'Transcribe a recording' }).waitFor();
		await keep();
		const buffer = await service.speak(SPOKEN);
		const file = { name: 'voicemail.wav', mimeType: 'audio/wav', buffer };
		await form.getByLabel('Recording').setInputFiles(file);
		await keep();

		// Long enough for pictures of a workflow that runs.
		await service.emulate({ latencyMs: makesPictures ? 8_000 : 0 });
		await form.getByRole('button', { name: 'Transcribe' }).click();
		if (makesPictures) await canvas.node(NODES[1]!).locator('[class*="_running_"]').waitFor();
		await keep(4);
		await form.getByRole('heading', { name: 'Transcript', exact: true }).waitFor();
		await form.getByText(SPOKEN, { exact: true }).waitFor();
		await eventually(async () => await canvas.succeeded(), NODES);
		await keep();
		expect(await canvas.problems()).toEqual([]);
	});

	tab.it('the form and the workflow show the first transcript', async () => {
		const [workflow, after] = [moments.at(-1)?.workflow, moments.at(-1)?.form];
		const [empty, chosen] = moments;
		const end = async () => await scene({ form: chosen!.form, workflow: workflow! }, after!, true);
		await tab.picture('workflow', end);
		await tab.film('first-transcript', async () => {
			const frames: Frame[] = [{ png: await end(), seconds: 4 }];
			const add = async (moment: Moment, seconds: number) =>
				frames.push({ png: await scene(moment, after!, false), seconds });
			await add(empty!, 1.2);
			await add(chosen!, 1.2);
			for (let times = 0; times < 3; times++) {
				for (const running of moments.slice(2, -1)) await add(running, 0.2);
			}
			return frames;
		});
	});

	tab.it("the node's panel shows the recording and its text", async () => {
		const { page } = tab;
		await page.setViewportSize({ width: 1_300, height: 860 });
		await canvas.node(NODES[1]!).dblclick();
		const input = tab.part('ndv-input-panel');
		await input.getByText('Binary', { exact: true }).click();
		await input.getByText('voicemail.wav').waitFor();
		await tab.part('output-panel').getByText(SPOKEN, { exact: true }).waitFor();
		await page.getByText('Loading options').waitFor({ state: 'hidden' });
		await tab.picture('panel', async () => {
			const style = hide('[data-test-id="floating-node"]');
			return await tab.capture([tab.dialog], { until: tab.field('Language'), style });
		});
	});
});
