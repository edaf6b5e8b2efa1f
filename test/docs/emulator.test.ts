import { UNDOCUMENTED } from '../package/endpoints';
import { fileParts, send, sendForm, sendJson, type ServiceResponse } from '../emulator/client';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { wav } from '../support/recordings';
import { api, operationAt, resolved, validatorOf } from './interface';

const paths = Object.keys(api.paths);

const nameOf = (path: string) => path.replace('/ai/', '');

/** The documented schema of a JSON answer. */
function answerSchema(path: string): object {
	const { content } = resolved(operationAt(path).responses['2XX']!);
	return content!['application/json']!.schema!;
}

let emulator: RunningEmulator;
let key: string;
let voiceId: string;

beforeAll(async () => {
	emulator = await startEmulator();
	key = await emulator.createKey('sandbox');
	voiceId = String((await call('/ai/voice-clone')).json.voice_id);
});

afterAll(async () => await emulator.stop());

/** A fitting request, by what the description says of its body. */
async function call(path: string, apiKey = key): Promise<ServiceResponse> {
	const { content } = resolved(operationAt(path).requestBody);
	if (content?.['multipart/form-data'] === undefined) {
		const body = { text: 'Hello', voice_id: voiceId };
		return await sendJson(emulator, apiKey, nameOf(path), body);
	}
	const fields = { language: 'en', name: 'Anna' };
	return await sendForm(emulator, apiKey, nameOf(path), fileParts(wav(10), fields));
}

it('it has the operations of the description, and no other', async () => {
	const { creditCosts } = (await emulator.api('GET', '/settings')) as { creditCosts: object };
	expect(Object.keys(creditCosts).sort()).toEqual(paths.map(nameOf).sort());
	// The answer to all that it has not.
	const { status } = await send(`${emulator.baseUrl}/ai/other`, { headers: { 'X-API-Key': key } });
	expect(status).toBe(404);
});

it.each(paths)('%s answers as described', async (path) => {
	const { status, headers, json, body } = await call(path);
	expect(status).toBeGreaterThanOrEqual(200);
	expect(status).toBeLessThan(300);
	const [type] = Object.keys(resolved(operationAt(path).responses['2XX']!).content!);
	const announced = headers['content-type'] ?? '';
	if (type === 'audio/*') {
		expect(announced).toMatch(/^audio\//);
		expect(body.length).toBeGreaterThan(44);
	} else if (type === 'application/json') {
		expect(announced).toMatch(/^application\/json/);
		const validate = validatorOf(answerSchema(path));
		expect([validate(json), validate.errors]).toEqual([true, null]);
		// What is described can be missed.
		expect(validate({})).toBe(false);
	} else {
		expect(UNDOCUMENTED).toContain(operationAt(path).operationId);
	}
});

it.each(paths)('%s wants the scope of the description, and nothing else', async (path) => {
	const [scope] = operationAt(path).security[0]!.apiKey;
	const { enum: scopes } = api.components.schemas.Scope;
	if (scope === undefined) {
		// Not shown: any key of the product will do here.
		expect((await call(path, await emulator.createKey('sandbox', []))).status).toBe(200);
		return;
	}
	expect(scopes).toContain(scope);
	const fitting = await emulator.createKey('sandbox', [scope]);
	expect((await call(path, fitting)).status).toBe(200);
	const others = scopes.filter((other) => other !== scope);
	const lacking = await emulator.createKey('sandbox', others);
	expect((await call(path, lacking)).status).toBe(403);
});

it.each(paths.filter((path) => !UNDOCUMENTED.includes(operationAt(path).operationId)))(
	'%s refuses what lacks a field that the description requires',
	async (path) => {
		const { content } = resolved(operationAt(path).requestBody);
		const isForm = 'multipart/form-data' in content!;
		const [{ schema }] = Object.values(content!) as [{ schema: { required: string[] } }];
		const all: Record<string, string> = { text: 'Hello', voice_id: voiceId, name: 'Anna' };
		for (const missing of schema.required) {
			const fields = Object.fromEntries(
				Object.entries(all).filter(([name]) => schema.required.includes(name) && name !== missing),
			);
			const parts = fileParts(wav(10), fields).filter(([name]) => name !== missing);
			const answer = isForm
				? await sendForm(emulator, key, nameOf(path), parts)
				: await sendJson(emulator, key, nameOf(path), fields);
			expect([missing, answer.status]).toEqual([missing, 400]);
		}
	},
);

it('every request needs the header with the key, as described', async () => {
	for (const path of paths) {
		const answer = await send(`${emulator.baseUrl}${path}`);
		expect([path, answer.status]).toEqual([path, 401]);
	}
});
