import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { DemoEmulator } from '../support/demoEmulator.mts';
import { Canvas } from './canvas.mts';
import {
	examples,
	findFirstStep,
	isNote,
	isOwn,
	isTrigger,
	lacksCredential,
	readTitle,
	listWebhooks,
	type Example,
} from './examples.mts';
import { findOverlaps, type Shown } from './layout.mts';
import { expectEventually, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

/** In CSS pixels. GitHub shows pictures 830 pixels wide, so names of 18 pixels are still 10 pixels high. */
const widest = 1_480;

describe('in the editor', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	let recording: { name: string; mimeType: string; buffer: Buffer };

	beforeAll(async () => {
		const emulator = new DemoEmulator(demo.emulator);
		const buffer = await emulator.speak('Please call me back.');
		recording = { name: 'call.wav', mimeType: 'audio/wav', buffer };
	});

	beforeEach(() => {
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
		for (const address of listWebhooks(example)) {
			const body = new FormData();
			body.append('from', 'Anna');
			body.append('text', 'Hello');
			body.append('data', new Blob([recording.buffer]), recording.name);
			await fetch(`${demo.url}/webhook-test/${address}`, { method: 'POST', body });
		}
		for (const { type, parameters } of example.nodes) {
			if (!type.endsWith('.localFileTrigger')) continue;
			const watched = path.join(demo.files, path.basename(parameters.path!));
			await writeFile(path.join(watched, `execute-step-${(files += 1)}.wav`), recording.buffer);
		}
	}

	/** Opens a new workflow and chooses the file, as "Import > From file" in the menu does. */
	async function importFile({ file, nodes }: Example) {
		await tab.openNewWorkflow();
		await canvas.root.waitFor();
		await tab.part('workflow-import-input').setInputFiles(file);
		await expectEventually(async () => await canvas.shown.count(), nodes.length);
	}

	/** Nodes and notes that are not completely on the canvas. */
	async function findOutside(shown: Shown[]) {
		const { x, y, width, height } = (await canvas.root.boundingBox())!;
		return shown
			.filter(({ boxes }) =>
				boxes.some(
					({ left, top, right, bottom }) =>
						left < x || top < y || right > x + width || bottom > y + height,
				),
			)
			.map(({ name }) => name);
	}

	/** Expects that all texts can be read, and that nothing covers another. */
	async function expectReadable({ nodes }: Example, beginning: string[]) {
		await canvas.showAll({ width: 3_400, height: 2_200 });
		const shown = await canvas.measure();
		expect(shown.filter(({ name }) => beginning.includes(name))).toHaveLength(beginning.length);
		const own = nodes.filter(isOwn).map((node) => node.name);
		const ours = shown.filter(({ name }) => own.includes(name));
		expect(ours).toHaveLength(own.length);
		expect(ours.flatMap(({ truncated }) => truncated)).toEqual([]);
		expect(findOverlaps(shown)).toEqual([]);
		expect(await canvas.listSmallNotes()).toEqual([]);
		const { left, right } = await canvas.computeNodesBox();
		expect(right - left).toBeLessThan(widest);
	}

	for (const example of examples) {
		const { name, nodes } = example;
		const beginning = [
			...nodes.filter(isTrigger).map((node) => node.name),
			readTitle(nodes.find(isNote)!),
		];

		tab.it(`${name} is imported without a warning, and everything can be read`, async () => {
			await importFile(example);
			// n8n marks a node that it does not know, or that lacks something.
			const unknown = canvas.root.getByText('?', { exact: true });
			const marked = tab.part('node-issues').or(unknown);
			const lacking = nodes.filter(lacksCredential);
			await expectEventually(async () => await marked.count(), lacking.length);
			expect(await canvas.listProblems()).toEqual([]);
			const selectBeginning = (all: Shown[]) => all.filter((one) => beginning.includes(one.name));
			await expectEventually(
				async () => await findOutside(selectBeginning(await canvas.measure())),
				[],
			);
			await expectReadable(example, beginning);
			await tab.takePicture(`examples/${name}`, async () => await canvas.captureWithLargeNames());
		});

		const step = findFirstStep(example);
		if (step === undefined) continue;

		tab.it(`Execute step works twice in ${name}`, async () => {
			await tab.openWorkflow(demo.workflows[name]!.id);
			await expectEventually(async () => await canvas.shown.count(), nodes.length);
			await canvas.executeStep(step);
			const hasRun = async () => (await canvas.listSucceeded()).includes(step);
			/** n8n loses what comes before its trigger listens, and does not show when that is. */
			const hasRunOrIsTriggered = async () => {
				if (await hasRun()) return true;
				await trigger(example);
				return false;
			};
			await waitUntil(hasRunOrIsTriggered, { timeoutMs: 120_000, intervalMs: 500 });

			const started = tab.page.waitForResponse(
				(answer) => answer.request().method() === 'POST' && /\/run\b/.test(answer.url()),
			);
			await canvas.executeStep(step);
			expect((await started).status()).toBe(200);
			await expectEventually(hasRun, true);
			await canvas.node(step).dblclick();
			await tab.part('output-panel').getByText('1 item').waitFor();
			expect(await canvas.listProblems()).toEqual([]);
		});
	}
});
