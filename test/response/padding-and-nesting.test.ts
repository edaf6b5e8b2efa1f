import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { speechToText, undocumented, useNode } from '../support/node';
import { bytes } from '../support/scriptedServer';
import { secretKey, piecesIn } from '../support/secret';

const node = useNode();

/** Some proxies and services send white space while they work, to keep the connection alive. */
const padding = ' \n\t\r'.repeat(17_500);
const padded = `${padding}{"text":"hello"}`;
const inUtf16 = Buffer.from('\n {"text":"hello"}', 'utf16le');

describe.each<{ operation: string; parameters: INodeParameters }>([
	{ operation: 'speech to text', parameters: speechToText },
	{ operation: 'an undocumented operation', parameters: undocumented },
])('$operation', ({ operation, parameters }) => {
	it.each<{ what: string; body: Buffer | string; type: string | undefined }>([
		{ what: '70 kB of white space', body: padded, type: 'application/json' },
		{ what: '70 kB of white space, declared as text', body: padded, type: 'text/plain' },
		{ what: '70 kB of white space, not declared', body: padded, type: undefined },
		{
			what: 'a byte order mark and white space',
			body: `\ufeff${padded}`,
			type: 'application/json',
		},
		{ what: 'white space in UTF-16', body: inUtf16, type: 'application/json; charset=utf-16le' },
	])(`reads JSON behind $what as ${operation}`, async ({ body, type }) => {
		node.service.answer = bytes(body, type);
		const { items } = await node.runOnce(parameters);
		expect(items[0]?.json).toEqual({ text: 'hello' });
	});

	it(`reads an error behind 4 kB of white space as the reason of a refusal by ${operation}`, async () => {
		const body = `${padding.slice(0, 4096)}{"message":"Too short."}`;
		node.service.answer = bytes(body, 'application/json', 422);
		const { error } = await node.run(parameters);
		expect(error?.message).toContain('Too short.');
	});

	it.each([
		{ what: 'lists', open: '[', close: ']', count: 20_000 },
		{ what: 'objects', open: '{"a":', close: '}', count: 20_000 },
		{ what: 'lists in objects', open: '[{"a":', close: '}]', count: 10_000 },
	])(
		`reads JSON that nests $what 20,000 levels deep as ${operation}`,
		async ({ open, close, count }) => {
			const deep = `${open.repeat(count)}"${secretKey}"${close.repeat(count)}`;
			node.service.answer = bytes(`{"text":"hello","deep":${deep}}`, 'application/json');
			const output = await node.run(parameters, { credential: { apiKey: secretKey } });
			expect(output.error?.message).toBeUndefined();
			const { text, deep: value } = output.items[0]?.json ?? {};
			expect(text).toBe('hello');
			// Not recursive: the stack is what deep values overflow.
			let [depth, leaf]: [number, unknown] = [0, value];
			for (; typeof leaf === 'object' && leaf !== null; depth++)
				leaf = Array.isArray(leaf) ? leaf[0] : (leaf as IDataObject).a;
			expect(depth).toBe(20_000);
			// The key is masked at any depth.
			expect(typeof leaf).toBe('string');
			expect(piecesIn(String(leaf))).toEqual([]);
		},
	);
});
