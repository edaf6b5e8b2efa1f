import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

import { readRepositoryFile } from './repository.mts';

export interface Schema {
	required: string[];
	properties: Record<string, { type?: string }>;
}

/** A request body or a response; without content, the service does not document it. */
interface Message {
	content?: Record<string, { schema?: Schema }>;
}

interface DescribedOperation {
	operationId: string;
	tags: [string];
	security: [{ apiKey: [string?] }];
	requestBody: Message;
	responses: { '2XX': Message };
	'x-codeSamples'?: Array<{ source: string }>;
}

export const interfaceFile = 'docs/openapi.yaml';

const { paths, components } = parse(readRepositoryFile(interfaceFile)) as {
	paths: Record<string, { post: DescribedOperation }>;
	components: { schemas: { AudioFile: { description: string }; Scope: { enum: string[] } } };
};

export const documentedScopes = components.schemas.Scope.enum;

/** The sentence that lists the accepted formats. */
export const audioFileDescription = components.schemas.AudioFile.description;

function findContent({ content = { '*/*': {} } }: Message) {
	const [[type, { schema }]] = Object.entries(content) as [[string, { schema?: Schema }]];
	return { type, schema };
}

/** The operations of the file, which has the names that the node gives to operations and resources. */
export const serviceEndpoints = Object.entries(paths).map(([path, { post }]) => ({
	path,
	resource: post.tags[0],
	operation: post.operationId,
	/** The scope that a key needs; undefined where it is not documented. */
	scope: post.security[0].apiKey[0],
	request: findContent(post.requestBody),
	response: findContent(post.responses['2XX']),
	isDocumented: post.requestBody.content !== undefined,
	codeSamples: (post['x-codeSamples'] ?? []).map(({ source }) => source),
}));

export type ServiceEndpoint = (typeof serviceEndpoints)[number];

const ajv = new Ajv2020({ allErrors: true });
// Keywords of OpenAPI, and ours.
ajv.addVocabulary(['x-unknown', 'components']);
ajv.addSchema({ $id: 'api', components });

/** A check of a value against a schema of the file. */
export function compileValidator(schema: object): ValidateFunction {
	const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
	return ajv.compile(JSON.parse(text) as object);
}
