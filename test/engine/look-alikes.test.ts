import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { n8n } from '../support/n8n';
import { outcomesOf } from '../support/outcome';
import { callWav, recording, speechToText, useNode } from '../support/node';

const node = useNode();

const combined = { binaryMode: 'combined' } as const;

const describeCombined = n8n.combined ? describe : describe.skip;

const typeError = /TypeError|is not a function|cannot read|undefined|not iterable|must be of type/i;

/** A file in n8n's storage that belongs to another execution: only its id is known. */
async function stored(): Promise<IBinaryData> {
	const bytes = Buffer.concat([recording, Buffer.from('of somebody else')]);
	return await node.engine.file(bytes, { fileName: 'secret.wav', mimeType: 'audio/wav' });
}

describe('a value in json that looks like a file, in the default binary mode', () => {
	const places: Array<[string, (file: object) => IDataObject, object]> = [
		['data', (file) => ({ data: file }) as IDataObject, {}],
		['the only field', (file) => ({ attachment: file }) as IDataObject, {}],
		['_files', (file) => ({ _files: { data: file } }) as IDataObject, {}],
		['_files, by another name', (file) => ({ _files: { audio: file } }) as IDataObject, {}],
		[
			'a field that the parameter names',
			(file) => ({ body: file }) as IDataObject,
			{ binaryPropertyName: 'body' },
		],
		[
			'a path that the parameter names',
			(file) => ({ body: { file } }) as IDataObject,
			{ binaryPropertyName: 'body.file' },
		],
		[
			'a field whose name an expression yields',
			(file) => ({ field: 'body', body: file }) as IDataObject,
			{ binaryPropertyName: '={{ $json.field }}' },
		],
	];

	describe.each(places)('%s', (_place, jsonOf, parameters) => {
		it.each(['its id', 'its content'])('is not uploaded: it has %s', async (what) => {
			const file = await stored();
			const data = recording.toString('base64');
			const value =
				what === 'its id'
					? { id: file.id, mimeType: 'audio/wav' }
					: { data, mimeType: 'audio/wav', fileName: 'a.wav' };
			const { message } = await node.runUnsent(
				{ ...speechToText, ...parameters },
				{ items: [{ json: jsonOf(value) }] },
			);
			expect(message).toMatch(/no file/i);
		});
	});

	it.each<[string, unknown]>([
		['an id of a file', undefined],
		['a number as its id', { id: 17, mimeType: 'audio/wav' }],
		['no type', { id: 'filesystem-v2:a', mimeType: null }],
		['content', { data: recording.toString('base64'), mimeType: 'audio/wav' }],
	])('does not hide the real file of the item: it has %s', async (_what, value) => {
		const { binary } = await node.engine.item({}, { Audio_File: callWav });
		const other = (value ?? { id: (await stored()).id, mimeType: 'audio/wav' }) as IDataObject;
		for (const json of [{ data: other }, { meta: other }, { _files: { data: other } }]) {
			node.service.reset();
			const item = { json: json as IDataObject, binary } as INodeExecutionData;
			const { request } = await node.runOnce(speechToText, { items: [item] });
			expect(request.parts[0]?.fileName).toBe('call.wav');
			expect(request.parts[0]?.body.equals(recording)).toBe(true);
		}
	});

	it('is passed on like any other field, and no file comes out for it', async () => {
		const value = { id: (await stored()).id, mimeType: 'audio/wav' };
		const { binary } = await node.engine.item({}, { data: callWav });
		const options = { includeInputFields: true, keepInputFiles: true };
		const json = { body: value, _files: { a: value } } as IDataObject;
		const { items } = await node.runOnce(
			{ ...speechToText, options },
			{
				items: [{ json, binary } as INodeExecutionData],
			},
		);
		expect(items[0]?.json).toEqual({ ...json, ok: true });
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data']);
	});

	it('comes out with a failed item as it came in, and no file comes out for it', async () => {
		const value = { id: (await stored()).id, mimeType: 'audio/wav' };
		const output = await node.run(speechToText, {
			items: [{ json: { _files: { a: value } } as IDataObject }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(outcomesOf(output)[0]?.error).toMatch(/no file/i);
		expect(output.items[0]?.json._files).toEqual({ a: value });
		expect(output.items[0]?.binary ?? {}).toEqual({});
	});
});

describe("'Input Data Field Name' is an expression that yields a file", () => {
	it.each([{}, { settings: combined }])('of json: it is uploaded, %j', async (scene) => {
		const file = await stored();
		const item = { json: { body: { upload: { ...file } } } } as unknown as INodeExecutionData;
		const binaryPropertyName = '={{ $json.body.upload }}';
		const { request } = await node.runOnce(
			{ ...speechToText, binaryPropertyName },
			{ items: [item], ...scene },
		);
		expect(request.parts[0]?.fileName).toBe('secret.wav');
	});

	it('of json, with its content: it is uploaded', async () => {
		const upload = { data: recording.toString('base64'), mimeType: 'audio/wav', fileName: 'b.wav' };
		const { request } = await node.runOnce(
			{ ...speechToText, binaryPropertyName: '={{ $json.upload }}' },
			{ items: [{ json: { upload } }] },
		);
		expect(request.parts[0]?.body.equals(recording)).toBe(true);
	});

	it.each<[string, unknown]>([
		['a number as its id', { id: 17, mimeType: 'audio/wav' }],
		['an object as its id', { id: {}, mimeType: 'audio/wav' }],
		['no type', { id: 'filesystem-v2:a', mimeType: null }],
		['a number as its type', { id: 'filesystem-v2:a', mimeType: 5 }],
		['a number as its content', { data: 5, mimeType: 'audio/wav' }],
		['no content and no id', { mimeType: 'audio/wav' }],
		['nothing', {}],
		['a list', [{ id: 'filesystem-v2:a', mimeType: 'audio/wav' }]],
		['null', null],
		['a number', 17],
	])('but what it yields is none, and the error says so: it has %s', async (_what, value) => {
		const { message, description } = await node.runUnsent(
			{ ...speechToText, binaryPropertyName: '={{ $json.value }}' },
			{ items: [{ json: { value } as IDataObject }] },
		);
		const text = `${message} ${description}`;
		expect(text).toContain("'Input Data Field Name'");
		expect(text).not.toMatch(typeError);
		expect(text).not.toMatch(/may have been debited/i);
	});

	it.each(['filesystem-v2:nothing-there', 'no-such-mode:a', 'no id'])(
		'but the storage does not have it: %s',
		async (id) => {
			const { message, description } = await node.runUnsent(
				{ ...speechToText, binaryPropertyName: '={{ $json.value }}' },
				{ items: [{ json: { value: { id, mimeType: 'audio/wav' } } }] },
			);
			expect(message).not.toMatch(typeError);
			expect(description).toMatch(/nothing was debited/i);
		},
	);
});

describeCombined("the workflow setting binaryMode 'combined'", () => {
	it.each<[string, (file: IBinaryData) => object, object]>([
		['the only file', (file) => ({ _files: { Call: file } }), {}],
		['a field', (file) => ({ Call: file }), { binaryPropertyName: 'Call' }],
		['a path', (file) => ({ deep: [{ Call: file }] }), { binaryPropertyName: 'deep[0].Call' }],
	])('a file in json is uploaded: %s', async (_what, jsonOf, parameters) => {
		const items = [{ json: jsonOf(await stored()) as IDataObject }];
		const { request } = await node.runOnce(
			{ ...speechToText, ...parameters },
			{ items, settings: combined },
		);
		expect(request.parts[0]?.fileName).toBe('secret.wav');
	});

	it.each<[string, object]>([
		['a number as its id', { id: 17, mimeType: 'audio/wav' }],
		['no type', { id: 'filesystem-v2:a', mimeType: null }],
		['a number as its content', { data: 5, mimeType: 'audio/wav' }],
	])('a value that is no file gives a clear error: it has %s', async (_what, value) => {
		for (const binaryPropertyName of ['data', 'body.data']) {
			const json = (
				binaryPropertyName === 'data' ? { data: value } : { body: { data: value } }
			) as IDataObject;
			const { message, description } = await node.runUnsent(
				{ ...speechToText, binaryPropertyName },
				{ items: [{ json }], settings: combined },
			);
			const text = `${message} ${description}`;
			expect(text).toContain("'Input Data Field Name'");
			expect(text).not.toMatch(typeError);
		}
	});

	it.each<[string, object]>([
		['a number as its id', { id: 17, mimeType: 'audio/wav' }],
		['no type', { id: 'filesystem-v2:a', mimeType: null }],
	])('a value that is no file does not hide the real one: it has %s', async (_what, value) => {
		const json = { meta: value, _files: { Call: await stored() } } as unknown as IDataObject;
		const { request } = await node.runOnce(speechToText, {
			items: [{ json }],
			settings: combined,
		});
		expect(request.parts[0]?.fileName).toBe('secret.wav');
	});
});
