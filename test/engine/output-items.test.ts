/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { n8n } from '../support/n8n';
import {
	callWav,
	recording,
	speak,
	speechToText,
	undocumented,
	useNode,
	type Scene,
} from '../support/node';
import { bytes, json, sha256, type Answer } from '../support/recorder';
import { wav } from '../support/recordings';

const node = useNode();

const speech = wav(0.2);

const aWav = expect.objectContaining({ fileName: 'call.wav', mimeType: 'audio/wav' }) as object;

/** Answers with the language that was sent, the first item last. */
const slowestFirst: Answer = (request, response) => {
	const language = request.parts.find(({ name }) => name === 'language')?.body.toString() ?? '';
	setTimeout(
		() => {
			if (language === 'fail') response.writeHead(500);
			response.end(JSON.stringify(language === 'fail' ? { message: 'no luck' } : { language }));
		},
		language === 'first' ? 60 : 0,
	);
};

const byItem = { ...speechToText, language: '={{ $json.language }}' };

async function itemsWith(...languages: string[]): Promise<INodeExecutionData[]> {
	return await Promise.all(
		languages.map(
			async (language, id) => await node.engine.item({ id, language }, { data: callWav }),
		),
	);
}

describe('the fields of the item', () => {
	const input = { id: 7, text: 'mine', nested: { a: 1 } };

	it.each<[string, Answer, INodeParameters, object]>([
		['are gone by default', json({ text: 'theirs' }), speechToText, { text: 'theirs' }],
		[
			'stay with includeInputFields, those of the answer over them',
			json({ text: 'theirs', nested: { b: 2 } }),
			{ ...speechToText, options: { includeInputFields: true } },
			{ id: 7, text: 'theirs', nested: { b: 2 } },
		],
		[
			'stay beside a list',
			json([1]),
			{ ...undocumented, options: { includeInputFields: true } },
			{ ...input, data: [1] },
		],
		[
			'stay beside what is told of a file',
			bytes(speech, 'audio/wav'),
			{ ...speak, options: { includeInputFields: true } },
			{
				...input,
				fileName: 'speech.wav',
				mimeType: 'audio/wav',
				bytes: speech.length,
				voiceId: 'vc_1',
				characters: 5,
			},
		],
	])('%s', async (_what, answer, parameters, expected) => {
		node.service.answer = answer;
		const { items } = await node.runOnce(parameters, { json: input });
		expect(items.map((item) => item.json)).toEqual([expected]);
	});
});

describe('the files of the item', () => {
	it.each<[string, INodeParameters, Record<string, string>]>([
		['stay beside the result', speechToText, { data: 'call.wav', other: 'call.wav' }],
		[
			'are gone without keepInputFiles',
			{ ...speechToText, options: { keepInputFiles: false } },
			{},
		],
		['a new one wins its name', speak, { data: 'speech.wav', other: 'call.wav' }],
		[
			'a new one of another name stands beside',
			{ ...speak, outputPropertyName: 'spoken' },
			{ data: 'call.wav', other: 'call.wav', spoken: 'speech.wav' },
		],
		[
			'a new one stands alone without keepInputFiles',
			{ ...speak, outputPropertyName: 'spoken', options: { keepInputFiles: false } },
			{ spoken: 'speech.wav' },
		],
	])('%s', async (_what, parameters, expected) => {
		node.service.answer =
			parameters.operation === 'textToSpeech' ? bytes(speech, 'audio/wav') : json({});
		const { items } = await node.runOnce(parameters, { files: { data: callWav, other: callWav } });
		const binary = items[0]?.binary ?? {};
		expect(
			Object.fromEntries(Object.entries(binary).map(([name, file]) => [name, file.fileName])),
		).toEqual(expected);
		for (const file of Object.values(binary)) {
			const content = file.fileName === 'call.wav' ? recording : speech;
			expect(sha256(await node.engine.read(file))).toBe(sha256(content));
		}
	});

	it.each([
		['greeting', 'greeting.wav'],
		['greeting.wav', 'greeting.wav'],
		['greeting.WAVE', 'greeting.wave'],
		['greeting.mp3', 'greeting.wav'],
		['v1.2', 'v1.2.wav'],
		['../a\\b/"Grüße"?.wav', '_Grüße__.wav'],
		['={{ $json.name }}', 'Anna.wav'],
		['.wav', 'audio.wav'],
		['', 'speech.wav'],
	])('outputFileName %j names the new one %s', async (outputFileName, fileName) => {
		node.service.answer = bytes(speech, 'audio/wav');
		const parameters = { ...speak, options: { outputFileName } };
		const { items } = await node.runOnce(parameters, { json: { name: 'Anna' } });
		expect(items[0]?.json.fileName).toBe(fileName);
		expect(items[0]?.binary?.data?.fileName).toBe(fileName);
	});

	it('outputFileName names the audio of an undocumented operation too', async () => {
		node.service.answer = bytes(speech, 'audio/wav');
		const parameters = { ...undocumented, options: { outputFileName: 'beep' } };
		expect((await node.runOnce(parameters)).items[0]?.json.fileName).toBe('beep.wav');
	});
});

