import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { root } from './root.cjs';

interface Schema {
	$ref?: string;
	type?: string;
	required?: string[];
	properties?: Record<string, Schema>;
}

/** A request body or a response. It has no content where the service documents none. */
interface Message {
	content?: Record<string, { schema?: Schema }>;
}

interface PathItem {
	post: {
		operationId: string;
		security: [{ apiKey: string[] }];
		requestBody: Message;
		responses: { '2XX': Message };
	};
}

interface Interface {
	paths: Record<string, PathItem>;
	components: { schemas: Record<string, Schema> };
}

const text = readFileSync(path.join(root, 'docs/openapi.yaml'), 'utf8');
const { paths, components } = parse(text) as Interface;

/** One operation of docs/openapi.yaml. */
export interface Endpoint {
	path: string;
	/** The last part of the path, e.g. `speech-to-text`. */
	name: string;
	/** The node's internal name of the operation. */
	operation: string;
	/** The scope that a key needs; undefined where it is not documented. */
	scope: string | undefined;
	request: Message;
	response: Message;
}

export const endpoints: Endpoint[] = Object.entries(paths).map(([endpointPath, { post }]) => ({
	path: endpointPath,
	name: endpointPath.replace('/ai/', ''),
	operation: post.operationId,
	scope: post.security[0].apiKey[0],
	request: post.requestBody,
	response: post.responses['2XX'],
}));

/** @returns the content type of a message and the schema of its body; undefined where they are not documented */
export function findContent({ content }: Message): { type: string; schema: Schema } | undefined {
	if (content === undefined) return undefined;
	const [first] = Object.entries(content);
	if (first === undefined) return undefined;
	const [type, { schema = {} }] = first;
	return { type, schema: resolveSchema(schema) };
}

/** @returns the schema itself, or the one that it refers to */
function resolveSchema(schema: Schema): Schema {
	if (schema.$ref === undefined) return schema;
	const name = schema.$ref.replace('#/components/schemas/', '');
	const found = components.schemas[name];
	if (found === undefined) throw new Error(`docs/openapi.yaml has no schema ${schema.$ref}`);
	return found;
}
