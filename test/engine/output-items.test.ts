import type { INodeExecutionData, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { delayed, modes, type Mode } from '../support/calls';
import { n8n } from '../support/n8n';
import { callWav, recording, speak, speechToText, undocumented, useNode } from '../support/node';
import { wav } from '../support/recordings';
import { bytes, json, sha256, type Answer } from '../support/scriptedServer';

const node = useNode();

const speech = wav(0.2);

const aWav = expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }) as object;

/** Returns the language that was sent, for the first item last. */
const slowestFirst: Answer = (...call) => {
	const [{ parts }] = call;
	const language = parts.find(({ name }) => name === 'language')?.body.toString();
	const answer = language === 'fail' ? json({ message: 'no luck' }, 500) : json({ language });
	(language === 'first' ? delayed(60, answer) : answer)(...call);
};

const keep = { keepInputFiles: true };

const byItem = { ...speechToText, language: '={{ $json.language }}', options: keep };

const itemsWith = async (...languages: string[]) =>
	await node.itemsWithFile(...languages.map((language, id) => ({ id, language })));

const succeeded = (fields: object, item: number) => ({
	json: fields,
	binary: { data: aWav },
	pairedItem: { item },
});

/** Expects failed items on the output that the mode chooses, in their order. */
function expectOutputs(
	mode: Mode,
	{ items, errorItems }: { items: INodeExecutionData[]; errorItems: INodeExecutionData[] },
	expected: Array<{ json: object }>,
): void {
	const isFailed = ({ json: fields }: { json: object }) => 'error' in fields;
	const regular = mode === 'continue';
	expect(items).toEqual(regular ? expected : expected.filter((item) => !isFailed(item)));
	expect(errorItems).toEqual(regular ? [] : expected.filter(isFailed));
}

describe('the fields of the item', () => {
	const input = { id: 7, text: 'mine', nested: { a: 1 } };
	const options = { includeInputFields: true };
	const about = {
		...{ fileName: 'speech.wav', mimeType: 'audio/wav', bytes: speech.length },
		...{ voiceId: 'vc_1', characters: 5 },
	};

	it.each<[string, Answer, INodeParameters, object]>([
		['are removed by default', json({ text: 'theirs' }), speechToText, { text: 'theirs' }],
		[
			'stay with includeInputFields, and those of the response replace them',
			json({ text: 'theirs', nested: { b: 2 } }),
			{ ...speechToText, options },
			{ id: 7, text: 'theirs', nested: { b: 2 } },
		],
		['stay next to a list', json([1]), { ...undocumented, options }, { ...input, data: [1] }],
		[
			'stay next to the facts of a file',
			bytes(speech, 'audio/wav'),
			{ ...speak, options },
			{ ...input, ...about },
		],
	])('%s', async (_what, answer, parameters, expected) => {
		node.service.answer = answer;
		const { items } = await node.runOnce(parameters, { json: input });
		expect(items.map((item) => item.json)).toEqual([expected]);
	});
});

describe('the files of the item', () => {
	const spoken = { ...speak, outputPropertyName: 'spoken' };
	const both = { data: 'call.wav', other: 'call.wav' };

	it.each<[string, INodeParameters, Record<string, string>]>([
		['stay with keepInputFiles', { ...speechToText, options: keep }, both],
		['are removed by default', speechToText, {}],
		['are replaced by a new one', { ...speak, options: keep }, { ...both, data: 'speech.wav' }],
		['stay next to a new one', { ...spoken, options: keep }, { ...both, spoken: 'speech.wav' }],
		['are removed next to a new one', spoken, { spoken: 'speech.wav' }],
	])('%s', async (_what, parameters, expected) => {
		node.service.answer =
			parameters.operation === 'textToSpeech' ? bytes(speech, 'audio/wav') : json({});
		const { items } = await node.runOnce(parameters, { files: { data: callWav, other: callWav } });
		const files = Object.entries(items[0]?.binary ?? {});
		const names = files.map(([name, { fileName }]) => [name, fileName]);
		expect(Object.fromEntries(names)).toEqual(expected);
		for (const [, file] of files) {
			const content = file.fileName === 'call.wav' ? recording : speech;
			expect(sha256(await node.engine.read(file))).toBe(sha256(content));
		}
	});

	// Other names: test/audio/fileName.test.ts.
	it.each([
		['greeting.mp3', 'greeting.wav'],
		['={{ $json.name }}', 'Anna.wav'],
		['', 'speech.wav'],
		['beep', 'beep.wav', undocumented],
	])('outputFileName %j names the new one %s', async (outputFileName, fileName, other = speak) => {
		node.service.answer = bytes(speech, 'audio/wav');
		const parameters = { ...other, options: { outputFileName } };
		const { items } = await node.runOnce(parameters, { json: { name: 'Anna' } });
		expect(items[0]?.json.fileName).toBe(fileName);
		expect(items[0]?.binary?.data?.fileName).toBe(fileName);
	});
});

