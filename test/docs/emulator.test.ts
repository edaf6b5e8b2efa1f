import { UNDOCUMENTED } from '../package/endpoints';
import { fileParts, send, Stage, type ServiceResponse } from '../emulator/client';
import { wav } from '../support/recordings';
import { api, operationAt, resolved, validatorOf } from './interface';

const paths = Object.keys(api.paths);

const nameOf = (path: string) => path.replace('/ai/', '');

const stage = new Stage();
let voiceId: string;

beforeAll(async () => (voiceId = await stage.clone(wav(10))));

/** A valid request, by the description of its body. */
async function call(path: string, apiKey = stage.key): Promise<ServiceResponse> {
	const { content } = resolved(operationAt(path).requestBody);
	if (content?.['multipart/form-data'] === undefined) {
		return await stage.json(nameOf(path), { text: 'Hello', voice_id: voiceId }, apiKey);
	}
	const fields = { language: 'en', name: 'Anna' };
	return await stage.form(nameOf(path), fileParts(wav(10), fields), apiKey);
}

it('the emulator has the documented operations, and no others', async () => {
	const { creditCosts } = (await stage.api('GET', '/settings')) as { creditCosts: object };
	expect(Object.keys(creditCosts).sort()).toEqual(paths.map(nameOf).sort());
	expect((await stage.json('other', {})).status).toBe(404);
});

it.each(paths)('%s responds as described', async (path) => {
	const { status, headers, json, body } = await call(path);
	expect(status).toBeGreaterThanOrEqual(200);
	expect(status).toBeLessThan(300);
	const [[type, { schema }]] = Object.entries(
		resolved(operationAt(path).responses['2XX']!).content!,
	) as [[string, { schema: object }]];
	if (type === '*/*') {
		expect(UNDOCUMENTED).toContain(operationAt(path).operationId);
		return;
	}
	expect(headers['content-type']).toMatch(new RegExp(`^${type.replace('*', '')}`));
	if (type === 'audio/*') expect(body.length).toBeGreaterThan(44);
	else {
		const validate = validatorOf(schema);
		expect([validate(json), validate.errors]).toEqual([true, null]);
		expect(validate({})).toBe(false);
	}
});

it.each(paths)('%s needs the documented scope only', async (path) => {
	const [scope] = operationAt(path).security[0]!.apiKey;
	const { enum: scopes } = api.components.schemas.Scope;
	// Which scope grants cloning is not documented: the emulator accepts any key of the product.
	const fitting = await stage.emulator.createKey('sandbox', [scope ?? 'amd']);
	expect((await call(path, fitting)).status).toBe(200);
	if (scope === undefined) return;
	expect(scopes).toContain(scope);
	const lacking = await stage.emulator.createKey(
		'sandbox',
		scopes.filter((other) => other !== scope),
	);
	const { status, json } = await call(path, lacking);
	expect([status, json.error.message]).toEqual([403, expect.stringContaining(`"${scope}"`)]);
});

it.each(paths.filter((path) => !UNDOCUMENTED.includes(operationAt(path).operationId)))(
	'%s refuses a request without a required field',
	async (path) => {
		const { content } = resolved(operationAt(path).requestBody);
		const isForm = 'multipart/form-data' in content!;
		const [{ schema }] = Object.values(content!) as [{ schema: { required: string[] } }];
		const all: Record<string, string> = { text: 'Hello', voice_id: voiceId, name: 'Anna' };
		for (const missing of schema.required) {
			const names = schema.required.filter((name) => name !== missing && name in all);
			const fields = Object.fromEntries(names.map((name) => [name, all[name]!]));
			const parts = fileParts(wav(10), fields).filter(([name]) => name !== missing);
			const { status } = isForm
				? await stage.form(nameOf(path), parts)
				: await stage.json(nameOf(path), fields);
			expect([missing, status]).toEqual([missing, 400]);
		}
	},
);

it.each(paths)('%s needs the header with the key', async (path) => {
	expect((await send(`${stage.emulator.baseUrl}${path}`)).status).toBe(401);
});
