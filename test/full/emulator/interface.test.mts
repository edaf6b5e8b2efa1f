import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../../../dev/lib/root.cjs';
import { send, useEmulator } from '../../support/emulatorClient.mts';
import { createUpload } from '../../support/createForm.mts';
import { runCommand } from '../../support/repository.mts';
import { createWav } from '../../support/media/recordings.mts';
import { createTestFolder } from '../../support/testFolder.mts';
import {
	serviceEndpoints,
	documentedScopes,
	compileValidator,
	type ServiceEndpoint,
} from '../../support/serviceInterface.mts';

const folder = createTestFolder();
const client = useEmulator();
let voiceId: string;

beforeAll(async () => {
	voiceId = await client.cloneVoice(createWav(10));
});

/** Sends a valid request, by the description of its body, or one without a field of it. */
async function call(
	{ path, request }: ServiceEndpoint,
	{ apiKey = client.key, without = '' } = {},
) {
	const json = { text: 'Hello', voice_id: voiceId, [without]: undefined };
	const form = createUpload(createWav(10), { language: 'en', name: 'Anna' });
	form.delete(without);
	const body = request.type === 'multipart/form-data' ? form : json;
	return await client.call(path.replace('/ai/', ''), body, apiKey);
}

it.each(serviceEndpoints)(
	'the emulator responds at $path as docs/openapi.yaml describes it',
	async (endpoint) => {
		const { type, schema } = endpoint.response;
		expect((await send(`${client.emulator.baseUrl}${endpoint.path}`)).status).toBe(401);
		// Which scope grants cloning is not documented, so the emulator accepts any key of the product.
		const scopes = [endpoint.scope ?? 'amd'];
		const apiKey = await client.emulator.createKey('sandbox', { scopes });
		const { status, headers, body, json } = await call(endpoint, { apiKey });
		expect(status).toBe(200);
		if (type !== '*/*') expect(headers['content-type']).toContain(type.replace('*', ''));
		// The header of a WAV file has 44 bytes.
		if (type === 'audio/*') expect(body.length).toBeGreaterThan(44);
		if (!schema) return;
		const validate = compileValidator(schema);
		expect([validate(json), validate.errors]).toEqual([true, null]);
		expect(validate({})).toBe(false);
	},
);

const endpointsWithScope = serviceEndpoints.filter(({ scope }) => scope !== undefined);

it.each(endpointsWithScope)(
	'the emulator refuses a key without the documented scope at $path',
	async (endpoint) => {
		const scopes = documentedScopes.filter((scope) => scope !== endpoint.scope);
		expect(scopes).toHaveLength(documentedScopes.length - 1);
		const apiKey = await client.emulator.createKey('sandbox', { scopes });
		const { status, json } = await call(endpoint, { apiKey });
		const message = expect.stringContaining(`"${endpoint.scope}"`) as string;
		expect([status, json.error.message]).toEqual([403, message]);
	},
);

const requiredFields = serviceEndpoints.flatMap((endpoint) =>
	(endpoint.request.schema?.required ?? []).map((field) => ({
		endpoint,
		path: endpoint.path,
		field,
	})),
);

it.each(requiredFields)(
	"the emulator refuses a request without the required field '$field' at $path",
	async ({ endpoint, field }) => {
		expect((await call(endpoint, { without: field })).status).toBe(400);
	},
);

it('the code sample of docs/openapi.yaml transcribes a recording', () => {
	const samples = serviceEndpoints.flatMap(({ codeSamples }) => codeSamples);
	expect(samples).toHaveLength(1);
	writeFileSync(path.join(folder, 'call.wav'), createWav(1));
	// The emulator has no certificate.
	const source = String(samples[0]).replace("'node:https'", "'node:http'");
	const output = runCommand(process.execPath, ['--eval', source], folder, {
		...process.env,
		NODE_PATH: path.join(root, 'node_modules'),
		BASE_URL: client.emulator.baseUrl,
		API_KEY: client.key,
	});
	expect(JSON.parse(output)).toMatchObject({ text: expect.stringContaining('1 second') });
});
