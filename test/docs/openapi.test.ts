/* eslint-disable @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { ENDPOINTS, UNDOCUMENTED } from '../package/endpoints';
import { run } from '../package/repository';
import { useNode } from '../support/node';
import { wav } from '../support/recordings';
import { bytes, json } from '../support/scriptedServer';
import { api, FILE, operationAt, resolved, unknowns, validatorOf } from './interface';

/** What the service's interface document does not show. */
const notDocumented = [
	'behaviour; content type; credit cost of each operation; encoding; error body shape; error codes',
	'events, webhooks and callbacks; fields; maximum file size; maximum text length; other fields',
	'other fields of the wallets; rate limits; states and transitions; status code; status codes',
	'the real address; the scope that grants it; versioning scheme; whether a response contains it',
	'whether it is required; which codes are accepted',
].flatMap((line) => line.split('; '));

describe('docs/openapi.yaml', () => {
	it('is valid OpenAPI with usable schemas', () => {
		const script = `import { Validator } from '@seriousme/openapi-schema-validator';
			console.log(JSON.stringify(await new Validator().validate('${FILE}')));`;
		const output = run(process.execPath, ['--input-type=module', '--eval', script]);
		expect(JSON.parse(output)).toEqual({ valid: true });
		for (const name of Object.keys(api.components.schemas)) {
			expect(validatorOf({ $ref: `#/components/schemas/${name}` })).toBeInstanceOf(Function);
		}
	});

	it('marks what the service does not document', () => {
		expect([...new Set(unknowns())].sort()).toEqual(notDocumented.sort());
		for (const { path, operation } of ENDPOINTS) {
			const isUnknown = unknowns(operationAt(path)).includes('behaviour');
			expect([path, isUnknown]).toEqual([path, UNDOCUMENTED.includes(operation)]);
		}
	});
});

describe('docs/openapi.yaml and the node', () => {
	const node = useNode();
	const contentOf = (path: string) => resolved(operationAt(path).responses['2XX']!).content!;

	const parametersOf = ({ resource, operation }: (typeof ENDPOINTS)[number]) => ({
		...{ resource, operation },
		...{ text: 'Hello', voiceId: 'vc_1', voiceName: 'Anna', language: 'en' },
		options: { rateLimitRetries: 0 },
	});

	it.each(ENDPOINTS)('$operation: the same request', async (endpoint) => {
		const isAudio = 'audio/*' in contentOf(endpoint.path);
		node.service.answer = isAudio ? bytes(wav(), 'audio/wav') : json({ ok: true });
		const { request } = await node.runOnce(parametersOf(endpoint));
		expect(request).toMatchObject({ method: 'POST', url: endpoint.path });

		const content = resolved(operationAt(endpoint.path).requestBody).content!;
		const type = request.headers['content-type']!.split(';')[0]!;
		const isUnknown = UNDOCUMENTED.includes(endpoint.operation);
		expect(Object.keys(content)).toEqual([isUnknown ? '*/*' : type]);
		if (isUnknown) return;
		const schema = content[type]!.schema! as { properties: object };
		const fields =
			request.parts.length > 0
				? Object.fromEntries(request.parts.map(({ name, body }) => [name, body.toString()]))
				: (JSON.parse(request.body.toString()) as object);
		expect(validatorOf(schema)(fields)).toBe(true);
		expect(Object.keys(fields).sort()).toEqual(Object.keys(schema.properties).sort());
	});

	it.each(ENDPOINTS)('$operation: the same kind of response', async (endpoint) => {
		const accepts = async (answer: typeof node.service.answer) => {
			node.service.answer = answer;
			return (await node.run(parametersOf(endpoint))).error === undefined;
		};
		const [type] = Object.keys(contentOf(endpoint.path));
		expect(await accepts(json({ ok: true }))).toBe(type !== 'audio/*');
		expect(await accepts(bytes(wav(), 'audio/wav'))).toBe(type !== 'application/json');
		expect(type === '*/*').toBe(UNDOCUMENTED.includes(endpoint.operation));
	});

	it.each(ENDPOINTS)('$operation: the same scope', async (endpoint) => {
		node.service.answer = json({}, 403);
		const { error } = await node.run(parametersOf(endpoint));
		const named = [...(error?.description ?? '').matchAll(/the scope '([^']+)'/g)];
		const { security } = operationAt(endpoint.path);
		expect(security).toEqual([{ apiKey: named.map(([, scope]) => scope) }]);
	});
});
