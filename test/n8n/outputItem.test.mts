import {
	type IBinaryData,
	type IDataObject,
	type INode,
	type NodeError,
	UserError,
} from 'n8n-workflow';

import { createFailure } from '../../nodes/VoiceSpeech/call/item.ts';
import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { CallError } from '../../nodes/VoiceSpeech/errors/bases.ts';
import type { InputItem } from '../../nodes/VoiceSpeech/n8n/inputFiles.ts';
import { createNodeError } from '../../nodes/VoiceSpeech/n8n/nodeError.ts';
import { createFailedItem, createResultItem } from '../../nodes/VoiceSpeech/n8n/outputItem.ts';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText.ts';
import { notSentRecord, type CallResult } from '../../nodes/VoiceSpeech/run/runState.ts';
import { stubNode } from '../support/stubNode.mts';

function createFile(id: string): IBinaryData {
	return { id, data: 'filesystem', mimeType: 'audio/wav' };
}

const input: InputItem = {
	json: { a: 1, text: 'old', error: 'of an earlier step' },
	binary: { recording: createFile('1'), data: createFile('2') },
	index: 4,
	hasFilesInJson: false,
	isTool: false,
	earlierStep: undefined,
};

// test/engine/outputItems.test.mts tests this in n8n.
describe('the output item of a call that succeeded', () => {
	const json = { text: 'hello', language: 'en' };
	const files = { data: createFile('new') };

	function createResult(options: object, change: Partial<CallResult['output']> = {}) {
		const output = { json, sampleWarnings: [], responseInfo: undefined, ...change };
		return createResultItem(input, {
			output,
			options: readOptions(options, speechToText.endpoint),
		});
	}

	it('has the response only, paired with its input', () => {
		expect(createResult({})).toEqual({ json, pairedItem: { item: 4 } });
		expect(createResult({}, { files })).toEqual({
			json,
			binary: files,
			pairedItem: { item: 4 },
		});
	});

	it('has the input fields too if they are included, and the response replaces them', () => {
		expect(createResult({ includeInputFields: true }).json).toEqual({ a: 1, ...json });
	});

	it('has the input files too if they are kept, after the new file, which replaces them', () => {
		expect(createResult({ keepInputFiles: true }).binary).toEqual(input.binary);
		const { binary = {} } = createResult({ keepInputFiles: true }, { files });
		expect(Object.entries(binary)).toEqual([
			['data', createFile('new')],
			['recording', createFile('1')],
		]);
	});

	it.each([
		{ output: { text: 'hello', language: 'en' }, shown: { text: 'hello' } },
		{ output: { text: '' }, shown: { text: '' } },
		{ output: { language: 'en' }, shown: { language: 'en' } },
		{ output: { text: ['hello'] }, shown: { text: ['hello'] } },
	])('has $shown for $output with Text Only, which hides nothing without a text', (row) => {
		expect(createResult({ textOnly: true }, { json: row.output }).json).toEqual(row.shown);
	});

	it('has status and headers in `response`', () => {
		const responseInfo = { status: 200, headers: {} };
		expect(createResult({}, { responseInfo }).json).toEqual({
			...json,
			response: responseInfo,
		});
	});

	it.each(['yes', null])('keeps %j in `response` if the service returns that', (response) => {
		const responseInfo = { status: 200, headers: {} };
		expect(createResult({}, { json: { response }, responseInfo }).json).toEqual({ response });
	});

	it('has the findings about a voice sample first, unless the service returns such a field', () => {
		const sampleWarnings = ['It lasts 1 second; about 10 are recommended.'];
		const { json: added } = createResult({}, { sampleWarnings });
		expect(Object.entries(added)).toEqual(Object.entries({ sampleWarnings, ...json }));
		const own = { sampleWarnings: 'own' };
		expect(createResult({}, { json: own, sampleWarnings }).json).toEqual(own);
	});

	it('has no binary without files', () => {
		const options = readOptions({ keepInputFiles: true }, speechToText.endpoint);
		const output = { json, sampleWarnings: [], responseInfo: undefined };
		const item = createResultItem({ ...input, binary: undefined }, { output, options });
		expect(item).toEqual({ json, pairedItem: { item: 4 } });
	});
});

describe('the output item of an item that failed', () => {
	/** The error of an item whose call was refused (402), or that was not sent. */
	async function createError(debit: 'refused' | 'notSent'): Promise<NodeError> {
		const error =
			debit === 'refused'
				? new CallError('A', 'Do this.', { debit, status: 402 })
				: new UserError('A');
		const details = { debitRecord: { ...notSentRecord, debit }, isOnlyItem: true };
		return await createNodeError(stubNode, createFailure(4, error), details);
	}

	const error = {
		message: 'A',
		description:
			'Do this. The call was refused. Whether refused calls cost credits is not documented.',
		httpCode: '402',
		debit: 'refused',
	};

	it('has the error before the input fields and files', async () => {
		const refused = await createError('refused');
		const item = createFailedItem(
			{ ...stubNode, onError: 'continueRegularOutput' },
			input,
			refused,
			'refused',
		);
		expect(item).toEqual({
			json: { error, a: 1, text: 'old' },
			binary: input.binary,
			pairedItem: { item: 4 },
		});
		expect(Object.keys(item.json)[0]).toBe('error');
	});

	it('has only the error for the error output, where n8n adds the input fields', async () => {
		const refused = await createError('refused');
		const toErrorOutput: INode = { ...stubNode, onError: 'continueErrorOutput' };
		expect(createFailedItem(toErrorOutput, input, refused, 'refused')).toEqual({
			json: { error },
			binary: input.binary,
			pairedItem: { item: 4 },
		});
	});

	it('has no files of the json for the error output, because n8n would take them for fields', async () => {
		const refused = await createError('refused');
		const combined: InputItem = {
			json: { a: 1, _files: { data: createFile('1') } as unknown as IDataObject },
			binary: undefined,
			index: 4,
			hasFilesInJson: true,
			isTool: false,
			earlierStep: undefined,
		};
		const { binary } = createFailedItem(
			{ ...stubNode, onError: 'continueErrorOutput' },
			combined,
			refused,
			'refused',
		);
		expect(binary).toBeUndefined();
		const regular: INode = { ...stubNode, onError: 'continueRegularOutput' };
		expect(createFailedItem(regular, combined, refused, 'refused')).toMatchObject({
			json: { error, a: 1 },
			binary: { data: createFile('1') },
		});
	});

	it('has no status if the service did not respond', async () => {
		const unsent = await createError('notSent');
		expect(createFailedItem(stubNode, input, unsent, 'notSent').json.error).toEqual({
			message: 'A',
			description: 'This item was not sent, so it was not debited.',
			debit: 'notSent',
		});
	});
});
