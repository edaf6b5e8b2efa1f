/* eslint-disable @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { n8n } from '../support/n8n';
import { recording, speechToText, useNode, type TestFile } from '../support/node';
import { sha256 } from '../support/recorder';
import { expectParts, filePart } from '../support/wire';

const node = useNode();

function audio(fileName: string, mimeType = 'audio/wav'): TestFile {
	return { bytes: recording, fileName, mimeType };
}

const pdf: TestFile = {
	bytes: Buffer.from('%PDF-1.7'),
	fileName: 'offer.pdf',
	mimeType: 'application/pdf',
};

describe('binaryPropertyName', () => {
	it.each<[string, Record<string, TestFile>, object, string]>([
		['data, with others beside', { other: audio('no.wav'), data: audio('a.wav') }, {}, 'a.wav'],
		["a form's only file", { Audio_File: audio('a.wav') }, {}, 'a.wav'],
		[
			'the only file, whatever type it is announced as',
			{ upload: audio('a.wav', 'application/octet-stream') },
			{},
			'a.wav',
		],
		['the only audio among others', { Offer: pdf, Call: audio('a.wav') }, {}, 'a.wav'],
		[
			'a field by name, with data beside',
			{ data: audio('no.wav'), Call: audio('a.wav') },
			{ binaryPropertyName: 'Call' },
			'a.wav',
		],
		[
			'a field by name, white space around',
			{ data: audio('no.wav'), Call: audio('a.wav') },
			{ binaryPropertyName: ' Call\n' },
			'a.wav',
		],
		[
			'a field by an expression',
			{ data: audio('no.wav'), Call: audio('a.wav') },
			{ binaryPropertyName: '={{ Object.keys($binary)[1] }}' },
			'a.wav',
		],
		[
			'an expression that yields the file itself',
			{ Call: audio('a.wav') },
			{ binaryPropertyName: '={{ $binary.Call }}' },
			'a.wav',
		],
		[
			'an expression that yields a file of an earlier step',
			{ Call: audio('a.wav') },
			{ binaryPropertyName: "={{ $('Start').item.binary.Call }}" },
			'a.wav',
		],
	])('takes %s', async (_what, files, parameters, fileName) => {
		const { request } = await node.runOnce({ ...speechToText, ...parameters }, { files });
		expectParts(request, [filePart('file', fileName, 'audio/wav', recording)]);
	});

	it.each<[string, Record<string, TestFile>, object, string, string[]]>([
		[
			'several audio files',
			{ Call: audio('a.wav'), Memo: audio('b.wav') },
			{},
			'data',
			['Call', 'Memo'],
		],
		['several files, none of them audio', { Offer: pdf, Bill: pdf }, {}, 'data', ['Offer', 'Bill']],
		[
			'files of which only one is numbered',
			{ Call_1: audio('a.wav'), Memo: audio('b.wav') },
			{},
			'data',
			['Call_1', 'Memo'],
		],
		[
			'files with a number in the middle of their name',
			{ Call_1_old: audio('a.wav'), Call_2_old: audio('b.wav') },
			{},
			'data',
			['Call_1_old', 'Call_2_old'],
		],
		[
			'a name that is not there, though there is only one file',
			{ data: audio('a.wav') },
			{ binaryPropertyName: 'Call' },
			'Call',
			['data'],
		],
		[
			'a name that every JavaScript object has',
			{ data: audio('a.wav') },
			{ binaryPropertyName: 'constructor' },
			'constructor',
			['data'],
		],
		[
			'an expression that yields nothing',
			{ Call: audio('a.wav') },
			{ binaryPropertyName: '={{ $json.missing }}' },
			'',
			['Call'],
		],
	])('refuses %s, and lists the fields', async (_what, files, parameters, wanted, names) => {
		const error = await node.runUnsent({ ...speechToText, ...parameters }, { files });
		expect(error).toEqual({
			message: `The item has no file in the field '${wanted}'`,
			description: `Set 'Input Data Field Name' to one of the fields it has: ${names.map((name) => `'${name}'`).join(', ')}. Nothing was sent, so nothing was debited.`,
		});
	});

	it.each([
		['Audio_0', 'Audio_1'],
		['Audio_10', 'Audio_11'],
	])("says how to split a form's several files into items: %s, %s", async (first, second) => {
		const files = { [first]: audio('a.wav'), [second]: audio('b.wav') };
		const { message, description } = await node.runUnsent(speechToText, { files });
		expect(message).toBe("The item has no file in the field 'data'");
		expect(description).toContain(`fields it has: '${first}', '${second}'.`);
		expect(description).toContain('split them into items first');
		// The code it gives must be code that works: run it as the Code node would.
		const [code] = /return .*;/.exec(description ?? '') ?? [];
		const split = new Function('$input', code ?? '') as (input: object) => unknown;
		const item = await node.engine.item({}, files);
		expect(split({ item })).toEqual([
			{ json: {}, binary: { data: item.binary?.[first] } },
			{ json: {}, binary: { data: item.binary?.[second] } },
		]);
	});

	it('says that the item has no file at all, and where one may come from', async () => {
		expect(await node.runUnsent(speechToText, { files: {} })).toEqual({
			message: 'The item has no file',
			description:
				"'Input Data Field Name' is 'data', but nothing came with this item. Check that the previous step outputs a file, or set 'Audio Source' to 'URL'. Nothing was sent, so nothing was debited.",
		});
	});

	it.each([{}, { id: '' }])('takes a file that travels in the item itself, %p', async (more) => {
		const data = recording.toString('base64');
		const file = { data, mimeType: 'audio/wav', fileName: 'a.wav', ...more };
		const { request } = await node.runOnce(speechToText, {
			items: [{ json: {}, binary: { data: file } }],
		});
		expectParts(request, [filePart('file', 'a.wav', 'audio/wav', recording)]);
	});

	it('takes for each item its own file', async () => {
		const items = [
			await node.engine.item({}, { data: audio('a.wav') }),
			await node.engine.item({}, { Recording: audio('b.wav') }),
		];
		const { error } = await node.run(speechToText, { items });
		expect(error).toBeUndefined();
		expect(node.service.requests.map(({ parts }) => parts[0]?.fileName).sort()).toEqual([
			'a.wav',
			'b.wav',
		]);
	});
});

const describeCombined = n8n.combined ? describe : describe.skip;

describeCombined("the workflow setting binaryMode 'combined'", () => {
	const settings = { binaryMode: 'combined' } as const;

	async function combined(files: Record<string, TestFile>): Promise<INodeExecutionData[]> {
		const { binary } = await node.engine.item({}, files);
		return [{ json: { id: 7, _files: binary as never } }];
	}

	it.each<[string, object]>([
		['picks the only audio file', {}],
		['finds a field by its name', { binaryPropertyName: 'Call' }],
		['finds a file by its path', { binaryPropertyName: '_files.Call' }],
		[
			'takes the file that an expression yields',
			{ binaryPropertyName: '={{ $json._files.Call }}' },
		],
	])('%s', async (_what, parameters) => {
		const items = await combined({ Offer: pdf, Call: audio('a.wav') });
		const output = await node.runOnce({ ...speechToText, ...parameters }, { items, settings });
		expectParts(output.request, [filePart('file', 'a.wav', 'audio/wav', recording)]);
		// n8n itself moves the files of an item into its json.
		const { _files: files, ...json } = output.items[0]?.json ?? {};
		expect(json).toEqual({ ok: true });
		expect(Object.keys(files as object)).toEqual(['Offer', 'Call']);
		const kept = (files as unknown as Record<string, IBinaryData>).Call;
		expect(sha256(await node.engine.read(kept))).toBe(sha256(recording));
	});

	it('lists the files where none fits', async () => {
		const items = await combined({ Call: audio('a.wav'), Memo: audio('b.wav') });
		const error = await node.runUnsent(speechToText, { items, settings });
		expect(error.message).toBe("The item has no file in the field 'data'");
		expect(error.description).toContain("'Call', 'Memo'");
	});
});
