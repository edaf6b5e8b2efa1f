import type { Page } from 'playwright-core';

import { DemoEmulator } from '../support/demoEmulator.mts';
import { Canvas } from './canvas.mts';
import { examples } from './examples.mts';
import { toClip, addMargin } from './layout.mts';
import { compose } from './pictures.mts';
import { expectEventually, makesPictures, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

const example = examples.find(({ name }) => name === 'form-upload-to-transcript')!;
const nodes = ['Recording Form', 'Transcribe Recording', 'Transcript Page'];
const spoken =
	'Hi, this is Anna Keller. I am calling about my appointment on Thursday at half past three: could we move it to Tuesday at ten? If that does not work, any morning of next week is fine for me. You can reach me on 555 0142, also in the evening. Thank you very much, and goodbye!';

describe('as the README describes it', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	/** What is written in the form, and on its last page. */
	const cards: Buffer[] = [];
	let cardHeight: number | undefined;
	let emulator: DemoEmulator;
	let form: Page;

	beforeAll(async () => {
		emulator = new DemoEmulator(demo.emulator);
	});

	/** Keeps what the form shows now, if pictures are made. All are as high as the first. */
	async function keep() {
		if (!makesPictures) return;
		const card = form.locator('.card').filter({ visible: true });
		const { x, y, width, height } = (await card.boundingBox())!;
		const right = x + width;
		cardHeight ??= height;
		const clip = toClip(addMargin({ left: x, top: y, right, bottom: y + cardHeight }, 6));
		cards.push(await form.screenshot({ animations: 'disabled', caret: 'hide', clip }));
	}

	tab.it('an upload gives the first transcript, which the panel shows too', async () => {
		const { page } = tab;
		await tab.openWorkflow(demo.workflows[example.name]!.id);
		await expectEventually(async () => await canvas.shown.count(), example.nodes.length);
		await canvas.showAll({ width: 1_400, height: 960 });
		const opened = page.waitForEvent('popup');
		await tab.part('execute-workflow-button').click();
		form = await opened;
		await form.setViewportSize({ width: 640, height: 425 });
		await form.getByRole('heading', { name: 'Transcribe a recording' }).waitFor();
		const buffer = await emulator.speak(spoken);
		const file = { name: 'voicemail.wav', mimeType: 'audio/wav', buffer };
		await form.getByLabel('Recording').setInputFiles(file);
		await keep();
		await form.getByRole('button', { name: 'Transcribe' }).click();
		await form.getByRole('heading', { name: 'Transcript', exact: true }).waitFor();
		await form.getByText(spoken, { exact: true }).waitFor();
		await expectEventually(async () => await canvas.listSucceeded(), nodes);
		await keep();
		expect(await canvas.listProblems()).toEqual([]);

		await tab.takePicture('workflow', async () => {
			const [chosen, read] = cards as [Buffer, Buffer];
			const workflow = await canvas.captureNodes(await canvas.computeNodesBox());
			const pages = [
				{ png: chosen, caption: 'Upload a recording' },
				{ png: read, caption: 'Read its transcript' },
			];
			const behind = [{ png: workflow, caption: 'The workflow behind the form' }];
			return await compose(page, [pages, behind], { fillRows: true });
		});

		await page.setViewportSize({ width: 1_300, height: 860 });
		await canvas.node(nodes[1]!).dblclick();
		const input = tab.part('ndv-input-panel');
		await input.getByText('Binary', { exact: true }).click();
		await input.getByText('voicemail.wav').waitFor();
		await tab.part('output-panel').getByText(spoken, { exact: true }).waitFor();
	});
});
