import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { n8n } from '../support/n8n.mts';
import { callWav, recording, useNode, type TestFile } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { unsent } from '../support/outcome.mts';
import { computeSha256, respondWithJson } from '../support/servers/scriptedServer.mts';
import { expectParts, createFilePart } from '../support/expectRequest.mts';

const node = useNode();

const settings = { binaryMode: 'combined' } as const;

function createAudioFile(fileName: string, mimeType = 'audio/wav'): TestFile {
	return { bytes: recording, fileName, mimeType };
}

const pdf = { bytes: Buffer.from('%PDF-1.7'), fileName: 'offer.pdf', mimeType: 'application/pdf' };

const createParameters = (binaryPropertyName: string) => ({
	...speechToTextParameters,
	binaryPropertyName,
});

/** A file that belongs to another execution. */
async function storeForeignFile(): Promise<IBinaryData> {
	const bytes = Buffer.concat([recording, Buffer.from('of somebody else')]);
	return await node.engine.storeFile({ ...callWav, bytes, fileName: 'secret.wav' });
}

const typeError = /TypeError|is not a function|cannot read|undefined|not iterable|must be of type/i;

describe("'Input Data Field Name'", () => {
	const two = { data: createAudioFile('no.wav'), Call: createAudioFile('a.wav') };

	it.each<{ what: string; files: Record<string, TestFile>; name?: string }>([
		{ what: "a form's only file", files: { Audio_File: createAudioFile('a.wav') } },
		{ what: 'a field by an expression', files: two, name: '={{ Object.keys($binary)[1] }}' },
		{ what: 'a file of an earlier step', files: two, name: "={{ $('Start').item.binary.Call }}" },
	])('takes $what', async ({ files, name = 'data' }) => {
		const { request } = await node.runOnce(createParameters(name), { files });
		expectParts(request, [createFilePart('file', 'a.wav', 'audio/wav', recording)]);
	});

	it('lists the fields if none has the name', async () => {
		const files = { Audio_0: createAudioFile('a.wav'), Audio_1: createAudioFile('b.wav') };
		// test/versions follows this advice in n8n.
		expect(await node.runUnsent(createParameters('Audio'), { files })).toEqual({
			message: "The item has no file in the field 'Audio'",
			description: `Set 'Input Data Field Name' to one of the item's fields with a file: 'Audio_0', 'Audio_1'. To use each file, add a Split Out node before this one, set its 'Fields To Split Out' to '$binary', and set 'Input Data Field Name' to 'data'. To see which file a result belongs to, turn on the option 'Include Input Fields'. ${unsent}`,
		});
	});

	it('names the first step for an item without files', async () => {
		const setup = { files: {}, firstStep: 'Upload Form' };
		const { message, description } = await node.runUnsent(speechToTextParameters, setup);
		expect(message).toBe('The item has no file');
		expect(description).toContain("such as {{ $('Upload Form').item.binary.data }}");
	});

	it('takes a file whose content is in the item, with null for a name', async () => {
		const data = recording.toString('base64');
		const file = { data, mimeType: 'audio/wav', fileName: null, id: '' };
		const { request } = await node.runOnce(speechToTextParameters, {
			items: [{ json: {}, binary: { data: file as never } }],
		});
		expectParts(request, [createFilePart('file', 'recording.wav', 'audio/wav', recording)]);
	});
});

