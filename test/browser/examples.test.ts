import { Canvas } from './canvas';
import { examples, isNote, isOwn, isTrigger, lacksCredential, titleOf } from './examples';
import type { Example } from './examples';
import { overlapsOf, type Shown } from './layout';
import { compose } from './pictures';
import { eventually } from './stage';
import { useTab } from './tab';

/** How wide a row of nodes may be for its texts to be readable on GitHub, in CSS pixels. */
const ROW = 1_150;

describe('the examples in the editor', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);

	/** Opens a new workflow and chooses the file, as "Import from File" in the menu does. */
	async function importFile({ file }: Example) {
		await tab.page.setViewportSize({ width: 1_400, height: 960 });
		await tab.openNewWorkflow();
		await canvas.root.waitFor();
		await tab.part('workflow-import-input').setInputFiles(file);
	}

	/** Nodes and notes that are not completely on the canvas. */
	async function outside(shown: Shown[]) {
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

	for (const example of examples) {
		const { name, nodes } = example;
		const own = nodes.filter(isOwn).map((node) => node.name);
		const beginning = [
			...nodes.filter(isTrigger).map((node) => node.name),
			titleOf(nodes.find(isNote)!),
		];

		tab.it(`${name} is imported without a warning, and everything can be read`, async () => {
			await importFile(example);
			await eventually(async () => await canvas.shown.count(), nodes.length);
			// n8n marks a node that it does not know, or that lacks something.
			const unknown = canvas.root.getByText('?', { exact: true });
			const marked = tab.part('node-issues').or(unknown);
			const lacking = nodes.filter(lacksCredential);
			await eventually(async () => await marked.count(), lacking.length);
			expect(await canvas.problems()).toEqual([]);

			const first = (all: Shown[]) => all.filter((one) => beginning.includes(one.name));
			await eventually(async () => await outside(first(await canvas.measure())), []);
			await canvas.showAll({ width: 4_400, height: 1_600 });
			const shown = await canvas.measure();
			expect(first(shown)).toHaveLength(beginning.length);
			const ours = shown.filter((one) => own.includes(one.name));
			expect(ours).toHaveLength(own.length);
			expect(ours.flatMap(({ truncated }) => truncated)).toEqual([]);
			expect(overlapsOf(shown)).toEqual([]);
			expect(await canvas.smallNotes()).toEqual([]);

			await tab.picture(`examples/${name}`, async () => {
				const rows = [];
				for (const row of await canvas.rows(ROW)) rows.push([{ png: await canvas.capture(row) }]);
				return await compose(tab.page, rows);
			});
		});
	}
});
