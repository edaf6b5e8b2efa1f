import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { waitForExecution } from '../../dev/n8n/executions.mts';
import { signIn, type Rest } from '../../dev/n8n/rest.mts';
import { runWorkflow, type Workflow } from '../../dev/n8n/workflows.mts';
import { listExecutions, startChat } from '../support/executions.mts';
import { Canvas } from './canvas.mts';
import { capture, createHidingRule } from './pictures.mts';
import { demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

const callFile = 'call.wav';
const sampleFile = 'voice-sample.wav';
const welcome = 'Welcome to our museum. Today it is open until six.';

/** A form, and what its visitor reads at the end. */
interface Form {
	path: string;
	/** Names of files in the demo's folder with samples. */
	files?: string[];
	/** Texts by the labels of their fields. */
	texts?: Record<string, string>;
	title: string;
}

const formsByExample: Record<string, Form[]> = {
	'form-upload-to-transcript': [
		{ path: 'transcribe-a-recording', files: [callFile], title: 'Transcript' },
	],
	'many-files-to-transcripts': [
		{ path: 'transcribe-recordings', files: [callFile, 'complaint.wav'], title: 'Transcripts' },
	],
	'long-recording-in-parts': [
		{ path: 'transcribe-a-long-recording', files: [callFile], title: 'The transcript is ready' },
	],
	'cloned-voice-speaks-text': [
		{
			path: 'speak-with-a-cloned-voice',
			files: [sampleFile],
			texts: { 'Voice Name': 'Ada', Text: welcome },
			title: 'The voice has spoken',
		},
	],
	'announcements-with-consent': [
		{
			path: 'voice-consent',
			files: [sampleFile],
			texts: { 'Full Name': 'Ada Miller' },
			title: 'Thank you',
		},
	],
	'voices-by-name': [
		{
			path: 'new-voice',
			files: [sampleFile],
			texts: { 'Voice Name': 'Ada' },
			title: 'Voice added',
		},
		{ path: 'announcement-by-name', texts: { Text: welcome }, title: 'The announcement' },
	],
	'form-in-any-language': [
		{ path: 'transcribe-in-any-language', files: ['german.wav'], title: 'Transcript' },
	],
	'long-text-to-speech': [
		{
			path: 'long-text-to-speech',
			texts: {
				Title: 'Museum',
				'Voice ID': demo.emulator.voiceId,
				Text: `${welcome} `.repeat(30),
			},
			title: 'The text is spoken',
		},
	],
};

// jest.config.cjs runs this file only if pictures are made.
describe('after a run of an example', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	let rest: Rest;

	beforeAll(async () => {
		rest = await signIn(demo.url, demo.login);
	});

	const getSamplePath = (name: string) => path.join(demo.files, 'samples', name);
	const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

	/** Fills in a form with all its pages; resolves when its end is shown. */
	async function submit(page: Page, form: Form) {
		const { path: address, files = [], texts = {}, title: last } = form;
		await page.goto(`${demo.url}/form/${address}`);
		if (files.length > 0) {
			await page.locator('input[type=file]').setInputFiles(files.map(getSamplePath));
		}
		for (const [label, text] of Object.entries(texts)) await page.getByLabel(label).fill(text);
		for (const box of await page.locator('input[type=checkbox]').all()) await box.check();
		await page.locator('#submit-btn').click();
		const choice = page.locator('select');
		await choice.or(heading(page, last)).first().waitFor();
		if (await choice.isVisible()) {
			await choice.selectOption({ index: 1 });
			await page.locator('#submit-btn').click();
		}
		await heading(page, last).waitFor();
	}

	/** Shows the folder and the hosts of the examples in place of this machine's, which differ each time. */
	async function replaceAddresses(shown: Locator) {
		const examples = [
			[demo.files, '/home/node/.n8n-files'],
			[new URL(demo.url).host, 'n8n.example.com'],
			[new URL(demo.mockSystemsUrl).host, 'files.example.com'],
		] as const;
		await shown.evaluate((element, replacements) => {
			for (const [address, example] of replacements) {
				element.innerHTML = element.innerHTML.replaceAll(address, example);
			}
		}, examples);
	}

	/** Takes a picture of the last page of the last of these forms. */
	async function captureEnding(forms: Form[]) {
		const page = await tab.page.context().newPage();
		await page.setViewportSize({ width: 640, height: 900 });
		for (const form of forms) await submit(page, form);
		const card = page.locator('.card').filter({ visible: true });
		await replaceAddresses(card);
		const png = await capture(page, [card], { margin: 8 });
		await page.close();
		return png;
	}

	/**
	 * Takes a picture of the output of a node in the execution that something starts.
	 *
	 * @param start does what the example's trigger waits for
	 */
	async function captureOutput(example: string, node: string, start: () => Promise<unknown>) {
		const { id } = demo.workflows[example]!;
		await start();
		const findExecution = async () => {
			const ids = await listExecutions(rest, id);
			const all = await Promise.all(ids.map(async (one) => await waitForExecution(rest, one)));
			return all.find((one) => one.nodes().includes(node));
		};
		const execution = await waitUntil(findExecution, { timeoutMs: 60_000, intervalMs: 200 });
		expect(execution).toMatchObject({ status: 'success' });
		await tab.page.setViewportSize({ width: 1_400, height: 960 });
		await tab.page.goto(`${demo.url}/workflow/${id}/executions/${execution.id}`);
		await canvas.node(node).dblclick();
		const output = tab.part('output-panel');
		await output.getByText('Schema', { exact: true }).click();
		const fields = output.locator('[data-test-id="run-data-schema-item"]');
		await fields.first().waitFor();
		await replaceAddresses(output);
		// The panel is too narrow for the button.
		const style = createHidingRule('[data-test-id="ndv-pin-data"]');
		return await tab.capture([output], { until: fields.last(), style });
	}

	const post = async (webhook: string, body: object) =>
		await fetch(`${demo.url}/webhook/${webhook}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});

	const readExample = async (example: string) =>
		await rest.call<Workflow & { id: string }>('GET', `/workflows/${demo.workflows[example]!.id}`);

	for (const [example, forms] of Object.entries(formsByExample)) {
		tab.it(`the last page of ${example} shows the result`, async () => {
			const png = await captureEnding(forms);
			await tab.takePicture(`results/${example}`, async () => png);
		});
	}

	/** Pictures of the output of a node in the execution that a function starts. */
	const outputs: Array<[example: string, node: string, start: () => Promise<unknown>]> = [
		[
			'agent-that-speaks',
			'Assistant',
			async () => {
				const workflow = await readExample('agent-that-speaks');
				await startChat(rest, workflow, 'Read aloud: "Welcome to our museum."');
			},
		],
		[
			'support-inbox-by-intent',
			'To Retention',
			async () => {
				const text = 'This is awful! Cancel my contract.';
				await post('support-message', { from: 'ada@example.com', text });
			},
		],
		[
			'failures-to-retry-list',
			'Add to Retry List',
			async () => {
				const address = `${demo.mockSystemsUrl}/files/missing.wav`;
				await post('recordings-to-transcribe', { recordings: [{ recordingId: '7', address }] });
			},
		],
		[
			'podcast-to-show-notes',
			'Show Notes',
			async () =>
				await runWorkflow(rest, await readExample('podcast-to-show-notes'), 'Every Morning'),
		],
		[
			'folder-to-transcripts',
			'Transcribe Recording',
			async () =>
				await copyFile(getSamplePath(callFile), path.join(demo.files, 'inbox', 'result.wav')),
		],
	];

	for (const [example, node, start] of outputs) {
		tab.it(`the editor shows the output of ${node} in ${example}`, async () => {
			const png = await captureOutput(example, node, start);
			await tab.takePicture(`results/${example}`, async () => png);
		});
	}
});
