import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { speechToText, undocumented, useNode } from '../support/node';
import { bytes } from '../support/scriptedServer';
import { secretKey, piecesIn } from '../support/secret';

const node = useNode();

/** Some proxies and services send white space while they work, to keep the connection alive. */
const padding = ' \n\t\r'.repeat(17_500);
const padded = `${padding}{"text":"hello"}`;
const inUtf16 = Buffer.from('\n {"text":"hello"}', 'utf16le');

describe.each<[string, INodeParameters]>([
	['speech to text', speechToText],
	['an undocumented operation', undocumented],
])('%s', (_operation, parameters) => {
	it.each<[string, Buffer | string, type: string | undefined]>([
		['70 kB of white space', padded, 'application/json'],
		['70 kB of white space, declared as text', padded, 'text/plain'],
		['70 kB of white space, not declared', padded, undefined],
		['a byte order mark and white space', `\ufeff${padded}`, 'application/json'],
		['white space in UTF-16', inUtf16, 'application/json; charset=utf-16le'],
	])('JSON behind %s is read', async (_what, body, type) => {
		node.service.answer = bytes(body, type);
		const { items } = await node.runOnce(parameters);
		expect(items[0]?.json).toEqual({ text: 'hello' });
	});

	it('an error behind 4 kB of white space is read as the reason of a refusal', async () => {
		const body = `${padding.slice(0, 4096)}{"message":"Too short."}`;
		node.service.answer = bytes(body, 'application/json', 422);
		const { error } = await node.run(parameters);
		expect(error?.message).toContain('Too short.');
	});

	it.each([
		['lists', '[', ']', 20_000],
		['objects', '{"a":', '}', 20_000],
		['lists in objects', '[{"a":', '}]', 10_000],
	])('JSON that nests %s 20,000 levels deep is read', async (_what, open, close, count) => {
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
	});
});
