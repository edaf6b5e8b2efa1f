import type { Page } from 'playwright-core';
import { EmulatedService } from '../full/examples/service';
import { Canvas } from './canvas';
import { examples } from './examples';
import type { Frame } from './encode';
import { clipOf, withMargin, type Box } from './layout';
import { compose } from './pictures';
import { eventually, makesPictures, stage } from './stage';
import { useTab } from './tab';

const example = examples.find(({ name }) => name === 'form-upload-to-transcript')!;
const nodes = ['Recording Form', 'Transcribe Recording', 'Transcript Page'];
const spoken =
	'Hi, this is Anna Keller. I am calling about my appointment on Thursday at half past three: could we move it to Tuesday at ten? If that does not work, any morning of next week is fine for me. You can reach me on 555 0142, also in the evening. Thank you very much, and goodbye!';

/** What is on the two pages at one moment. */
interface Moment {
	/** The form, or its last page. */
	page: Buffer;
	/** What is written on that page, without its surroundings. */
	card: Buffer;
	workflow: Buffer;
}

describe('the first transcript, as the README describes it', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	const moments: Moment[] = [];
	let service: EmulatedService;
	let form: Page;
	let row: Box;
	/** Height of the form's card, in CSS pixels: the pictures of both pages have one size. */
	let cardHeight: number | undefined;

	beforeAll(async () => {
		service = new EmulatedService(stage.service);
	});
	afterAll(async () => await service?.emulate({ latencyMs: 0 }));

	/** Keeps what is seen now, if pictures are made. */
	async function keep() {
		if (!makesPictures) return;
		const card = form.locator('.card').filter({ visible: true });
		const { x, y, width, height } = (await card.boundingBox())!;
		cardHeight ??= height;
		const right = x + width;
		const clip = clipOf(withMargin({ left: x, top: y, right, bottom: y + cardHeight }, 6));
		moments.push({
			page: await form.screenshot({ animations: 'disabled', caret: 'hide' }),
			card: await form.screenshot({ animations: 'disabled', caret: 'hide', clip }),
			workflow: await canvas.captureNodes(row),
		});
	}

	tab.it('the first transcript comes with Execute workflow and an upload', async () => {
		const { page } = tab;
		await page.goto(`${stage.url}/workflow/${stage.workflows[example.name]!.id}`);
		await eventually(async () => await canvas.shown.count(), example.nodes.length);
		await canvas.showAll({ width: 1_400, height: 960 });
		// The same for all pictures: those of an animation have one size.
		row = await canvas.nodesBox();
		const opened = page.waitForEvent('popup');
		await tab.part('execute-workflow-button').click();
		form = await opened;
		await form.setViewportSize({ width: 640, height: 425 });
		await form.getByRole('heading', { name: 'Transcribe a recording' }).waitFor();
		await keep();
		const buffer = await service.speak(spoken);
		const file = { name: 'voicemail.wav', mimeType: 'audio/wav', buffer };
		await form.getByLabel('Recording').setInputFiles(file);
		await keep();

		// Long enough for a picture of a workflow that runs.
		await service.emulate({ latencyMs: makesPictures ? 5_000 : 0 });
		await form.getByRole('button', { name: 'Transcribe' }).click();
		if (makesPictures) await canvas.node(nodes[1]!).locator('[class*="_running_"]').waitFor();
		await keep();
		await form.getByRole('heading', { name: 'Transcript', exact: true }).waitFor();
		await form.getByText(spoken, { exact: true }).waitFor();
		await eventually(async () => await canvas.succeeded(), nodes);
		await keep();
		expect(await canvas.problems()).toEqual([]);
	});

	tab.it('the form and the workflow show the first transcript', async () => {
		await tab.picture('workflow', async () => {
			const [, chosen, , read] = moments as [Moment, Moment, Moment, Moment];
			return await compose(tab.page, [
				[
					{ png: chosen.card, caption: 'Upload a recording' },
					{ png: read.card, caption: 'Read its transcript' },
				],
				[{ png: read.workflow, caption: 'The workflow behind the form' }],
			]);
		});
		await tab.film('first-transcript', async () => {
			const captions = [
				{ caption: 'Open the form', seconds: 1.5 },
				{ caption: 'Choose a recording', seconds: 1.5 },
				{ caption: 'Wait for the transcript', seconds: 1.5 },
				{ caption: 'Read the transcript', seconds: 5 },
			];
			const frames: Frame[] = [];
			for (const [index, { caption, seconds }] of captions.entries()) {
				const { page, workflow } = moments[index]!;
				const rows = [[{ png: page, caption }], [{ png: workflow }]];
				frames.push({ png: await compose(tab.page, rows), seconds });
			}
			return frames;
		});
	});

	tab.it("the node's panel shows the recording and its text", async () => {
		const { page } = tab;
		await page.setViewportSize({ width: 1_300, height: 860 });
		await canvas.node(nodes[1]!).dblclick();
		const input = tab.part('ndv-input-panel');
		await input.getByText('Binary', { exact: true }).click();
		await input.getByText('voicemail.wav').waitFor();
		await tab.part('output-panel').getByText(spoken, { exact: true }).waitFor();
	});
});
