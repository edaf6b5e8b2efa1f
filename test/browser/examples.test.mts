import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { isTrigger } from '../../dev/demo/examples.mts';
import { root } from '../../dev/lib/root.cjs';
import { DemoEmulator } from '../support/demoEmulator.mts';
import { Canvas, findOverlaps, type Shown } from './canvas.mts';
import { readBox, type Box } from './pictures.mts';
import { demo, expectEventually, makesPictures } from './runningDemo.mts';
import { useTab } from './tab.mts';

interface Node {
	name: string;
	type: string;
	parameters: { authentication?: string; content?: string };
	disabled?: boolean;
}

const folder = path.join(root, 'examples');

const examples = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((fileName) => {
		const file = path.join(folder, fileName);
		const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: Node[] };
		return { name: path.parse(fileName).name, file, nodes };
	});

type Example = (typeof examples)[number];

const isNote = ({ type }: Node) => type.endsWith('.stickyNote');
const isOwn = ({ type }: Node) => type.startsWith('n8n-nodes-voice-speech.');
/** Whether the node needs a credential that the demo does not have. n8n does not mark a deactivated one. */
const lacksCredential = ({ type, parameters, disabled }: Node) =>
	disabled !== true &&
	(/\.(emailReadImap|emailSend|googleDrive|googleDriveTrigger|googleSheets|s3|slack|telegram|telegramTrigger|whatsApp|whatsAppTrigger)$/.test(
		type,
	) ||
		['headerAuth', 'predefinedCredentialType'].includes(parameters.authentication!));
/** The first line of a note. */
const readTitle = ({ parameters }: Node) =>
	parameters
		.content!.split('\n')[0]!
		.replace(/^#+ |\*\*/g, '')
		.replaceAll("'", '’');

/** In CSS pixels. GitHub shows pictures 830 pixels wide, so names of 18 pixels are still 10 pixels high. */
const widest = 1_480;

describe('in the editor', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);
	/** Opens a new workflow and chooses the file, as "Import > From file" in the menu does. */
	async function importFile({ file, nodes }: Example) {
		await tab.openNewWorkflow();
		await canvas.root.waitFor();
		await tab.part('workflow-import-input').setInputFiles(file);
		await expectEventually(async () => await canvas.shown.count(), nodes.length);
	}

	/** Nodes and notes that are not completely on the canvas. */
	async function findOutside(shown: Shown[]) {
		const { left, top, right, bottom } = await readBox(canvas.root);
		const isOutside = (box: Box) =>
			box.left < left || box.top < top || box.right > right || box.bottom > bottom;
		return shown.filter(({ boxes }) => boxes.some(isOutside)).map(({ name }) => name);
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
		expect(await canvas.listHiddenWires()).toEqual([]);
		expect(await canvas.listSmallNotes()).toEqual([]);
		const { left, right } = await canvas.computeNodesBox();
		expect(right - left).toBeLessThan(widest);
	}

	// The layout of an example changes only with its file, after which its picture is taken again.
	const shownExamples = makesPictures
		? examples
		: examples.filter(({ name }) => name === 'form-upload-to-transcript');
	for (const example of shownExamples) {
		const { name, nodes } = example;
		const beginning = [
			...nodes.filter(({ type }) => isTrigger(type)).map((node) => node.name),
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
			await tab.takePicture(`examples/${name}`, async () => {
				await canvas.enlargeNames();
				return await canvas.captureNodes();
			});
		});
	}

	tab.it('Execute step works twice', async () => {
		const { name, nodes } = examples.find((one) => one.name === 'form-upload-to-transcript')!;
		const step = 'Transcribe Recording';
		const buffer = await new DemoEmulator(demo.emulator).speak('Please call me back.');
		tab.page.on('popup', (form) => {
			const file = { name: 'call.wav', mimeType: 'audio/wav', buffer };
			const fillIn = async () => {
				await form.locator('input[type=file]').setInputFiles(file);
				await form.locator('#submit-btn').click();
			};
			void fillIn().catch(() => undefined);
		});
		await tab.openWorkflow(demo.workflows[name]!.id);
		await expectEventually(async () => await canvas.shown.count(), nodes.length);
		const hasRun = async () => (await canvas.listSucceeded()).includes(step);
		await canvas.executeStep(step);
		await expectEventually(hasRun, true);

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
});
