/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';

import { ENDPOINTS, UNDOCUMENTED } from '../package/endpoints';
import { read, ROOT } from '../package/repository';
import { bytes, json } from '../support/recorder';
import { useNode } from '../support/node';
import { wav } from '../support/recordings';
import { api, FILE, operationAt, resolved, unknowns, validatorOf } from './interface';

const NOT_SHOWN = '#/components/responses/NotShown';

describe('the description of the service', () => {
	/** What the validator says of a text. */
	function validate(text: string) {
		const script = `import { Validator } from '@seriousme/openapi-schema-validator';
			import { readFileSync } from 'node:fs';
			const result = await new Validator().validate(readFileSync(0, 'utf8'));
			process.stdout.write(JSON.stringify(result));`;
		const args = ['--input-type=module', '--eval', script];
		const { stdout, stderr } = spawnSync(process.execPath, args, { input: text, cwd: ROOT });
		expect(stderr.toString()).toBe('');
		return JSON.parse(stdout.toString()) as { valid: boolean };
	}

	it('is valid OpenAPI', () => {
		expect(validate(read(FILE))).toEqual({ valid: true });
		expect(validate(read(FILE).replace('in: header', 'in: head'))).toMatchObject({ valid: false });
	});

	it('has schemas that can be used', () => {
		for (const name of Object.keys(api.components.schemas)) {
			expect(validatorOf({ $ref: `#/components/schemas/${name}` })).toBeInstanceOf(Function);
		}
	});

	it('marks all that the interface document does not show', () => {
		const post = (endpoint: string) => `/paths/~1ai~1${endpoint}/post`;
		const status = (endpoint: string) => `${post(endpoint)}/responses/2XX`;
		const body = (endpoint: string, type: string) =>
			`${post(endpoint)}/requestBody/content/${type}/schema`;
		const six = ENDPOINTS.filter(({ operation }) => UNDOCUMENTED.includes(operation));
		const form = 'multipart~1form-data';
		const components = '/components/';
		expect(Object.fromEntries(unknowns())).toEqual({
			'': [
				'states and transitions',
				'events, webhooks and callbacks',
				'rate limits',
				'maximum file size',
				'maximum text length',
				'credit cost of each operation',
				'fields of the wallets',
			],
			'/info': ['versioning scheme'],
			'/servers/0/variables/base_url': ['the real address'],
			[body('speech-to-text', form)]: ['other fields'],
			[`${body('speech-to-text', form)}/properties/language`]: [
				'whether it is required',
				'which codes are accepted',
			],
			[status('speech-to-text')]: ['status code'],
			[body('text-to-speech', 'application~1json')]: ['other fields'],
			[status('text-to-speech')]: ['status code'],
			[`${status('text-to-speech')}/content/audio~1*`]: ['encoding', 'content type'],
			[post('voice-clone')]: ['the scope that grants it'],
			[body('voice-clone', form)]: ['other fields'],
			[status('voice-clone')]: ['status code'],
			...Object.fromEntries(
				six.map(({ path: url }) => [post(url.replace('/ai/', '')), ['behaviour']]),
			),
			[`${components}requestBodies/NotShown/content/*~1*`]: ['content type', 'fields'],
			[`${components}responses/NotShown`]: ['status code'],
			[`${components}responses/NotShown/content/*~1*`]: ['content type', 'fields'],
			[`${components}responses/Refusal`]: ['status codes'],
			[`${components}responses/Refusal/content/*~1*`]: ['error body shape', 'error codes'],
			[`${components}schemas/AudioFile`]: ['maximum file size'],
			[`${components}schemas/Transcription`]: ['other fields'],
			[`${components}schemas/Voice`]: ['other fields'],
		});
	});
});

describe('the description and the node', () => {
	const node = useNode();

	it('have the same operations under the same names', () => {
		const described = Object.entries(api.paths).map(([url, methods]) => ({
			path: url,
			methods: Object.keys(methods),
			operation: methods.post?.operationId,
			resource: methods.post?.tags.join(),
		}));
		const expected = ENDPOINTS.map((endpoint) => ({ ...endpoint, methods: ['post'] }));
		expect(described).toEqual(expect.arrayContaining(expected));
		expect(described).toHaveLength(expected.length);
	});

	const parametersOf = ({ resource, operation }: (typeof ENDPOINTS)[number]) => ({
		...{ resource, operation },
		...{ text: 'Hello', voiceId: 'vc_1', voiceName: 'Anna', language: 'en' },
		options: { rateLimitRetries: 0 },
	});

	it.each(ENDPOINTS)('$operation: the same body', async (endpoint) => {
		const answer = operationAt(endpoint.path).responses['2XX']!;
		const isAudio = 'audio/*' in (resolved(answer).content ?? {});
		node.service.answer = isAudio ? bytes(wav(), 'audio/wav') : json({ ok: true });
		const { request } = await node.runOnce(parametersOf(endpoint));
		expect(request).toMatchObject({ method: 'POST', url: endpoint.path });

		const { content } = resolved(operationAt(endpoint.path).requestBody);
		const sent = request.headers['content-type']!.split(';')[0]!;
		if (UNDOCUMENTED.includes(endpoint.operation)) {
			expect(Object.keys(content!)).toEqual(['*/*']);
			return;
		}
		expect(Object.keys(content!)).toEqual([sent]);
		const schema = content![sent]!.schema! as { properties: object };
		const fields =
			request.parts.length > 0
				? Object.fromEntries(request.parts.map(({ name, body }) => [name, body.toString()]))
				: (JSON.parse(request.body.toString()) as object);
		expect(validatorOf(schema)(fields)).toBe(true);
		expect(Object.keys(fields).sort()).toEqual(Object.keys(schema.properties).sort());
	});

	it.each(ENDPOINTS)('$operation: the same kind of answer', async (endpoint) => {
		const { responses } = operationAt(endpoint.path);
		const types = Object.keys(resolved(responses['2XX']!).content!);
		const isTaken = async () => (await node.run(parametersOf(endpoint))).error === undefined;
		node.service.answer = json({ ok: true });
		const takesJson = await isTaken();
		node.service.answer = bytes(wav(), 'audio/wav');
		const takesAudio = await isTaken();
		const expected = {
			'application/json': { takesJson: true, takesAudio: false },
			'audio/*': { takesJson: false, takesAudio: true },
			'*/*': { takesJson: true, takesAudio: true },
		}[types.join()];
		expect({ takesJson, takesAudio }).toEqual(expected);
		expect(responses['2XX']!.$ref === NOT_SHOWN).toBe(UNDOCUMENTED.includes(endpoint.operation));
	});

	it.each(ENDPOINTS)('$operation: the same scope', async (endpoint) => {
		node.service.answer = json({}, 403);
		const { error } = await node.run(parametersOf(endpoint));
		const named = [...(error?.description ?? '').matchAll(/the scope '([^']+)'/g)];
		const { security } = operationAt(endpoint.path);
		expect(security).toEqual([{ apiKey: named.map(([, scope]) => scope) }]);
	});
});
