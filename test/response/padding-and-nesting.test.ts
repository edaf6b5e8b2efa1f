import { sleep, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { speechToText, undocumented, useNode } from '../support/node';
import { bytes } from '../support/scriptedServer';
import { secretKey, piecesIn } from '../support/secret';

const node = useNode();

const operations: Array<[string, INodeParameters]> = [
	['speech to text', speechToText],
	['an undocumented operation', undocumented],
];

/** Some proxies and services send white space while they work, to keep the connection alive. */
const paddings: Array<[string, string]> = [
	['4 kB of spaces', ' '.repeat(4096)],
	['70 kB of mixed white space', ' \n\t\r'.repeat(17_500)],
];

describe.each(operations)('%s', (_operation, parameters) => {
	describe.each(paddings)('JSON behind %s', (_padding, padding) => {
		it.each(['application/json', 'text/plain', undefined])(
			'is read, declared as %p',
			async (type) => {
				node.service.answer = bytes(`${padding}{"text":"hello"}`, type);
				const { items } = await node.runOnce(parameters);
				expect(items[0]?.json).toEqual({ text: 'hello' });
			},
		);

		it('is read if it arrives piece by piece', async () => {
			node.service.answer = (_request, response) => {
				response.writeHead(200, { 'Content-Type': 'application/json' });
				for (let at = 0; at < padding.length; at += 1000) {
					response.write(padding.slice(at, at + 1000));
				}
				void sleep(20).then(() => response.end('{"text":"hello"}\n\n'));
			};
			const { items } = await node.runOnce(parameters);
			expect(items[0]?.json).toEqual({ text: 'hello' });
		});
	});

	it('an error behind 4 kB of white space is read as the reason of a refusal', async () => {
		const body = `${' \n'.repeat(2048)}{"message":"Too short."}`;
		node.service.answer = bytes(body, 'application/json', 422);
		const { error } = await node.run(parameters);
		expect(error?.message).toContain('Too short.');
	});

	describe.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
		['lists in objects', '[{"a":', '}]'],
	])('JSON that nests %s', (_what, open, close) => {
		it.each([100, 20_000])('%i levels deep is read', async (levels) => {
			const count = levels / (open.length > 5 ? 2 : 1);
			const deep = `${open.repeat(count)}"${secretKey}"${close.repeat(count)}`;
			node.service.answer = bytes(`{"text":"hello","deep":${deep}}`, 'application/json');
			const output = await node.run(parameters, { credential: { apiKey: secretKey } });
			expect(output.error?.message).toBeUndefined();
			expect(node.service.arrived).toBe(1);
			const { text, deep: value } = output.items[0]?.json ?? {};
			expect(text).toBe('hello');
			// Not recursive: the stack is what deep values overflow.
			let [depth, leaf]: [number, unknown] = [0, value];
			for (; typeof leaf === 'object' && leaf !== null; depth++)
				leaf = Array.isArray(leaf) ? leaf[0] : (leaf as IDataObject).a;
			expect(depth).toBe(levels);
			// The key is masked at any depth.
			expect(typeof leaf).toBe('string');
			expect(piecesIn(String(leaf))).toEqual([]);
		});
	});
});
