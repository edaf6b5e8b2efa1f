import type { Locator } from 'playwright-core';

import {
	isDocumentedOperation,
	isService,
	type Operation,
	type Resource,
	resources,
} from '../../nodes/VoiceSpeech/descriptions/operation.ts';
import { operations } from '../../nodes/VoiceSpeech/resources/index.ts';
import { createNode, ownTool, createVoiceNode, type Flow } from '../support/flow.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { readShownParameters } from '../support/shownParameters.mts';
import { Canvas } from './canvas.mts';
import { openFlow } from './flows.mts';
import { compose, readBox } from './pictures.mts';
import { expectEventually, demo } from './runningDemo.mts';
import { useTab } from './tab.mts';

const nodeName = 'Voice and Speech';
const commonLabels = ['Allowed Keys', 'Options', 'Extra Fields'];
const menuLabels = ['Credential', 'Resource', 'Operation'];

/** What n8n must show of an operation; `required` fields are empty and must not be. */
function createPanel(resource: Resource, operation: Operation) {
	const shown = readShownParameters({ resource: resource.value, operation: operation.value });
	const parameters = operation.parameters.filter(
		({ name, type }) => name in shown && type !== 'notice',
	);
	const required = parameters.filter((parameter) => parameter.required && parameter.default === '');
	return {
		action: operation.action,
		resource: resource.name,
		operation: operation.name,
		isDocumented: isDocumentedOperation(operation),
		menus: isService(operation) ? menuLabels : menuLabels.slice(1),
		fields: [
			...parameters.map(({ displayName }) => displayName),
			...(isService(operation) ? commonLabels : ['Options']),
		],
		required: required.map(({ displayName }) => displayName),
	};
}

/** In the order of n8n's list of actions. */
const panels = resources.flatMap((resource) => {
	const own = operations
		.filter((operation) => operation.resource === resource.value)
		.map((operation) => createPanel(resource, operation));
	return [
		...own.filter((panel) => panel.isDocumented),
		...own.filter((panel) => !panel.isDocumented),
	];
});

type Panel = (typeof panels)[number];

/** Words that people may use. n8n also finds actions by the aliases, so one of them is enough here. */
const searchWords = [
	panels[0]!.action,
	...['transcribe', 'voice', 'speech', 'tts', 'voice clone', 'read aloud', 'call center', 'm4a'],
];

const trigger = createNode('Recordings', 'n8n-nodes-base.manualTrigger', 1, {});

const createStep = (name: string, position?: [number, number]) => ({
	...createNode(name, 'n8n-nodes-base.set', 3.4, { options: {} }),
	...(position && { position }),
});

const flow: Flow = {
	from: { trigger },
	nodes: [createVoiceNode(speechToTextParameters), createStep('Next')],
};

const withErrorOutput: Flow = {
	from: { trigger },
	nodes: [
		createVoiceNode(speechToTextParameters, { name: nodeName, onError: 'continueErrorOutput' }),
		createStep('Save Text', [528, -96]),
	],
	failed: createStep('Report What Failed', [528, 112]),
};

