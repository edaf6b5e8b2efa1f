import type { Locator, Page } from 'playwright-core';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { addMargin, createHidingRule, messages, surround, toClip, type Box } from './pictures.mts';

const createSelector = (id: string) => `[data-test-id="${id}"]`;

/** Name and subtitle of a node, and not the names of its inputs and outputs. */
const nameSelector = '[class*="_description_"] [class*="_label_"]';
const textsSelector = `${nameSelector}, [class*="_description_"] [class*="_subtitle_"]`;

const notesSelector = `.vue-flow__node:has(${createSelector('sticky')})`;

/** Keeps what is not a node out of a picture. */
const nodesOnly = createHidingRule(
	...[
		'canvas-controls',
		'canvas-minimap',
		'canvas-background',
		'canvas-handle-plus-wrapper',
		'node-creator-plus-button',
		'logs-panel',
		'node-issues',
	].map(createSelector),
	// The number of items at an output that leads nowhere, which is beyond the picture's edge.
	'[class*="_runDataLabel_"]',
	'[data-test-id^="execute-workflow-button"]',
	'[class*="executionButtons"]',
	'[role="tooltip"]',
	'.el-popper',
	'[data-reka-popper-content-wrapper]',
	notesSelector,
	messages,
);

/** GitHub shows a wide picture smaller, so names are larger, and what is written below them is left out. */
const largeNames = `
	.vue-flow__node [class*="_label_"] { font-size: 15px !important }
	${nameSelector} { font-size: 18px !important; line-height: 1.2 !important }
	.vue-flow__node [class*="_subtitle_"] { visibility: hidden !important }`;

/** Room for the marks next to the outer nodes, in CSS pixels. */
const margin = 24;
/** Width of n8n's mark next to a trigger, which is wider than that of other nodes. */
const boltWidth = 16;

/** A node or a note, where it is on the page. */
export interface Shown {
	/** Name of a node; the beginning of a note. */
	name: string;
	isNote: boolean;
	/** The boxes of its picture and of its texts, which nothing else may overlap. */
	boxes: Box[];
	/** Texts that end in "...". */
	truncated: string[];
}

/** Pairs of nodes and notes that overlap. */
export function findOverlaps(shown: Shown[]): string[] {
	const isOverlapping = (a: Box, b: Box) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	return shown.flatMap((one, index) =>
		shown
			.slice(index + 1)
			.filter((other) => one.boxes.some((a) => other.boxes.some((b) => isOverlapping(a, b))))
			.map((other) => `${one.name} / ${other.name}`),
	);
}

/** The canvas of n8n's editor. */
export class Canvas {
	constructor(private readonly tab: { page: Page }) {}

	get root(): Locator {
		return this.tab.page.locator(createSelector('canvas'));
	}

	/** Nodes and notes. */
	get shown(): Locator {
		return this.root.locator('.vue-flow__node');
	}

	node(name: string): Locator {
		return this.root
			.locator(`.vue-flow__node:not(:has(${createSelector('sticky')}))`)
			.filter({ has: this.tab.page.getByText(name, { exact: true }) });
	}

	/** Names of the nodes that have run without an error, in their order on the page. */
	async listSucceeded(): Promise<string[]> {
		const nodes = this.shown.filter({
			has: this.tab.page.locator(createSelector('canvas-node-status-success')),
		});
		return await nodes.locator(nameSelector).allInnerTexts();
	}

	/** Presses the button "Execute step" that a node has on the canvas. */
	async executeStep(node: string): Promise<void> {
		await this.node(node).hover();
		await this.node(node).locator(createSelector('execute-node-button')).click();
	}

	/** Titles of the warnings and errors in n8n's corner. */
	async listProblems(): Promise<string[]> {
		const bad = '.el-notification--error, .el-notification--warning';
		const titles = this.tab.page.locator(`${messages}:has(${bad}) .el-notification__title`);
		return await titles.allInnerTexts();
	}

