/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawnSync } from 'node:child_process';

import { ENDPOINTS, UNDOCUMENTED } from '../package/endpoints';
import { read, ROOT } from '../package/repository';
import { api, FILE, unknowns, validatorOf } from './interface';

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
