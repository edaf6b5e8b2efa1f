import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { parse } from 'yaml';

import { read } from '../package/repository';

/** A request body or a response; `$ref` leads to another place of the file. */
interface Message {
	$ref?: string;
	content?: Record<string, { schema?: object }>;
}

interface DescribedOperation {
	operationId: string;
	tags: string[];
	security: Array<{ apiKey: string[] }>;
	requestBody: Message;
	responses: Record<string, Message>;
}

export const FILE = 'docs/openapi.yaml';

export const api = parse(read(FILE)) as {
	paths: Record<string, Record<string, DescribedOperation>>;
	components: { schemas: { Scope: { enum: string[] } } };
};

/** Follows a reference inside the file. */
export function resolved(message: Message): Message {
	const { $ref } = message;
	if ($ref === undefined) return message;
	const names = $ref.replace('#/', '').split('/');
	return names.reduce<unknown>(
		(value, name) => (value as Record<string, unknown>)[name],
		api,
	) as Message;
}

export function operationAt(path: string): DescribedOperation {
	const operation = api.paths[path]?.post;
	if (operation === undefined) throw new Error(`${FILE} has no POST ${path}`);
	return operation;
}

/** What a part of the file marks as not documented. */
export function unknowns(value: unknown = api): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		name === 'x-unknown' ? (inner as string[]) : unknowns(inner),
	);
}

const ajv = new Ajv2020({ allErrors: true });
// Keywords of OpenAPI, and ours.
ajv.addVocabulary(['x-unknown', 'components']);
ajv.addSchema({ $id: 'api', components: api.components });

/** A check of a value against a schema of the file. */
export function validatorOf(schema: object): ValidateFunction {
	const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
	return ajv.compile(JSON.parse(text) as object);
}
