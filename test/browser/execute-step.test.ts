/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { EmulatedService } from '../full/examples/service';
import { Canvas } from './canvas';
import { examples, firstStep, webhooksOf, type Example } from './examples';
import { eventually, stage } from './stage';
import { useTab } from './tab';

describe("the demo's workflows in the editor", () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	let recording: { name: string; mimeType: string; buffer: Buffer };

	beforeAll(async () => {
		const service = new EmulatedService(stage.service);
		const buffer = await service.speak('Please call me back.');
		recording = { name: 'call.wav', mimeType: 'audio/wav', buffer };
		tab.page.on('popup', (form) => void submit(form).catch(() => undefined));
	});

	/** Fills in any form that n8n opens. */
	async function submit(form: Page) {
		await form.locator('#submit-btn').waitFor();
		for (const file of await form.locator('input[type=file]').all()) {
			await file.setInputFiles(recording);
		}
		for (const text of await form.locator('textarea, input.form-input:not([type=file])').all()) {
			await text.fill('Hello');
		}
		for (const choice of await form.locator('select').all()) {
			await choice.selectOption({ index: 1 });
		}
		for (const box of await form.locator('input[type=checkbox]').all()) await box.check();
		await form.locator('#submit-btn').click();
	}

	let files = 0;

	/** Does what the triggers of a workflow wait for. */
	async function trigger(example: Example) {
		for (const address of webhooksOf(example)) {
			const body = new FormData();
			body.append('from', 'Anna');
			body.append('text', 'Hello');
			body.append('data', new Blob([recording.buffer]), recording.name);
			await fetch(`${stage.url}/webhook-test/${address}`, { method: 'POST', body });
		}
		if (example.nodes.some(({ type }) => type.endsWith('.localFileTrigger'))) {
			const name = `execute-step-${(files += 1)}.wav`;
			await writeFile(path.join(stage.recordings, name), recording.buffer);
		}
	}

	for (const example of examples) {
		const { name, nodes } = example;
		const step = firstStep(example);

		tab.it(`${name} opens${step ? ', and Execute step works twice' : ''}`, async () => {
			const { page } = tab;
			await page.goto(`${stage.url}/workflow/${stage.workflows[name]!.id}`);
			await eventually(async () => await canvas.shown.count(), nodes.length);
			expect(await canvas.problems()).toEqual([]);
			if (step === undefined) return;

			await canvas.executeStep(step);
			const hasRun = async () => (await canvas.succeeded()).includes(step);
			for (let seconds = 0; seconds < 15 && !(await hasRun()); seconds++) {
				await trigger(example);
				await page.waitForTimeout(1_000);
			}
			expect(await canvas.succeeded()).toContain(step);

			const started = page.waitForResponse(
				(answer) => answer.request().method() === 'POST' && /\/run\b/.test(answer.url()),
			);
			await canvas.executeStep(step);
			expect((await started).status()).toBe(200);
			await eventually(hasRun, true);
			await canvas.node(step).dblclick();
			await page.locator('[data-test-id="output-panel"]').getByText('1 item').waitFor();
			expect(await canvas.problems()).toEqual([]);
		});
	}
});
