import { startEmulator, type RunningEmulator } from '../support/emulator';
import { compose } from './pictures';
import { eventually, stage } from './stage';
import { useTab } from './tab';

const NODE = 'Voice and Speech';
const FILE = ['Audio Source', 'Input Data Field Name'];
const ALL = ['Extra Fields', 'Options'];
const MENUS = ['Credential', 'Allowed Environment', 'Resource', 'Operation'];
interface Panel {
	/** As the node creator lists it. */
	action: string;
	resource: string;
	operation: string;
	/** Under the two menus. */
	fields: string[];
	/** Fields that are empty and must not be. */
	required: string[];
}

const undocumented = (action: string, resource: string, operation: string, fields: string[]) => ({
	action,
	resource,
	operation,
	fields: ['Input Type', ...fields, 'Language', ...ALL],
	required: fields.filter((field) => field === 'Text'),
});

const PANELS: Panel[] = [
	{
		action: 'Convert speech to text',
		resource: 'Speech',
		operation: 'Speech to Text',
		fields: [...FILE, 'Language', ...ALL],
		required: [],
	},
	{
		action: 'Convert text to speech',
		resource: 'Speech',
		operation: 'Text to Speech',
		fields: ['Text', 'Voice ID', 'Output Data Field Name', ...ALL],
		required: ['Text', 'Voice ID'],
	},
	undocumented('Create transcription', 'Speech', 'Create Transcription', FILE),
	{
		action: 'Clone voice',
		resource: 'Voice',
		operation: 'Clone',
		fields: [...FILE, 'Voice Name', ...ALL],
		required: ['Voice Name'],
	},
	undocumented('Detect language', 'Language', 'Detect Language', ['Text']),
	undocumented('Analyze sentiment', 'Language', 'Analyze Sentiment', ['Text']),
	undocumented('Recognize intent', 'Language', 'Recognize Intent', ['Text']),
	undocumented('Analyze call', 'Call', 'Analyze Call', FILE),
	undocumented('Detect answering machine', 'Call', 'Detect Answering Machine', FILE),
];

const WORDS = ['transcribe', 'voice', 'speech', 'tts', 'stt', 'voice clone', 'text to speech'];

