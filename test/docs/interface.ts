import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { parse } from 'yaml';

import { read } from '../package/repository';

interface Described {
	'x-unknown'?: string[];
}

interface Content {
	[contentType: string]: Described & { schema?: object };
}

interface Reference {
	$ref?: string;
}

interface RequestBody extends Described, Reference {
	content?: Content;
}

type Answer = RequestBody;

export interface DescribedOperation extends Described {
	operationId: string;
	tags: string[];
	security: Array<{ apiKey: string[] }>;
	requestBody: RequestBody;
	responses: Record<string, Answer>;
}

export const FILE = 'docs/openapi.yaml';

export const api = parse(read(FILE)) as Described & {
	paths: Record<string, Record<string, DescribedOperation>>;
	components: { schemas: { Scope: { enum: string[] } } };
};

/** What a reference inside the file leads to, or the thing itself. */
export function resolved<T extends Reference>(thing: T): T {
	const { $ref } = thing;
	if ($ref === undefined) return thing;
	const names = $ref.replace('#/', '').split('/');
	return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], api) as T;
}

export function operationAt(path: string): DescribedOperation {
	const operation = api.paths[path]?.post;
	if (operation === undefined) throw new Error(`${FILE} has no POST ${path}`);
	return operation;
}

/** Where the file says that something is not shown, by its place as a JSON pointer. */
export function unknowns(value: unknown = api, place = ''): Array<[string, string[]]> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		name === 'x-unknown'
			? [[place, inner as string[]] as [string, string[]]]
			: unknowns(inner, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
	);
}

const ajv = new Ajv2020({ allErrors: true });
// Keywords of OpenAPI that JSON Schema has not, and ours.
ajv.addVocabulary(['x-unknown', 'components']);
ajv.addSchema({ $id: 'api', components: api.components });

/** A check of a value against a schema of the file. */
export function validatorOf(schema: object): ValidateFunction {
	const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
	return ajv.compile(JSON.parse(text) as object);
}
