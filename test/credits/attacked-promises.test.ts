import type { INodeExecutionData } from 'n8n-workflow';

import { audioFile } from '../support/audioFiles';
import { analyzeText, batching, delayed, modes, numberedItems } from '../support/calls';
import { callWav, speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes, json, ScriptedServer } from '../support/scriptedServer';

const node = useNode();
const source = ScriptedServer.use(json({}));

/** Throws in n8n for the first item. */
const throwsForFirstItem = '={{ $itemIndex === 0 ? $("Nowhere").item.json.x : "a" }}';

describe('a recording that must be read twice', () => {
	// Longer than what the first reading of a URL keeps.
	const long = Buffer.concat(new Array<Buffer>(9_500).fill(audioFile('adts.aac')));
	const changed = Buffer.from(long);
	changed.fill(0, 12_000_000);

	it.each([
		{ what: 'is gone', second: json({}, 404) },
		{ what: 'has changed', second: bytes(changed, 'audio/aac') },
	])('may have been debited if it $what when it is read again', async ({ second }) => {
		let fetches = 0;
		source.answer = (...call) => {
			fetches++;
			const answer = fetches === 1 ? bytes(long, 'audio/aac') : second;
			answer(...call);
		};
		const audioUrl = `${source.baseUrl}/voice.aac`;
		const { error } = await node.run({ ...speechToText, audioSource: 'url', audioUrl });
		expect(fetches).toBe(2);
		expect(error).toMatchObject({ context: { debit: 'possible' } });
		expect(error?.description).not.toContain('not sent');
	});
});

describe('an expression of another option that throws for the first item', () => {
	it('does not change Concurrency', async () => {
		const { all } = await node.runItems(6, {
			respond: (item) => delayed(30, json({ item })),
			mode: 'continue',
			concurrency: 1,
			options: { outputFileName: throwsForFirstItem },
		});
		expect(all).toHaveLength(6);
		expect(node.service.mostAtOnce).toBe(1);
	});

	it('does not change Batching', async () => {
		const { requestOptions } = batching(1, 200);
		const { times } = await node.runItems(4, {
			mode: 'continue',
			parameters: { requestOptions: { ...requestOptions, proxy: throwsForFirstItem } },
		});
		const [first = 0, ...others] = times;
		for (const [index, time] of others.entries()) {
			// A timer may end a few milliseconds early.
			expect(time - first).toBeGreaterThan(200 * (index + 1) - 20);
		}
	});
});

it("keeps a field 'response' of the service next to Include Response Headers", async () => {
	node.service.answer = json({ response: { intent: 'buy' } });
	const options = { includeResponseHeaders: true };
	const parameters = { ...undocumented, inputType: 'text', text: 'Hello', options };
	const { items } = await node.run(parameters);
	expect(items[0]?.json).toEqual({ response: { intent: 'buy' } });
});

it('shows response headers although the key has a quotation mark that one of them repeats', async () => {
	const apiKey = 'eak_test_a"b\\c';
	node.service.answer = json({ a: 1 }, 200, { 'X-Echo': `key ${apiKey}` });
	const parameters = { ...speak, ...undocumented, inputType: 'text' };
	const options = { includeResponseHeaders: true };
	const { items } = await node.run({ ...parameters, options }, { credential: { apiKey } });
	const { response } = items[0]?.json as { response: { headers: Record<string, string> } };
	expect(response.headers['x-echo']).toMatch(/^key /);
	expect(JSON.stringify(items)).not.toContain('a"b');
});

it('keeps the fields and files of an item whose operation is an expression', async () => {
	const item = await node.engine.item({ id: 7 }, { data: callWav });
	const parameters = { ...analyzeText, operation: '={{ "analyzeSentiment" }}' };
	const { items } = await node.run(parameters, { items: [item], node: modes.continue });
	expect(node.service.arrived).toBe(0);
	expect(items).toMatchObject([{ json: { id: 7, error: { debit: 'notSent' } } }]);
	expect(items[0]?.binary).toEqual(item.binary);
});

it('loses no result if an item has no json', async () => {
	const items = [{} as INodeExecutionData, ...numberedItems(2)];
	const settings = { binaryMode: 'combined' as const };
	const parameters = { ...undocumented, inputType: 'text', text: '={{ $itemIndex }}' };
	const output = await node.run(parameters, { items, settings, node: modes.continue });
	expect(output.error).toBeUndefined();
	expect(output.items).toHaveLength(3);
});

it('sends a file whose name is null', async () => {
	const item = await node.engine.item({}, { data: callWav });
	Object.assign(item.binary!.data!, { fileName: null });
	const { request } = await node.runOnce(speechToText, { items: [item] });
	expect(request.parts[0]?.fileName).toBe('recording.wav');
});

it.each(['2147483648', '-1', 'soon', Infinity])(
	'sends nothing with the Timeout %p',
	async (timeout) => {
		const { message } = await node.runUnsent({ ...speak, requestOptions: { timeout } as never });
		expect(message).toBe("'Timeout' in the request options is not a valid number of milliseconds");
	},
);

it.each([
	{ what: 'a refusal', answer: (text: string) => json({ message: text }, 400) },
	{
		what: 'a response of another kind',
		answer: (text: string) => bytes(Buffer.from(text), 'text/html'),
	},
])('shows no part of a key that is cut off in the quotation of $what', async ({ answer }) => {
	const ending = 'Zq7LkW2mXv9TbR4cYd8P';
	for (let length = 150; length < 520; length += 7) {
		node.service.answer = answer(`${'.'.repeat(length)}${ending}`);
		const { error } = await node.run(speak, { credential: { apiKey: `eak_test_${ending}` } });
		expect(`${error?.message} ${error?.description}`).not.toContain('Zq7LkW2m');
	}
});
