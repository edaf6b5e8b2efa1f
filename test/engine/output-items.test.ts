import type { INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { delayed, modes, type Mode } from '../support/calls';
import { n8n } from '../support/n8n';
import { callWav, recording, speak, speechToText, undocumented, useNode } from '../support/node';
import { wav } from '../support/recordings';
import { bytes, json, sha256, type Answer } from '../support/scriptedServer';

const node = useNode();

const speech = wav(0.2);

const aWav = expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }) as object;

const keep = { keepInputFiles: true };

describe('the fields of the item', () => {
	const input = { id: 7, text: 'mine' };
	const includeInputFields = true;
	const both = { ...speechToText, options: { includeInputFields } };
	const other = { ...undocumented, options: { includeInputFields } };

	const response = { text: 'theirs', language: 'en', segments: [1] };
	const withoutText = { transcript: 'theirs' };
	const noText = { ...response, text: { value: 'theirs' } };
	const onlyText = { ...speechToText, options: { textOnly: true } };
	const textAndInput = { ...speechToText, options: { textOnly: true, includeInputFields } };
	const leftOver = { ...undocumented, options: { textOnly: true } };

	it.each<[string, body: object, INodeParameters, object]>([
		['are removed by default', response, speechToText, response],
		['stay with includeInputFields', response, both, { id: 7, ...response }],
		['stay next to a list', [1], other, { ...input, data: [1] }],
		['textOnly: only the text', response, onlyText, { text: 'theirs' }],
		['textOnly: an empty text', { ...response, text: '' }, onlyText, { text: '' }],
		['textOnly: the text and the input', response, textAndInput, { id: 7, text: 'theirs' }],
		// An error would be about a call that was paid for.
		['textOnly: all fields without a text', withoutText, onlyText, withoutText],
		['textOnly: all fields if the text is of another type', noText, onlyText, noText],
		['textOnly, left over from another operation: all fields', response, leftOver, response],
	])('%s', async (_what, body, parameters, expected) => {
		node.service.answer = json(body);
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

describe('several items', () => {
	/** Returns the language that was sent, for the first item last. */
	const slowestFirst: Answer = (...call) => {
		const [{ parts }] = call;
		const language = parts.find(({ name }) => name === 'language')?.body.toString();
		const answer = language === 'fail' ? json({ message: 'no luck' }, 500) : json({ language });
		(language === 'first' ? delayed(60, answer) : answer)(...call);
	};
	const byItem = { ...speechToText, language: '={{ $json.language }}' };

	it('the input is not changed if one fails', async () => {
		node.service.answer = slowestFirst;
		const items = await node.itemsWithFile({ language: 'first' }, { language: 'fail' });
		const before = structuredClone(items);
		const parameters = { ...byItem, options: { ...keep, includeInputFields: true } };
		const output = await node.run(parameters, { items, node: modes.continue });
		expect(output.items).toHaveLength(2);
		expect(items).toEqual(before);
	});

	it('come out in their order, each paired with its own, in any order of responses', async () => {
		node.service.answer = slowestFirst;
		const fields = ['first', 'second', 'third'].map((language) => ({ language }));
		const { items } = await node.run(byItem, { items: await node.itemsWithFile(...fields) });
		expect(items).toEqual(fields.map((sent, item) => ({ json: sent, pairedItem: { item } })));
	});
});

const allSettings: IWorkflowSettings[] = n8n.combined ? [{}, { binaryMode: 'combined' }] : [{}];

describe.each(allSettings)('a failed item, workflow settings %j', (settings) => {
	it.each<[Mode, object]>([
		['continue', {}],
		['continue', keep],
		['error output', {}],
	])('keeps its fields and files, mode %s, options %j', async (mode, options) => {
		node.service.answer = json({ message: 'no luck' }, 500);
		const itemOf = (fields: object, files: unknown) =>
			settings.binaryMode === 'combined'
				? { json: { ...fields, _files: files } }
				: { json: fields, binary: files };
		const [stored] = await node.itemsWithFile({});
		const item = itemOf({ id: 7, error: 'mine' }, stored?.binary);
		const { items, errorItems } = await node.run({ ...speechToText, options } as INodeParameters, {
			items: [item as never],
			settings,
			node: modes[mode],
		});
		const error = {
			message: 'The service failed (500): no luck',
			httpCode: '500',
			debit: 'possible',
			description: expect.stringContaining('may have been debited') as string,
		};
		const failed = { ...itemOf({ id: 7, error }, { data: aWav }), pairedItem: { item: 0 } };
		expect(items).toEqual(mode === 'continue' ? [failed] : []);
		expect(errorItems).toEqual(mode === 'continue' ? [] : [failed]);
	});
});
