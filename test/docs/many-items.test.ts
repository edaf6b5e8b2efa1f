import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startEmulator, type RunningEmulator } from '../support/emulator';
import { Engine } from '../support/engine';
import { wav } from '../support/recordings';
import { blocksOf } from './markdown';
import { shownItem } from './example';

let engine: Engine;
let emulator: RunningEmulator;
let apiKey: string;
let voiceId: string;

async function run(
	parameters: INodeParameters,
	items: INodeExecutionData[],
	node?: Partial<INode>,
) {
	const credential = { apiKey, environment: 'sandbox', baseUrl: emulator.baseUrl };
	return await engine.run({ parameters, items, credential, node });
}

beforeAll(async () => {
	engine = await Engine.start();
	emulator = await startEmulator();
	apiKey = await emulator.createKey('sandbox');
	await emulator.api('PUT', '/settings', { ttsEngine: 'tones' });
	const sample = { bytes: wav(10), fileName: 'call.wav', mimeType: 'audio/wav' };
	const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };
	const { items } = await run(clone, [await engine.item({}, { data: sample })]);
	voiceId = String(items[0]!.json.voice_id);
});

afterAll(async () => await emulator.stop());

const [settings, itemsIn, continued, errorOutput] = blocksOf('docs/many-items.md')
	.filter(({ headings }) => headings[0]?.startsWith('Example: '))
	.map(({ text }) => text);

/** The items of a block, with the voice and the address of this test. */
const itemsOf = (text = '') =>
	JSON.parse(
		text.replaceAll('vc_<id>', voiceId).replaceAll('https://api.example.com', emulator.baseUrl),
	) as INodeExecutionData[];

describe.each([
	['Continue', 'continueRegularOutput', 0, continued],
	['Continue (using error output)', 'continueErrorOutput', 2, errorOutput],
] as const)('the example of the page, with On Error: %s', (_label, onError, spoken, shown) => {
	it('brings the items that the page shows', async () => {
		const parameters = JSON.parse(settings!) as INodeParameters;
		const output = await run(parameters, itemsOf(itemsIn), { onError });
		const { items, errorItems } = output;
		const failing = onError === 'continueErrorOutput' ? errorItems : items;
		expect(failing.map(shownItem)).toEqual(itemsOf(shown));
		expect(onError === 'continueErrorOutput' ? items : []).toHaveLength(spoken);
	});
});

it('with n8n’s default one failure drops what was paid for, as the page says', async () => {
	const before = (await emulator.api('GET', '/wallets')) as { sandbox: { balance: number } };
	const { items, error } = await run(JSON.parse(settings!) as INodeParameters, itemsOf(itemsIn));
	expect(items).toEqual([]);
	expect(error?.message).toContain('There is no voice with this voice_id.');
	const after = (await emulator.api('GET', '/wallets')) as { sandbox: { balance: number } };
	expect(after.sandbox.balance).toBeLessThan(before.sandbox.balance);
});
