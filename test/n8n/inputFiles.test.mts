import type { IBinaryData, IDataObject } from 'n8n-workflow';

import {
	readFields,
	readFiles,
	chooseInputFile,
	type InputItem,
} from '../../nodes/VoiceSpeech/n8n/inputFiles.ts';
import { catchError } from '../support/catchError.mts';

function createFile(mimeType = 'audio/wav', change: Partial<IBinaryData> = {}): IBinaryData {
	return { id: 'filesystem:1', data: 'filesystem', mimeType, fileName: 'call.wav', ...change };
}

const stored = createFile();

type Files = Record<string, IBinaryData>;

function createItem(change: Partial<InputItem>): InputItem {
	return {
		json: {},
		binary: undefined,
		index: 0,
		hasFilesInJson: false,
		isTool: false,
		earlierStep: undefined,
		...change,
	};
}

/** Files that n8n keeps in json if the workflow setting 'binaryMode' is 'combined'. */
function createCombinedItem(files: Record<string, unknown>, json: IDataObject = {}): InputItem {
	return createItem({ json: { ...json, _files: files as IDataObject }, hasFilesInJson: true });
}

const throwNotThere = () => {
	throw new Error('not there');
};

describe('the files of an item', () => {
	it('are found in binary', () => {
		expect(readFiles(createItem({ binary: { data: stored } }))).toEqual({ data: stored });
		expect(readFiles(createItem({}))).toEqual({});
	});

	it('are found in json only if n8n keeps them there, without what is not a file', () => {
		const inStorage = { mimeType: 'audio/wav', id: 'filesystem:1' };
		const inMemory = { mimeType: 'audio/wav', data: 'UklGRg==' };
		const withoutType = { id: 'filesystem:1', data: 'UklGRg==' };
		const files = {
			inStorage,
			inMemory,
			note: 'x',
			list: [1],
			nothing: null,
			withoutContent: { mimeType: 'audio/wav' },
			withoutType,
		};
		const item = createCombinedItem(files, { attachment: inStorage });
		expect(readFiles(item)).toEqual({ inStorage, inMemory, withoutType });
		expect(readFiles({ ...item, hasFilesInJson: false })).toEqual({});
	});

	it.each([undefined, null, 'text', 7])('are not found if n8n keeps %p in their place', (files) => {
		const json = { _files: files } as IDataObject;
		expect(readFiles(createItem({ json, hasFilesInJson: true }))).toEqual({});
	});
});

describe('the fields of an item', () => {
	it('are output without the error of an earlier step, in a copy', () => {
		const json = { a: 1, error: 'no', _files: {} };
		expect(readFields(createItem({ json }))).toEqual({ a: 1, _files: {} });
		expect(json).toEqual({ a: 1, error: 'no', _files: {} });
	});

	it('are output without the files if n8n keeps these in json', () => {
		expect(readFields(createCombinedItem({ a: stored }, { b: 2 }))).toEqual({ b: 2 });
	});
});