	async measure(): Promise<Shown[]> {
		return await this.shown.evaluateAll((nodes, ofTexts) => {
			return (nodes as HTMLElement[]).map((node) => {
				const isNote = node.querySelector('[data-test-id="sticky"]') !== null;
				const texts = [...node.querySelectorAll<HTMLElement>(ofTexts)].filter(
					(text) => !isNote && getComputedStyle(text).visibility === 'visible',
				);
				const boxes = texts.map((text) => {
					const range = document.createRange();
					range.selectNodeContents(text);
					const [whole, room] = [range.getBoundingClientRect(), text.getBoundingClientRect()];
					// Text that is cut off is not visible.
					const left = Math.max(whole.left, room.left);
					const right = Math.min(whole.right, room.right);
					return { left, right, top: whole.top, bottom: whole.bottom };
				});
				const cut = texts.filter(
					(text) =>
						text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1,
				);
				return {
					name: (texts[0] ?? node).innerText.split('\n')[0] ?? '',
					isNote,
					boxes: [node.getBoundingClientRect().toJSON() as Box, ...boxes],
					truncated: cut.map(({ innerText }) => innerText),
				};
			});
		}, textsSelector);
	}

	/** Beginnings of the notes whose text is cut, or touches the lower edge. */
	async listSmallNotes(): Promise<string[]> {
		return await this.root.locator(createSelector('sticky')).evaluateAll((notes) =>
			(notes as HTMLElement[])
				.filter((note) => {
					const lines = [...note.querySelectorAll('h2, h3, p, li, pre')];
					const end = Math.max(...lines.map((line) => line.getBoundingClientRect().bottom));
					const isCut = lines.some((line) => line.scrollWidth > line.clientWidth);
					return isCut || end + 8 > note.getBoundingClientRect().bottom;
				})
				.map((note) => note.innerText.split('\n')[0] ?? ''),
		);
	}

	/** The wires that pass behind a node that they do not connect, each as `From -> To behind Node`. */
	async listHiddenWires(): Promise<string[]> {
		const nodes = (await this.measure()).filter(({ isNote }) => !isNote);
		return await this.root.locator('.vue-flow__edge-path').evaluateAll(
			(paths, boxes) => {
				return (paths as unknown as SVGPathElement[]).flatMap((path) => {
					const { sourceNodeName: from, targetNodeName: to } =
						path.closest<SVGElement>('[data-source-node-name]')!.dataset;
					const matrix = path.getScreenCTM()!;
					const steps = Math.ceil(path.getTotalLength() / 4);
					const points = Array.from({ length: steps }, (_, step) =>
						path.getPointAtLength(step * 4).matrixTransform(matrix),
					);
					const isCrossed = ({ left, top, right, bottom }: Box) =>
						points.some(({ x, y }) => x > left && x < right && y > top && y < bottom);
					return boxes
						.filter(({ name, box }) => name !== from && name !== to && isCrossed(box))
						.map(({ name }) => `${from} -> ${to} behind ${name}`);
				});
			},
			nodes.map(({ name, boxes }) => ({ name, box: boxes[0]! })),
		);
	}

	/**
	 * Shows the workflow at its natural size.
	 *
	 * @param window large enough for it
	 */
	async showAll(window: { width: number; height: number }): Promise<void> {
		await this.tab.page.setViewportSize(window);
		await this.root.locator('.vue-flow__pane').click({ position: { x: 8, y: 80 } });
		// The keys for "fit to view" and "reset zoom".
		for (const key of ['1', '0']) {
			await this.tab.page.keyboard.press(key);
			await this.waitForEndOfZoom();
		}
	}

	/** n8n animates the zoom, so this waits until nothing has moved between two measurements. */
	private async waitForEndOfZoom(): Promise<void> {
		let latest = '';
		const isStable = async () => {
			const before = latest;
			latest = JSON.stringify(await this.measure());
			return latest === before;
		};
		// The animation begins within this interval, also on a slow machine.
		await waitUntil(isStable, { intervalMs: 500 });
	}

	/** The part of the page that has all nodes and wires, without the notes. */
	async computeNodesBox(): Promise<Box> {
		const wires = await this.root
			.locator('.vue-flow__edge-path')
			.evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().toJSON() as Box));
		const nodes = (await this.measure()).filter(({ isNote }) => !isNote);
		const box = addMargin(surround([...nodes.flatMap(({ boxes }) => boxes), ...wires]), margin);
		return { ...box, left: box.left - boltWidth };
	}

	/** Makes the names so large that they can be read if a picture is shown smaller. */
	async enlargeNames(): Promise<void> {
		await this.tab.page.addStyleTag({ content: largeNames });
	}

	/** Takes a picture of all nodes, without the notes. */
	async captureNodes(): Promise<Buffer> {
		return await this.tab.page.screenshot({
			animations: 'disabled',
			clip: toClip(await this.computeNodesBox()),
			style: nodesOnly,
		});
	}
}
