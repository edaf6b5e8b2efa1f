import type { INodeParameters } from 'n8n-workflow';

import { encodings, type Encoding } from '../support/encodings';
import { speak, speechToText, undocumented, useNode } from '../support/node';
import type { Answer } from '../support/scriptedServer';
import { sentence } from '../support/refusals';

const node = useNode();

/** In one piece with its length, or in chunks of a few bytes. */
function answering(
	{ encode, charset, contentEncoding }: Encoding,
	text: string,
	{ status = 200, type = 'application/json', chunked = false } = {},
): Answer {
	return (_request, response) => {
		const body = encode(text);
		response.writeHead(status, {
			'Content-Type': `${type}${charset}`,
			...(contentEncoding === undefined ? {} : { 'Content-Encoding': contentEncoding }),
			...(chunked ? {} : { 'Content-Length': body.length }),
		});
		for (let at = 0; chunked && at < body.length; at += 7)
			response.write(body.subarray(at, at + 7));
		response.end(chunked ? undefined : body);
	};
}

describe.each([true, false])('in chunks: %s', (chunked) => {
	describe.each(encodings)('$name', (encoding) => {
		it.each<[string, INodeParameters]>([
			['speech to text', speechToText],
			['an undocumented operation', undocumented],
		])('is read as JSON by %s', async (_what, parameters) => {
			const answer = {
				text: `${sentence} 語`.slice(0, encoding.name.includes('1252') ? -2 : undefined),
			};
			node.service.answer = answering(encoding, JSON.stringify(answer), { chunked });
			const { items } = await node.runOnce(parameters);
			expect(items[0]?.json).toEqual(answer);
		});

		it('is read as text', async () => {
			node.service.answer = answering(encoding, sentence, { type: 'text/plain', chunked });
			const { items } = await node.runOnce(undocumented);
			expect(items[0]?.json).toEqual({ data: sentence });
		});

		it.each<[string, INodeParameters]>([
			['speech to text', speechToText],
			['text to speech', speak],
		])('is read as a refusal by %s', async (_what, parameters) => {
			const options = { status: 400, chunked };
			node.service.answer = answering(encoding, JSON.stringify({ detail: sentence }), options);
			const { error } = await node.run(parameters);
			expect(error?.message).toBe(`The service did not accept the request (400): ${sentence}`);
		});

		it('is quoted instead of audio', async () => {
			node.service.answer = answering(encoding, sentence, { type: 'text/plain', chunked });
			const { error, items } = await node.run(speak);
			expect(items).toEqual([]);
			expect(error?.description).toContain(`The response starts with '${sentence}'.`);
		});
	});
});
