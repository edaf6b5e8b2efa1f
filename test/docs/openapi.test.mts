import { acceptedFormatsText } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { isService } from '../../nodes/VoiceSpeech/descriptions/operation.ts';
import { operations } from '../../nodes/VoiceSpeech/resources/index.ts';
import { runCommand } from '../support/repository.mts';
import { useNode } from '../support/node.mts';
import { createWav } from '../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	type RecordedRequest,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import {
	audioFileDescription,
	serviceEndpoints,
	interfaceFile,
	compileValidator,
	type ServiceEndpoint,
	type Schema,
} from '../support/serviceInterface.mts';

const node = useNode();

/** A value of each type that an operation declares for a field of its output. */
const exampleValues = { string: 'vc_1', integer: 1, number: 0.5, boolean: true };

/** The endpoints whose responses have documented fields. */
const jsonEndpoints = serviceEndpoints.filter(({ response }) => response.schema !== undefined);

const audioEndpoints = serviceEndpoints.filter(({ response }) => response.type === 'audio/*');

/** A successful response of the type that the file describes. */
function respondSuccessfully({ response }: ServiceEndpoint): Responder {
	return response.type === 'audio/*'
		? respondWithBytes(createWav(), 'audio/wav')
		: respondWithJson({});
}

function createParameters({ resource, operation }: ServiceEndpoint) {
	const values = { text: 'Hello', voiceId: 'vc_1', voiceName: 'Anna', language: 'en' };
	return { resource, operation, ...values };
}

function readOutputFields(operation: string) {
	return operations.find(({ value }) => value === operation)?.outputFields ?? {};
}

/** The value of a part. A form sends numbers and booleans as text. */
function readPart(text: string, type: string | undefined): unknown {
	const isText = type === undefined || type === 'string';
	return isText ? text : JSON.parse(text);
}

/** The fields of a body, which is multipart or JSON. */
function readFields({ parts, body }: RecordedRequest, { properties }: Schema): object {
	if (parts.length === 0) return JSON.parse(body.toString()) as object;
	return Object.fromEntries(
		parts.map(({ name = '', body: content }) => [
			name,
			readPart(content.toString(), properties[name]?.type),
		]),
	);
}

it('docs/openapi.yaml is valid OpenAPI', () => {
	const script = `import { Validator } from '@seriousme/openapi-schema-validator';
		console.log(JSON.stringify(await new Validator().validate('${interfaceFile}')));`;
	const output = runCommand(process.execPath, ['--input-type=module', '--eval', script]);
	expect(JSON.parse(output)).toEqual({ valid: true });
});

describe('the node', () => {
	it('accepts the formats that docs/openapi.yaml lists', () => {
		expect(audioFileDescription).toBe(`The bytes of a ${acceptedFormatsText} file.`);
	});

	it.each(serviceEndpoints)(
		'sends $operation to the path of docs/openapi.yaml, with the body that it describes',
		async (endpoint) => {
			node.service.respond = respondSuccessfully(endpoint);
			const { request } = await node.runOnce(createParameters(endpoint));
			expect(request).toMatchObject({ method: 'POST', url: endpoint.path });
			if (!endpoint.isDocumented) return;
			const { type, schema } = endpoint.request;
			expect(request.headers['content-type']).toContain(type);
			const fields = readFields(request, schema!);
			expect(compileValidator(schema!)(fields)).toBe(true);
			expect(Object.keys(fields).sort()).toEqual(Object.keys(schema!.properties).sort());
		},
	);

	it.each(jsonEndpoints)(
		'declares the output fields of $operation that docs/openapi.yaml requires, and no field that it lacks',
		({ operation, response }) => {
			const output = Object.fromEntries(
				Object.entries(readOutputFields(operation)).map(([name, type]) => [
					name,
					exampleValues[type],
				]),
			);
			const isValid = compileValidator({
				type: 'object',
				...response.schema,
				unevaluatedProperties: false,
			});
			expect(isValid(output)).toBe(true);
		},
	);

	it.each(audioEndpoints)(
		'outputs the fields that it declares for $operation',
		async (endpoint) => {
			node.service.respond = respondSuccessfully(endpoint);
			const { items } = await node.runOnce(createParameters(endpoint));
			const fields = Object.entries(readOutputFields(endpoint.operation));
			const isDeclared = compileValidator({
				type: 'object',
				properties: Object.fromEntries(fields.map(([name, type]) => [name, { type }])),
				required: fields.map(([name]) => name),
				additionalProperties: false,
			});
			expect(isDeclared(items[0]?.json)).toBe(true);
		},
	);

	// test/errors/httpError.test.mts tests the error of a 403, which names it.
	it.each(serviceEndpoints)('knows the scope of $operation, if one is documented', (described) => {
		const found = operations.filter(isService).find(({ value }) => value === described.operation);
		expect(found?.endpoint.scope).toBe(described.scope);
	});
});