const model = createNode('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, { options: {} });

const agent: Flow = {
	from: { trigger: createNode('Chat', '@n8n/n8n-nodes-langchain.chatTrigger', 1.3, {}) },
	nodes: [createNode('Agent', '@n8n/n8n-nodes-langchain.agent', 2.2, { options: {} })],
	attached: [
		{ as: 'ai_languageModel', node: model },
		{ as: 'ai_tool', node: { ...createVoiceNode(speechToTextParameters), type: ownTool } },
	],
};

describe('in the editor', () => {
	const tab = useTab();
	const canvas = new Canvas(tab);

	const creator = () => tab.part('node-creator');
	const parameters = () => tab.part('node-parameters');

	/** Adds an option, which must be on then. */
	async function addOption(option: string) {
		await tab.part('collection-parameter-add').filter({ visible: true }).click();
		await tab.page.getByRole('option', { name: option }).click();
		await expectEventually(
			async () => await tab.field(option).getByRole('switch').isChecked(),
			true,
		);
	}

	/** Closes the panel, reads the text under the node, and opens it again. */
	async function reopen({ action, operation, menus, fields, required }: Panel) {
		await tab.closePanel();
		const node = tab.page.getByRole('group').filter({ hasText: action });
		expect(await node.innerText()).toContain(operation);
		await node.dblclick();
		await expectEventually(readLabels, [...menus, ...fields]);
		await expectEventually(readMarkedLabels, required);
	}

	const readName = (label: string) => label.split('\n')[0]!.replace('*', '').trim();

	/** The labels in the panel, from top to bottom. */
	async function readLabels() {
		const shown = parameters().locator('label').filter({ visible: true });
		return (await shown.allInnerTexts()).map(readName);
	}

	/** The labels of the fields that have a warning mark. */
	async function readMarkedLabels() {
		const marks = tab.part('parameter-issues').filter({ visible: true });
		const withLabel = marks.locator('xpath=ancestor::*[.//label][1]');
		return (await withLabel.locator('label').allInnerTexts()).map(readName);
	}

	/** What the panel shows: labels, choices, notices and the values of the fields. */
	async function readPanelText() {
		const values = await parameters()
			.locator('input, textarea')
			.evaluateAll((inputs) => (inputs as HTMLInputElement[]).map(({ value }) => value));
		return [await parameters().innerText(), ...values].join('\n');
	}

	/** Draws a frame around an entry of a list, for a picture. */
	async function mark(entry: Locator) {
		const line = entry.locator(
			'xpath=ancestor::*[@data-test-id="node-creator-action-item" or @data-test-id="item-iterator-item"][1]',
		);
		await line.evaluate((element: HTMLElement) => {
			element.style.outline = '2px solid #2f6fed';
			element.style.outlineOffset = '-2px';
			element.style.borderRadius = '6px';
		});
	}

	tab.it(
		'n8n finds the node by what it does, and shows a clear panel for each operation',
		async () => {
			await tab.openNewWorkflow();
			await tab.page.getByRole('button', { name: 'Open nodes panel' }).click();
			// n8n finds this entry by no search, so it is chosen from the list.
			await creator().getByText('Trigger manually', { exact: true }).click();
			await tab.searchNodes('');
			const found = creator().getByText(nodeName, { exact: true });
			const search = tab.page.getByPlaceholder('Search nodes...');
			for (const words of searchWords) {
				// An empty search lists no node of this name, so that each find is this search's own.
				await search.fill('');
				await found.waitFor({ state: 'hidden' });
				await search.fill(words);
				await found.waitFor();
			}
			await found.click();
			await creator().getByText('Via npm').waitFor();
			for (const { action } of panels) {
				await creator().getByText(action, { exact: true }).waitFor();
			}
			await tab.takePicture('actions', async () => {
				// The window is high enough for all actions.
				await tab.page.setViewportSize({ width: 1_280, height: 1_000 });
				for (const { action } of panels.filter((panel) => panel.isDocumented)) {
					await mark(creator().getByText(action, { exact: true }));
				}
				// n8n's bar at the entry that the keyboard has chosen looks like a mark.
				const style = '[class*="active"]::before { display: none !important }';
				const from = creator().getByText(/^Actions \(/);
				const until = creator().getByText(panels.at(-1)!.action, { exact: true });
				return await tab.capture([creator()], { from, until, style });
			});

			const [first] = panels;
			await tab.chooseAction(first!.action);
			expect(await tab.input('Operation').inputValue()).toBe(first!.operation);
			expect(await readMarkedLabels()).toEqual([]);
			// Once the panel is reopened, n8n marks required fields that are empty.
			await reopen(first!);

			// No name shows the environment of the selected credential, because it could be wrong: n8n loads such names only when
			// the panel opens or another credential is selected, and an expression in a credential gives each item its own key.
			expect(await tab.input('Allowed Keys').inputValue()).toBe('Sandbox and Live');
			await tab.page.setViewportSize({ width: 1_280, height: 720 });
			for (const { resource, operation, menus, fields, required, isDocumented } of panels) {
				await tab.choose('Resource', resource);
				await tab.choose('Operation', operation);
				await expectEventually(readLabels, [...menus, ...fields]);
				await expectEventually(readMarkedLabels, required);
				const text = await readPanelText();
				// These match an expression, a name of the code in place of a label, and the key of a text that n8n lacks.
				expect(text).not.toMatch(/\{\{|\$\w|^=|\[object|\b(undefined|null)\b/m);
				expect(text).not.toMatch(/\b(?!kHz\b)[a-z]+[A-Z]|[a-z]\.[a-z]/);
				expect(text.includes('Not documented: ask your provider')).toBe(!isDocumented);
				// Everything but the options fits into this window. Recording has no key, and fewer fields than the others.
				if (fields.includes('Allowed Keys')) {
					const { bottom } = await readBox(tab.field('Allowed Keys'));
					const overflow = Math.max(0, bottom - (await readBox(parameters())).bottom);
					expect({ operation, overflow }).toEqual({ operation, overflow: 0 });
				}
			}

			await reopen(panels.at(-1)!);
		},
	);

	// test/package/description.test.mts tests which options an operation has.
	tab.it('an option that is added is on, and the next step offers the output fields', async () => {
		await openFlow(tab, flow, demo.credential);
		await canvas.node('Voice').dblclick();
		for (const option of ['Keep Input Files', 'Include Input Fields', 'Text Only']) {
			await addOption(option);
		}
		await tab.closePanel();

		await canvas.node('Next').dblclick();
		const input = tab.part('ndv-input-panel');
		await input.getByText('Voice', { exact: true }).first().waitFor();
		await input.getByText('text', { exact: true }).waitFor();
		expect(await input.innerText()).toMatch(/preview/i);
	});

	tab.it('what failed goes to a step of its own', async () => {
		await openFlow(tab, withErrorOutput, demo.credential);
		await expectEventually(async () => await canvas.root.locator('.vue-flow__edge').count(), 3);
		await canvas.root.getByText('Error', { exact: true }).waitFor();
		await canvas.node(nodeName).dblclick();
		await tab.dialog.getByRole('tab', { name: 'Settings' }).click();
		const onError = tab.field('On Error');
		await onError.waitFor();
		await tab.takePicture('on-error', async () => {
			const settings = tab.dialog.getByRole('tab', { name: 'Settings' });
			const capturePart = async (part: Locator) =>
				await tab.capture([parameters()], { from: part, until: part });
			const tabs = await capturePart(settings);
			const field = await capturePart(onError);
			await tab.closePanel();
			await canvas.showAll({ width: 1_400, height: 960 });
			const nodes = await canvas.captureNodes();
			return await compose(tab.page, [
				[{ caption: '1. Open the tab Settings, and set On Error', png: tabs }],
				[{ png: field }],
				[{ caption: '2. Connect the output Error', png: nodes }],
			]);
		});
	});

	tab.it(
		"as an agent's tool, it takes its address from the model, and says that agents pass no files",
		async () => {
			// High enough for all fields.
			await tab.page.setViewportSize({ width: 1_400, height: 1_300 });
			await openFlow(tab, agent, demo.credential);
			await canvas.node('Voice').dblclick();
			await tab.field('Language').waitFor();
			const notice = parameters().getByText('An agent passes no files to its tools');
			await notice.getByRole('link', { name: 'let the model define the address' }).waitFor();
			await tab.choose('Operation', 'Text to Speech');
			await parameters().getByText('An agent receives only a description of the audio').waitFor();
			await notice.waitFor({ state: 'hidden' });
			await tab.choose('Operation', 'Speech to Text');
			await notice.waitFor();

			await tab.choose('Audio Source', 'URL');
			await notice.waitFor({ state: 'hidden' });
			const url = tab.field('Audio URL');
			await url.hover();
			await tab.part('from-ai-override-button').first().click();
			await url.getByText('Defined automatically by the model').waitFor();
			await parameters().getByText('Add a description').click();
			const words = tab.part('parameter-input-description').locator('textarea');
			await words.fill('The web address of the recording');
			await addOption('Text Only');
			await tab.takePicture('agent-tool', async () => {
				const [from, until] = [tab.field('Audio Source'), tab.field('Text Only')];
				return await tab.capture([parameters()], { from, until });
			});
		},
	);
});
