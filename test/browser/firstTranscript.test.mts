import type { Page } from 'playwright-core';

import { DemoEmulator } from '../support/demoEmulator.mts';
import { Canvas } from './canvas.mts';
import { capture, compose } from './pictures.mts';
import { expectEventually, makesPictures, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

const nodes = ['Recording Form', 'Transcribe Recording', 'Transcript Page'];
const spoken =
	'Hi, this is Anna Keller. I am calling about my appointment on Thursday at half past three: could we move it to Tuesday at ten? If that does not work, any morning of next week is fine for me. You can reach me on 555 0142, also in the evening. Thank you very much, and goodbye!';

describe('as the README describes it', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	/** What is written in the form, and on its last page. */
	const cards: Buffer[] = [];
	let cardHeight: number | undefined;
	const emulator = new DemoEmulator(demo.emulator);
	let form: Page;

	/** Keeps what the form shows now, if pictures are made. All are as high as the first. */
	async function keep() {
		if (!makesPictures) return;
		const card = form.locator('.card').filter({ visible: true });
		cardHeight ??= (await card.boundingBox())!.height;
		cards.push(await capture(form, [card], { margin: 6, height: cardHeight + 12 }));
	}

	tab.it('an upload gives the first transcript, which the panel shows too', async () => {
		const { page } = tab;
		await tab.openWorkflow(demo.workflows['form-upload-to-transcript']!.id);
		for (const node of nodes) await canvas.node(node).waitFor();
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
			const workflow = await canvas.captureNodes();
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