describe('the node in the editor', () => {
	const tab = useTab();
	let emulator: RunningEmulator;

	beforeAll(async () => {
		emulator = await startEmulator();
	});
	afterAll(async () => await emulator?.stop());

	const testId = (id: string) => tab.page.locator(`[data-test-id="${id}"]`);
	const creator = () => testId('node-creator');
	const parameters = () => testId('node-parameters');

	async function searchNodes(words: string) {
		await tab.page.getByRole('button', { name: 'Open nodes panel' }).click();
		await tab.page.getByPlaceholder('Search nodes...').fill(words);
	}

	async function add(action: string) {
		await searchNodes(NODE);
		await creator().getByText(NODE, { exact: true }).click();
		await creator().getByText(action, { exact: true }).click();
		await tab.chooseCredential();
	}

	/** Closes the panel, reads the text under the node, and opens it again. */
	async function reopen({ action, operation, fields, required }: Panel) {
		// Out of the menu that was used last: Escape would close that alone.
		await tab.dialog.getByRole('tab', { name: 'Parameters' }).click();
		await tab.page.keyboard.press('Escape');
		await tab.dialog.waitFor({ state: 'hidden' });
		const node = tab.page.getByRole('group').filter({ hasText: action });
		expect(await node.innerText()).toContain(operation);
		await node.dblclick();
		await eventually(labels, [...MENUS, ...fields]);
		await eventually(marked, required);
	}

	const named = (label: string) => label.split('\n')[0]!.replace('*', '').trim();

	/** The labels in the panel, from top to bottom. */
	async function labels() {
		const shown = parameters().locator('label').filter({ visible: true });
		return (await shown.allInnerTexts()).map(named);
	}

	/** The labels of the fields that have a warning mark. */
	async function marked() {
		const marks = testId('parameter-issues').filter({ visible: true });
		const withLabel = marks.locator('xpath=ancestor::*[.//label][1]');
		return (await withLabel.locator('label').allInnerTexts()).map(named);
	}

	const environment = async () => await tab.input('Allowed Environment').inputValue();

	/** What the panel shows: labels, choices, notices and the values of the fields. */
	async function everyText() {
		const values = await parameters()
			.locator('input, textarea')
			.evaluateAll((inputs) =>
				inputs.map((input) => (input as unknown as { value: string }).value),
			);
		return [await parameters().innerText(), ...values].join('\n');
	}

	beforeEach(async () => await tab.page.goto(`${stage.url}/workflow/new`));

	tab.it('is found by what it does', async () => {
		await searchNodes('');
		const found = creator().getByText(NODE, { exact: true });
		for (const words of WORDS) {
			// An empty search lists no node of this name, so that each find is this search's own.
			await tab.page.getByPlaceholder('Search nodes...').fill('');
			await found.waitFor({ state: 'hidden' });
			await tab.page.getByPlaceholder('Search nodes...').fill(words);
			await found.waitFor();
			await expect(found.isVisible()).resolves.toBe(true);
		}
		const search = await tab.capture([creator()], { until: found.locator('xpath=../../..') });
		await found.click();
		await creator().getByText('Actions (9)').waitFor();
		for (const { action } of PANELS) {
			await creator().getByText(action, { exact: true }).waitFor();
		}
		await creator().getByText('Triggers (2)').click();
		await creator().getByText('Via npm').waitFor();
		await creator().getByText('Convert speech to text').last().scrollIntoViewIfNeeded();
		await tab.picture('actions', async () => {
			const [first, last] = ['Actions (9)', 'Clone voice'].map((text) =>
				creator().getByText(text, { exact: true }),
			);
			const actions = await tab.capture([creator()], { from: first, until: last });
			return await compose(tab.page, [[{ png: search }, { png: actions }]]);
		});
	});

	tab.it('shows a clear panel for each operation', async () => {
		const [first] = PANELS;
		await add(first!.action);
		await eventually(environment, 'Any (This Credential: Sandbox)');
		expect(await tab.input('Operation').inputValue()).toBe(first!.operation);
		expect(await marked()).toEqual([]);
		// From then on n8n marks what is empty and must not be.
		await reopen(first!);

		for (const { resource, operation, fields, required } of PANELS) {
			await tab.choose('Resource', resource);
			await tab.choose('Operation', operation);
			await eventually(labels, [...MENUS, ...fields]);
			await eventually(marked, required);
			await eventually(environment, 'Any (This Credential: Sandbox)');
			const text = await everyText();
			// An expression, the name in the code in place of the label, the key of a text that n8n lacks.
			expect(text).not.toMatch(/\{\{|\$\w|^=|\[object|\b(undefined|null)\b/m);
			expect(text).not.toMatch(/\b(?!kHz\b)[a-z]+[A-Z]|[a-z]\.[a-z]/);
		}

		await reopen(PANELS.at(-1)!);
	});

	tab.it('asks for what the chosen input needs', async () => {
		await add('Recognize intent');
		const below = async () => (await labels()).slice(5);
		await tab.choose('Input Type', 'Audio');
		await eventually(below, [...FILE, 'Language', ...ALL]);
		await tab.choose('Audio Source', 'URL');
		await eventually(below, ['Audio Source', 'Audio URL', 'Language', ...ALL]);
		await tab.choose('Input Type', 'JSON');
		await eventually(below, ['JSON Body', ...ALL]);
		expect(await marked()).toEqual([]);
	});

	tab.it('says which environment a credential is for when another one is chosen', async () => {
		await add('Convert speech to text');
		await eventually(environment, 'Any (This Credential: Sandbox)');

		await tab.dialog.getByRole('combobox', { name: 'Select Credential' }).click();
		await tab.page.getByText('Create new credential').click();
		await tab.dialog.getByText('Base URL').waitFor();
		await tab.paste('API Key', await emulator.createKey('live'));
		await tab.choose('Environment', 'Live');
		await tab.paste('Base URL', emulator.baseUrl);
		await tab.dialog.getByRole('button', { name: 'Save' }).click();
		// n8n closes the dialog when the test has passed, and chooses the new credential.
		await eventually(environment, 'Any (This Credential: Live)');

		await tab.chooseCredential();
		await eventually(environment, 'Any (This Credential: Sandbox)');
	});
});