describe('the option textOnly', () => {
	const response = { text: 'Hello', language: 'en', segments: [1] };
	const on = { ...speechToText, options: { textOnly: true } };
	const withInput = { ...speechToText, options: { textOnly: true, includeInputFields: true } };
	const other = { ...undocumented, options: { textOnly: true } };
	const withoutText = { transcript: 'Hello' };
	const noText = { ...response, text: { value: 'Hello' } };

	it.each<[string, object, INodeParameters, object]>([
		['off: all fields', response, speechToText, response],
		['on: only the text', response, on, { text: 'Hello' }],
		['on: an empty text', { ...response, text: '' }, on, { text: '' }],
		['on, with the input fields', response, withInput, { name: 'Anna', text: 'Hello' }],
		// An error would be about a call that was paid for.
		['on, without a text: all fields', withoutText, on, withoutText],
		['on, with a text of another type: all fields', noText, on, noText],
		['left over from another operation: all fields', response, other, response],
	])('%s', async (_what, body, parameters, expected) => {
		node.service.answer = json(body);
		const { items } = await node.runOnce(parameters, { json: { name: 'Anna' } });
		expect(items.map((item) => item.json)).toEqual([expected]);
	});
});

describe('several items', () => {
	it('one of which fails: the input is not changed', async () => {
		node.service.answer = slowestFirst;
		const items = await itemsWith('first', 'fail');
		const before = structuredClone(items);
		const parameters = { ...byItem, options: { ...keep, includeInputFields: true } };
		const output = await node.run(parameters, { items, node: modes.continue });
		expect(output.items).toHaveLength(2);
		expect(items).toEqual(before);
	});

	it('come out in their order, each paired with its own, in any order of responses', async () => {
		node.service.answer = slowestFirst;
		const languages = ['first', 'second', 'third', 'fourth'];
		const { items } = await node.run(byItem, { items: await itemsWith(...languages) });
		expect(items).toEqual(languages.map((language, item) => succeeded({ language }, item)));
	});
});

describe.each<[string, IWorkflowSettings]>([
	['files in binary', {}],
	...(n8n.combined
		? [['files in json', { binaryMode: 'combined' }] as [string, IWorkflowSettings]]
		: []),
])('a failed item, %s', (_what, settings) => {
	it.each<[Mode, object]>([
		['continue', {}],
		['continue', { keepInputFiles: true }],
		['error output', {}],
	])('keeps its fields and files, mode %s, options %j', async (mode, options) => {
		const isCombined = settings.binaryMode === 'combined';
		node.service.answer = json({ message: 'no luck' }, 500);
		const [item] = await node.itemsWithFile({ id: 7, error: 'mine' });
		const { binary, json: fields } = item!;
		const given = isCombined ? { json: { ...fields, _files: binary as never } } : item!;
		const output = await node.run({ ...speechToText, options } as INodeParameters, {
			items: [given],
			settings,
			node: modes[mode],
		});
		const error = {
			message: 'The service failed (500): no luck',
			description: expect.stringContaining('may have been debited') as string,
		};
		expectOutputs(mode, output, [
			isCombined
				? { json: { id: 7, error, _files: { data: aWav } }, pairedItem: { item: 0 } }
				: succeeded({ id: 7, error }, 0),
		] as never);
	});
});