// test/engine/inputFiles.test.mts tests this in n8n.
describe('the file that is sent', () => {
	const call = createFile('audio/wav', { id: '1' });
	const memo = createFile('AUDIO/mpeg', { id: '2' });
	const offer = createFile('application/pdf', { id: '3' });
	const film = createFile('Video/webm', { id: '4' });

	const choose = (files: Files, parameter: unknown) =>
		chooseInputFile(createItem({ binary: files }), parameter, throwNotThere);

	it.each<[what: string, chosen: IBinaryData, files: Files, parameter?: unknown]>([
		['has the name', call, { data: memo, Call: call }, 'Call'],
		['has the name, with white space', call, { Memo: memo, Call: call }, ' Call\n'],
		['is data, next to others', call, { Memo: memo, data: call }],
		['is the only one, of any type', offer, { Offer: offer }],
		['is the only audio, in any case of its type', memo, { Offer: offer, Memo: memo }],
		['is audio, next to a video', call, { Film: film, Call: call }],
		['is the only video, without an audio', film, { Offer: offer, Film: film }],
		['is what an expression yields', call, { data: memo }, call],
	])('is the one that %s', (_, chosen, files, parameter = 'data') => {
		expect(choose(files, parameter)).toBe(chosen);
	});

	it('is the one at a path into the json only if n8n keeps files there', () => {
		const paths: string[] = [];
		const find = (path: string) => {
			paths.push(path);
			return call;
		};
		const json = { attachments: [call as unknown as IDataObject] };
		const item = createItem({ json, hasFilesInJson: true });
		expect(chooseInputFile(item, 'attachments[0]', find)).toBe(call);
		expect(paths).toEqual(['attachments[0]']);
		const ordinary = createItem({ json });
		expect(() => chooseInputFile(ordinary, 'attachments[0]', find)).toThrow('has no file');
	});

	it.each([
		{ what: 'something else at the path', find: () => 'text' },
		{ what: 'null at the path', find: () => null },
		{ what: 'an error of n8n', find: throwNotThere },
	])('is missing if n8n finds $what', ({ find }) => {
		expect(() => chooseInputFile(createCombinedItem({}), 'a.b', find)).toThrow(
			'The item has no file',
		);
	});

	it.each<[what: string, files: Files, parameter: unknown]>([
		['several audio files and a video', { Call: call, Memo: memo, Film: film }, 'data'],
		['several videos', { a: film, b: film, c: offer }, 'data'],
		['several files, none of them audio', { a: offer, b: offer }, 'data'],
		['another name', { data: call }, 'Call'],
		['a name that every object has', { data: call }, 'constructor'],
	])('is missing for %s, and the error lists the fields', (_, files, parameter) => {
		const names = Object.keys(files).map((name) => `'${name}'`);
		expect(catchError(() => choose(files, parameter))).toMatchObject({
			message: expect.stringContaining('The item has no file in the field') as string,
			description: expect.stringContaining(`fields with a file: ${names.join(', ')}.`) as string,
		});
	});

	it.each([
		{ object: { a: 1 }, field: 'data' },
		{ object: { id: 17, mimeType: 'audio/wav' }, field: 'data' },
		// An earlier version looked for a field with this name.
		{ object: { a: 1 }, field: 'an object' },
	])('is missing for %j, which is not a file', ({ object, field }) => {
		expect(catchError(() => choose({ [field]: call }, object))).toMatchObject({
			message: "'Input Data Field Name' is an object that is not a file",
			description: `An expression finds files below 'binary', not below 'json'. Set 'Input Data Field Name' to one of the item's fields with a file: '${field}'.`,
		});
	});

	it.each([
		{ what: 'an earlier step', earlierStep: 'Upload', named: 'Upload' },
		{ what: 'an example of an earlier step', earlierStep: undefined, named: 'Form' },
	])('is missing in an item without files, and the error names $what', ({ earlierStep, named }) => {
		const item = createItem({ earlierStep });
		for (const parameter of ['data', { toString: 1 }]) {
			expect(catchError(() => chooseInputFile(item, parameter, throwNotThere))).toMatchObject({
				message: 'The item has no file',
				description: `The previous step outputs no file, or it was empty: forms drop files of 0 bytes. Add the step that downloads the file, or set 'Input Data Field Name' to the file of an earlier step, such as {{ $('${named}').item.binary.data }}. https://github.com/n8n-nodes-voice-speech/n8n-nodes-voice-speech/blob/main/docs/troubleshooting.md#the-item-has-no-file`,
			});
		}
	});

	it('is missing in a tool, which gets no files', () => {
		const item = createItem({ isTool: true });
		expect(catchError(() => chooseInputFile(item, 'data', throwNotThere)).description).toBe(
			"An agent passes no files to its tools: set 'Audio Source' to 'URL'.",
		);
	});

	it.each([
		{ what: 'an empty text', value: '' },
		{ what: 'no value', value: undefined },
	])('is missing if an expression returns $what, and the error says so', ({ value }) => {
		const { description } = catchError(() => choose({ data1: call, data2: memo }, value));
		expect(description).toContain('returns nothing');
	});

	it('is missing among several, which the error advises to split in the way that n8n keeps them', () => {
		const files = { a: call, b: memo };
		const advise = (item: InputItem, parameter: string) =>
			catchError(() => chooseInputFile(item, parameter, throwNotThere)).description;
		const ordinary = createItem({ binary: files });
		const combined = createCombinedItem(files);
		expect(advise(ordinary, 'data')).toMatch(
			/set its 'Fields To Split Out' to '\$binary', and leave 'Input Data Field Name' at 'data'.*turn on the option 'Include Input Fields'\.$/,
		);
		expect(advise(ordinary, 'c')).toContain("and set 'Input Data Field Name' to 'data'");
		expect(advise(combined, 'data')).toContain(
			"'Fields To Split Out' to '_files' and its 'Destination Field Name' to 'data', and leave",
		);
	});
});