describe('several items', () => {
	it.each<[what: string, other: string, settings: Partial<INode>]>([
		['that are sent', 'second', {}],
		['of which one fails', 'fail', { onError: 'continueRegularOutput' }],
	])('%s stay as they came, for whoever uses them too', async (_what, other, settings) => {
		node.service.answer = slowestFirst;
		const items = await itemsWith('first', other);
		const before = structuredClone(items);
		const parameters = { ...byItem, options: { includeInputFields: true } };
		const output = await node.run(parameters, { items, node: settings });
		expect(output.items).toHaveLength(2);
		expect(items).toEqual(before);
	});

	it('come out in their order, each paired with its own, whichever answer comes first', async () => {
		node.service.answer = slowestFirst;
		const languages = ['first', 'second', 'third', 'fourth'];
		const { items } = await node.run(byItem, { items: await itemsWith(...languages) });
		expect(items).toEqual(
			languages.map((language, item) => ({
				json: { language },
				binary: { data: aWav },
				pairedItem: { item },
			})),
		);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'stay paired where one fails, with %s',
		async (onError) => {
			node.service.answer = slowestFirst;
			const { items, errorItems, error } = await node.run(byItem, {
				items: await itemsWith('first', 'fail', 'third'),
				node: { onError },
			});
			expect(error).toBeUndefined();
			const done = (language: string, item: number) => ({
				json: { language },
				binary: { data: aWav },
				pairedItem: { item },
			});
			const failed = {
				json: {
					id: 1,
					language: 'fail',
					error: {
						message: 'The service failed (500): no luck',
						description: expect.stringMatching(/^Try again later\. The call may have been debited/),
					},
				},
				binary: { data: aWav },
				pairedItem: { item: 1 },
			};
			const regular = onError === 'continueRegularOutput';
			expect(items).toEqual([done('first', 0), ...(regular ? [failed] : []), done('third', 2)]);
			expect(errorItems).toEqual(regular ? [] : [failed]);
		},
	);
});

const combined: Array<[string, Scene['settings']]> = [
	['files in json (binaryMode combined)', { binaryMode: 'combined' }],
];

describe.each<[string, Scene['settings']]>([
	['files in binary', {}],
	...(n8n.combined ? combined : []),
])('a failed item, %s', (_what, settings) => {
	const isCombined = settings?.binaryMode === 'combined';

	async function fail(onError: 'continueRegularOutput' | 'continueErrorOutput', options = {}) {
		node.service.answer = json({ message: 'no luck' }, 500);
		const item = await node.engine.item({ id: 7, error: 'mine' }, { data: callWav });
		const { binary, json: fields } = item;
		return await node.run(
			{ ...speechToText, options },
			{
				items: [isCombined ? { json: { ...fields, _files: binary as never } } : item],
				settings,
				node: { onError },
			},
		);
	}

	const error = {
		message: 'The service failed (500): no luck',
		description: expect.stringContaining('may have been debited') as string,
	};
	const withFile = {
		json: { id: 7, error, ...(isCombined ? { _files: { data: aWav } } : {}) },
		...(isCombined ? {} : { binary: { data: aWav } }),
		pairedItem: { item: 0 },
	};

	it('keeps its fields and files on the regular output', async () => {
		const { items, errorItems } = await fail('continueRegularOutput');
		expect(items).toEqual([withFile]);
		expect(errorItems).toEqual([]);
	});

	it('keeps them on the error output, and is on no other', async () => {
		const { items, errorItems } = await fail('continueErrorOutput');
		expect(items).toEqual([]);
		expect(errorItems).toEqual([withFile]);
	});

	it('keeps its files without keepInputFiles too', async () => {
		const { items } = await fail('continueRegularOutput', { keepInputFiles: false });
		expect(items).toEqual([withFile]);
	});
});

describe('a failure that sent nothing', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'is an item too, with %s, and the others are sent',
		async (onError) => {
			node.service.answer = json({ text: 'a' });
			const { items, errorItems } = await node.run(speechToText, {
				items: [{ json: { id: 0 } }, ...(await itemsWith('en'))],
				node: { onError },
			});
			const failed = {
				json: {
					id: 0,
					error: { message: 'The item has no file', description: expect.any(String) },
				},
				pairedItem: { item: 0 },
			};
			const done = { json: { text: 'a' }, binary: { data: aWav }, pairedItem: { item: 1 } };
			const regular = onError === 'continueRegularOutput';
			expect(items).toEqual(regular ? [failed, done] : [done]);
			expect(errorItems).toEqual(regular ? [] : [failed]);
			expect(node.service.requests).toHaveLength(1);
		},
	);

	it('stops all without continue, with the item it is about', async () => {
		const items = [...(await itemsWith('en')), { json: { id: 0 } }];
		const { error, items: out } = await node.run(speechToText, { items });
		expect(out).toEqual([]);
		expect(error).toMatchObject({ message: 'The item has no file', context: { itemIndex: 1 } });
		expect(node.service.arrived).toBe(0);
	});
});
