import type { INodeParameters } from 'n8n-workflow';

import { callWav, extra, recording, speechToText, undocumented, useNode } from '../support/node';
import { modes } from '../credits/till';
import { errorText, outcomesOf } from '../support/outcome';
import { filePart, expectParts, textPart } from '../support/wire';

const node = useNode();

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };

const sentiment = { resource: 'language', operation: 'analyzeSentiment', inputType: 'text' };

const asText = { ...sentiment, text: 'Hello' };

describe('an option that names a field like another one is an error before anything is sent', () => {
	it.each<[string, INodeParameters, string]>([
		[
			'the file of clone like its name',
			{ ...clone, options: { fileFieldName: 'name' } },
			"'File Field Name'",
		],
		[
			'the file like the language',
			{ ...speechToText, language: 'en', options: { fileFieldName: 'language' } },
			"'File Field Name'",
		],
		[
			'the file of an undocumented operation like the language',
			{ ...undocumented, language: 'en', options: { fileFieldName: 'language' } },
			"'File Field Name'",
		],
		[
			'the file like the language, although none is set',
			{ ...undocumented, language: '', options: { fileFieldName: 'language' } },
			"'File Field Name'",
		],
		[
			'the text like the language',
			{ ...asText, language: 'en', options: { textFieldName: 'language' } },
			"'Text Field Name'",
		],
	])('%s', async (_what, parameters, label) => {
		const output = await node.run(parameters);
		expect(output.items).toEqual([]);
		expect(node.service.arrived).toBe(0);
		expect(errorText(output)).toContain(label);
	});

	it('although an extra field would replace the other one', async () => {
		const options = { fileFieldName: 'name' };
		await node.runUnsent({ ...clone, options, ...extra(['name', 'Bert']) });
	});

	it('for the item of which it holds, with continue', async () => {
		const items = await Promise.all(
			['file', 'name', 'audio'].map(
				async (field) => await node.engine.item({ field }, { data: callWav }),
			),
		);
		const output = await node.run(
			{ ...clone, options: { fileFieldName: '={{ $json.field }}' } },
			{ items, node: modes.continue },
		);
		expect(node.service.arrived).toBe(2);
		const errors = outcomesOf(output).map(({ error }) => error);
		expect(errors).toEqual([undefined, expect.stringContaining("'File Field Name'"), undefined]);
	});
});

describe('a name that another operation uses is no collision', () => {
	it('the file of speech to text as name', async () => {
		const options = { fileFieldName: 'name' };
		const { request } = await node.runOnce({ ...speechToText, options });
		expectParts(request, [filePart('name', 'call.wav', 'audio/wav', recording)]);
	});

	it('an extra field that takes the place of a standard one', async () => {
		const { request } = await node.runOnce({ ...clone, ...extra(['name', 'Bert']) });
		expectParts(request, [
			filePart('file', 'call.wav', 'audio/wav', recording),
			textPart('name', 'Bert'),
		]);
	});
});