describe('audio as a data address in base64', () => {
	const base64 = recording.toString('base64');
	const address = `data:audio/wav;base64,${base64}`;
	const sent = createFilePart('file', 'voice.wav', 'audio/wav', recording);

	it.each<{ what: string; data: string }>([
		{ what: 'parameters', data: `data:audio/wav; codecs=1;name=a.wav;base64,${base64}` },
		{ what: 'line breaks', data: address.replace(/.{76}/g, '$&\r\n') },
		{
			what: 'the alphabet of URLs',
			data: address.replaceAll('+', '-').replace(/\//g, '_').replace('_', '/'),
		},
	])('is decoded in a file of the item and in a stored text, with $what', async ({ data }) => {
		const inItem = { data, mimeType: 'application/octet-stream', fileName: 'voice' };
		const { request } = await node.runOnce(speechToTextParameters, {
			items: [{ json: {}, binary: { data: inItem } }],
		});
		expectParts(request, [sent]);
		node.service.reset(respondWithJson({ ok: true }));
		const stored = { bytes: Buffer.from(data), fileName: 'voice', mimeType: 'text/plain' };
		const second = await node.runOnce(speechToTextParameters, { files: { data: stored } });
		expectParts(second.request, [sent]);
	});

	// n8n's node Convert to File decodes the prefix too, and loses up to eight bits at the end.
	it.each(['audio/vnd.wave', ''])(
		'is decoded if its prefix for "%s" was decoded with it',
		async (mimeType) => {
			for (const missing of [0, 1, 2]) {
				node.service.reset(respondWithJson({ ok: true }));
				const bytes = recording.subarray(0, recording.length - missing);
				const text = `data:${mimeType};base64,${bytes.toString('base64')}`;
				const stored = {
					bytes: Buffer.from(text, 'base64'),
					fileName: 'voice',
					mimeType: 'application/octet-stream',
				};
				const { request } = await node.runOnce(speechToTextParameters, { files: { data: stored } });
				const [part] = request.parts;
				expect(part?.fileName).toBe('voice.wav');
				const certain = bytes.length - 1;
				expect(part?.body.subarray(0, certain)).toEqual(bytes.subarray(0, certain));
				expect(part?.body.length).toBeLessThanOrEqual(bytes.length);
			}
		},
	);

	it('is rejected if the decoding ended at a parameter of its prefix', async () => {
		const bytes = Buffer.from(`data:audio/webm;codecs=opus;base64,${base64}`, 'base64');
		const stored = { bytes, fileName: 'file', mimeType: 'application/octet-stream' };
		const { message, description } = await node.runUnsent(speechToTextParameters, {
			files: { data: stored },
		});
		expect(message).toBe(
			"The file 'file' is not audio: its content is the start of a data address",
		);
		expect(description).toContain("{{ $json.audio.split(',').pop() }}");
	});
});

describe('a value in json that looks like a file, in the default binary mode', () => {
	it.each(['body.file', '={{ $json.n }}'])(
		'is not uploaded by its id or its content: %s',
		async (name) => {
			const { id } = await storeForeignFile();
			for (const value of [{ id }, { data: recording.toString('base64'), fileName: 'a.wav' }]) {
				const file = { ...value, mimeType: 'audio/wav' };
				const json = { n: 'data', data: file, body: { file } } as unknown as IDataObject;
				const { message } = await node.runUnsent(createParameters(name), { items: [{ json }] });
				expect(message).toMatch(/no file/i);
			}
		},
	);

	it('does not displace the real file of the item', async () => {
		const { binary } = await node.engine.createItemWithFiles({}, { Audio_File: callWav });
		const json = { _files: { data: { id: (await storeForeignFile()).id, mimeType: 'audio/wav' } } };
		const options = { includeInputFields: true, keepInputFiles: true };
		const item = { json, binary } as unknown as INodeExecutionData;
		const output = await node.runOnce({ ...speechToTextParameters, options }, { items: [item] });
		expectParts(output.request, [createFilePart('file', 'call.wav', 'audio/wav', recording)]);
		expect(output.items[0]?.json).toEqual({ fileName: 'call.wav', ...json, ok: true });
		expect(Object.keys(output.items[0]?.binary ?? {})).toEqual(['Audio_File']);
	});
});

describe("if 'Input Data Field Name' yields a value of json", () => {
	it.each([
		{ mode: 'separate', setup: {} },
		{ mode: 'combined', setup: { settings } },
	])('uploads a file in the $mode binary mode', async ({ setup }) => {
		const json = {
			body: { upload: { ...(await storeForeignFile()) } },
		} as unknown as IDataObject;
		const parameters = createParameters('={{ $json.body.upload }}');
		const { request } = await node.runOnce(parameters, { items: [{ json }], ...setup });
		expect(request.parts[0]?.fileName).toBe('secret.wav');
	});

	it.each<{ what: string; value: unknown }>([
		{ what: 'a number as its id', value: { id: 17, mimeType: 'audio/wav' } },
		{ what: 'null', value: null },
	])('rejects what is not a file, and says so: it has $what', async ({ value }) => {
		const items = [{ json: { value, body: { value } } as IDataObject }];
		const ways = [
			['={{ $json.value }}', {}],
			['value', { settings }],
			['body.value', { settings }],
		] as const;
		for (const [name, setup] of n8n.hasCombinedBinaryMode ? ways : ways.slice(0, 1)) {
			const { message, description } = await node.runUnsent(createParameters(name), {
				items,
				...setup,
			});
			const text = `${message} ${description}`;
			expect(text).toContain("'Input Data Field Name'");
			expect(text).not.toMatch(typeError);
			expect(text).not.toMatch(/may have been debited/i);
		}
	});

	it('rejects a file that is not stored', async () => {
		const value = { id: 'filesystem-v2:nothing-there', mimeType: 'audio/wav' };
		const parameters = createParameters('={{ $json.value }}');
		const { message, description } = await node.runUnsent(parameters, {
			items: [{ json: { value } }],
		});
		expect(message).toBe('The audio could not be read');
		// The message of n8n, or that of older versions of n8n.
		expect(description).toMatch(
			/^Check that the file, or the server it comes from, is still available \((File not found|ENOENT: no such file or directory)\)\. This item was not sent/,
		);
	});
});

function defineCombinedTests(): void {
	async function createCombinedItems(
		files: Record<string, TestFile>,
	): Promise<INodeExecutionData[]> {
		const { binary } = await node.engine.createItemWithFiles({}, files);
		return [{ json: { id: 7, _files: binary as never } }];
	}

	it.each<{ what: string; name: string }>([
		{ what: 'the only audio file', name: 'data' },
		{ what: 'a file by its path', name: '_files.Call' },
	])("uploads $what if 'Input Data Field Name' is '$name'", async ({ name }) => {
		const items = await createCombinedItems({ Offer: pdf, Call: createAudioFile('a.wav') });
		const parameters = { ...createParameters(name), options: { keepInputFiles: true } };
		const output = await node.runOnce(parameters, { items, settings });
		expectParts(output.request, [createFilePart('file', 'a.wav', 'audio/wav', recording)]);
		// n8n itself moves the files of an item into its json.
		const { _files: files, ...json } = output.items[0]?.json ?? {};
		expect(json).toEqual({ ok: true });
		expect(Object.keys(files as object)).toEqual(['Offer', 'Call']);
		const kept = (files as unknown as Record<string, IBinaryData>).Call;
		expect(computeSha256(await node.engine.readFile(kept))).toBe(computeSha256(recording));
	});

	it('uploads a file at a path in json', async () => {
		const json = { deep: [{ Call: await storeForeignFile() }] } as unknown as IDataObject;
		const parameters = createParameters('deep[0].Call');
		const { request } = await node.runOnce(parameters, { items: [{ json }], settings });
		expect(request.parts[0]?.fileName).toBe('secret.wav');
	});

	it('takes no field of json for the default file, even if it looks like one', async () => {
		const { binary } = await node.engine.createItemWithFiles({}, { data: callWav });
		const items = [{ json: { attachment: binary?.data } } as unknown as INodeExecutionData];
		const { message } = await node.runUnsent(speechToTextParameters, {
			items,
			settings,
		});
		expect(message).toBe('The item has no file');
	});
}

/** As a workflow of a newer n8n is imported, for example. */
function defineUnknownSettingTests(): void {
	it("takes the item's file if n8n does not know the setting", async () => {
		const files = { Call: createAudioFile('a.wav') };
		const { request } = await node.runOnce(createParameters('Call'), { files, settings });
		expectParts(request, [createFilePart('file', 'a.wav', 'audio/wav', recording)]);
	});
}

describe(
	"the node with the workflow setting binaryMode 'combined'",
	n8n.hasCombinedBinaryMode ? defineCombinedTests : defineUnknownSettingTests,
);
