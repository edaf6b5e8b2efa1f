/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { shrink } from './shrink';
import { eventually, makesPictures, stage, useTab } from './stage';

const ROOT = path.resolve(__dirname, '../..');
const EXAMPLES = path.join(ROOT, 'examples');
const PICTURES = path.join(ROOT, 'docs', 'images', 'examples');
const LARGEST_PICTURE = 80_000;
const MARGIN = 24;
/** The name is below the lowest node. */
const NAME = 56;

interface Workflow {
	nodes: Array<{ name: string; type: string; position: [number, number] }>;
}

/** A part of the page, as far as it is looked at here. */
interface Box {
	innerText: string;
	getBoundingClientRect(): { left: number; top: number; right: number; bottom: number };
	querySelectorAll(selector: string): Iterable<Box>;
}

/** What is on the canvas and no part of the workflow. */
const AROUND = [
	...['canvas-controls', 'canvas-minimap', 'canvas-background', 'canvas-handle-plus-wrapper'],
	...['node-creator-plus-button', 'execute-workflow-button', 'logs-panel'],
].map((id) => `[data-test-id="${id}"]`);
const OTHERS = ['.el-notification', '[class*="executionButtons"]'];

describe('the examples in the editor', () => {
	const tab = useTab();
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	const testId = (id: string) => tab.page.locator(`[data-test-id="${id}"]`);

	/** Opens a new workflow and chooses the file, as "Import from File" in the menu does. */
	async function importFile(file: string) {
		await tab.page.setViewportSize({ width: 1900, height: 1300 });
		await tab.page.goto(`${stage.url}/workflow/new`);
		await testId('canvas').waitFor();
		await testId('workflow-import-input').setInputFiles(path.join(EXAMPLES, file));
	}

	/** The mark of a node that n8n does not know. */
	const unknown = () => testId('canvas').getByText('?', { exact: true });

	/** What n8n says in its corner; that it has chosen the only credential there is, is no warning. */
	async function warnings() {
		const said = await tab.page.locator('.el-notification__title').allInnerTexts();
		return said.filter((title) => title !== 'Credentials auto-added');
	}

	/** The part of the page that shows the workflow. */
	async function extent() {
		const parts = testId('canvas').locator('.vue-flow__node');
		const boxes = await parts.evaluateAll((nodes) =>
			(nodes as unknown as Box[]).map((node) => {
				const { left, top, right, bottom } = node.getBoundingClientRect();
				return { left, top, right, bottom };
			}),
		);
		const left = Math.min(...boxes.map((box) => box.left)) - MARGIN;
		const top = Math.min(...boxes.map((box) => box.top)) - MARGIN;
		const right = Math.max(...boxes.map((box) => box.right)) + MARGIN;
		const bottom = Math.max(...boxes.map((box) => box.bottom)) + NAME + MARGIN;
		return { x: left, y: top, width: right - left, height: bottom - top };
	}

	/** The notes whose text does not fit into them. */
	async function tooSmall() {
		return await testId('sticky').evaluateAll((notes) =>
			(notes as unknown as Box[])
				.filter((note) => {
					const lines = [...note.querySelectorAll('h2, h3, p, li, pre')];
					const end = Math.max(...lines.map((line) => line.getBoundingClientRect().bottom));
					return end > note.getBoundingClientRect().bottom;
				})
				.map((note) => note.innerText),
		);
	}

	async function picture(file: string) {
		const hidden = [...AROUND, ...OTHERS].join(', ');
		await tab.page.addStyleTag({ content: `${hidden} { display: none !important; }` });
		await testId('canvas')
			.locator('.vue-flow__pane')
			.click({ position: { x: 8, y: 80 } });
		await tab.page.keyboard.press('1');
		await tab.page.waitForTimeout(1_000);
		const clip = await extent();
		const bytes = shrink(await tab.page.screenshot({ animations: 'disabled', clip }));
		expect(bytes.length).toBeLessThan(LARGEST_PICTURE);
		mkdirSync(PICTURES, { recursive: true });
		await writeFile(path.join(PICTURES, file.replace(/json$/, 'png')), bytes);
	}

	for (const file of files) {
		tab.it(`${file} is imported without a warning`, async () => {
			const { nodes } = JSON.parse(readFileSync(path.join(EXAMPLES, file), 'utf8')) as Workflow;
			await importFile(file);
			const shown = testId('canvas').locator('.vue-flow__node');
			await eventually(async () => await shown.count(), nodes.length);
			// n8n marks a node that it does not know, or that lacks something.
			const marked = testId('node-issues').or(unknown());
			const foreign = nodes.filter(({ type }) =>
				/\.(lmChatOpenAi|emailReadImap|emailSend)$/.test(type),
			);
			await eventually(async () => await marked.count(), foreign.length);
			expect(await warnings()).toEqual([]);
			expect(await tooSmall()).toEqual([]);
			if (makesPictures) await picture(file);
		});
	}
});
