import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { RecordedRequest } from '../support/scriptedServer';
import { blocksOf, type Block } from './markdown';

/** The example of a page: what goes in, what is sent, what comes out. */
export interface Example {
	parameters: INodeParameters;
	item: Pick<INodeExecutionData, 'json' | 'binary'>;
	request: string;
	result: Pick<INodeExecutionData, 'json' | 'binary'>;
}

/** @throws where the page's example has not these four blocks, in this order */
export function exampleOf(file: string): Example {
	const blocks = blocksOf(file).filter(({ headings }) => headings[0] === 'Example');
	const [settings, itemIn, request, itemOut] = blocks as [Block, Block, Block, Block];
	expect(blocks.map(({ language }) => language)).toEqual(['json', 'json', 'http', 'json']);
	return {
		parameters: JSON.parse(settings.text) as INodeParameters,
		item: JSON.parse(itemIn.text) as Example['item'],
		request: request.text,
		result: JSON.parse(itemOut.text) as Example['result'],
	};
}

/** Of a file what an example shows: the rest is n8n's own, and differs from storage to storage. */
function shownFile({ fileName, mimeType }: IBinaryData) {
	return { fileName, mimeType };
}

/** An item as an example shows it. */
export function shownItem({ json, binary }: INodeExecutionData) {
	const files = Object.entries(binary ?? {}).map(([name, file]) => [name, shownFile(file)]);
	return { json, ...(files.length > 0 ? { binary: Object.fromEntries(files) as object } : {}) };
}

/** A request as an example shows it: without the headers that every request of n8n has. */
export function shownRequest({ method, url, headers, body, parts }: RecordedRequest): string {
	const type = headers['content-type'] ?? '';
	const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? type;
	const text =
		parts.length === 0
			? body.toString()
			: [
					...parts.map(({ head, body: part, fileName }) => {
						const content = fileName === undefined ? part.toString() : `<bytes of ${fileName}>`;
						return `--<boundary>\n${head.replaceAll('\r\n', '\n')}\n\n${content}`;
					}),
					'--<boundary>--',
				].join('\n');
	return [
		`${method} ${url} HTTP/1.1`,
		`X-API-Key: ${String(headers['x-api-key'])}`,
		`Content-Type: ${type.replace(boundary, parts.length > 0 ? '<boundary>' : boundary)}`,
		'',
		text,
		'',
	].join('\n');
}
