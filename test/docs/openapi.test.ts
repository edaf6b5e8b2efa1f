import { operations } from '../../nodes/VoiceSpeech/resources';
import { run } from '../support/repository';
import { useNode } from '../support/node';
import { createWav } from '../support/media/recordings';
import { respondWithBytes, respondWithJson } from '../support/servers/scriptedServer';
import { documentedEndpoints, interfaceFile, compileValidator } from '../support/serviceInterface';

const node = useNode();

/** A value of each type that an operation declares for a field of its output. */
const exampleValues = { string: 'vc_1', integer: 1, number: 0.5, boolean: true };

it('docs/openapi.yaml is valid OpenAPI', () => {
	const script = `import { Validator } from '@seriousme/openapi-schema-validator';
		console.log(JSON.stringify(await new Validator().validate('${interfaceFile}')));`;
	const output = run(process.execPath, ['--input-type=module', '--eval', script]);
	expect(JSON.parse(output)).toEqual({ valid: true });
});

describe.each(documentedEndpoints)('the node', (endpoint) => {
	const { path, resource, operation, request: described, response, scope } = endpoint;
	const parameters = {
		resource,
		operation,
		text: 'Hello',
		voiceId: 'vc_1',
		voiceName: 'Anna',
		language: 'en',
		options: { rateLimitRetries: 0 },
	};

	it(`sends the request of ${endpoint.operation} as docs/openapi.yaml describes`, async () => {
		node.service.respond =
			response.type === 'audio/*'
				? respondWithBytes(createWav(), 'audio/wav')
				: respondWithJson({});
		const { request } = await node.runOnce(parameters);
		expect(request).toMatchObject({ method: 'POST', url: path });
		if (described.schema === undefined) return;
		expect(request.headers['content-type']).toContain(described.type);
		const fields =
			request.parts.length > 0
				? Object.fromEntries(request.parts.map(({ name, body }) => [name, body.toString()]))
				: (JSON.parse(request.body.toString()) as object);
		expect(compileValidator(described.schema)(fields)).toBe(true);
		expect(Object.keys(fields).sort()).toEqual(Object.keys(described.schema.properties).sort());
	});

	it(`outputs for ${endpoint.operation} the fields that its file declares`, async () => {
		const { outputFields = {} } = operations.find((one) => one.value === operation)!;
		const isAudio = response.type === 'audio/*';
		const result = Object.fromEntries(
			Object.entries(outputFields).map(([name, type]) => [name, exampleValues[type]]),
		);
		if (!isAudio && response.schema !== undefined) {
			expect(compileValidator(response.schema)(result)).toBe(true);
		}
		node.service.respond = isAudio
			? respondWithBytes(createWav(), 'audio/wav')
			: respondWithJson(result);
		const withoutWarnings = { ...parameters, options: { sampleCheck: 'off' } };
		const { items } = await node.runOnce(withoutWarnings);
		expect(Object.keys(items[0]!.json)).toEqual(Object.keys(outputFields));
	});

	it(`names the scope of ${endpoint.operation} if the key lacks it`, async () => {
		node.service.respond = respondWithJson({}, 403);
		const { error } = await node.run(parameters);
		const named = [...(error?.description ?? '').matchAll(/the scope '([^']+)'/g)];
		expect(named.map(([, name]) => name)).toEqual(scope === undefined ? [] : [scope]);
	});
});
