import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createFileParts, send, EmulatorClient } from '../support/emulatorClient';
import { rootFolder, run } from '../support/repository';
import { createWav } from '../support/media/recordings';
import {
	documentedEndpoints,
	documentedScopes,
	compileValidator,
} from '../support/serviceInterface';

type Endpoint = (typeof documentedEndpoints)[number];

const nameEndpoint = ({ path }: Endpoint) => path.replace('/ai/', '');

const client = new EmulatorClient();
let voiceId: string;

beforeAll(async () => {
	voiceId = await client.cloneVoice(createWav(10));
});

/** Sends a valid request, by the description of its body, or one without a field of it. */
async function call(endpoint: Endpoint, { apiKey = client.key, without = '' } = {}) {
	if (endpoint.request.type !== 'multipart/form-data') {
		const fields = { text: 'Hello', voice_id: voiceId, [without]: undefined };
		return await client.callWithJson(nameEndpoint(endpoint), fields, apiKey);
	}
	const parts = createFileParts(createWav(10), { language: 'en', name: 'Anna' });
	const sent = parts.filter(([name]) => name !== without);
	return await client.callWithForm(nameEndpoint(endpoint), sent, apiKey);
}

describe.each(documentedEndpoints)('$path', (endpoint) => {
	const { request, response, scope } = endpoint;

	it(`the emulator responds at ${endpoint.path} as docs/openapi.yaml describes`, async () => {
		const { status, headers, json, body } = await call(endpoint);
		expect(status).toBe(200);
		expect(headers['content-type']).toContain(response.type.replace('*/*', '').replace('*', ''));
		if (response.type === 'audio/*') expect(body.length).toBeGreaterThan(44);
		if (response.schema === undefined) return;
		const validate = compileValidator(response.schema);
		expect([validate(json), validate.errors]).toEqual([true, null]);
		expect(validate({})).toBe(false);
	});

	it(`the emulator asks for the documented scope only at ${endpoint.path}`, async () => {
		expect((await send(`${client.emulator.baseUrl}${endpoint.path}`)).status).toBe(401);
		// Which scope grants cloning is not documented, so the emulator accepts any key of the product.
		const fitting = await client.emulator.createKey('sandbox', { scopes: [scope ?? 'amd'] });
		expect((await call(endpoint, { apiKey: fitting })).status).toBe(200);
		if (scope === undefined) return;
		const others = documentedScopes.filter((other) => other !== scope);
		expect(others).toHaveLength(documentedScopes.length - 1);
		const apiKey = await client.emulator.createKey('sandbox', { scopes: others });
		const { status, json } = await call(endpoint, { apiKey });
		expect([status, json.error.message]).toEqual([403, expect.stringContaining(`"${scope}"`)]);
	});

	it(`the emulator refuses a request without a required field at ${endpoint.path}`, async () => {
		for (const without of request.schema?.required ?? []) {
			expect([without, (await call(endpoint, { without })).status]).toEqual([without, 400]);
		}
	});
});

it('the code sample of docs/openapi.yaml transcribes a recording', () => {
	const samples = documentedEndpoints.flatMap(({ codeSamples }) => codeSamples);
	expect(samples).toHaveLength(1);
	const folder = mkdtempSync(path.join(tmpdir(), 'code-sample-'));
	try {
		writeFileSync(path.join(folder, 'call.wav'), createWav(1));
		// The emulator has no certificate.
		const source = String(samples[0]).replace("'node:https'", "'node:http'");
		const output = run(process.execPath, ['--eval', source], folder, {
			...process.env,
			NODE_PATH: path.join(rootFolder, 'node_modules'),
			BASE_URL: client.emulator.baseUrl,
			API_KEY: client.key,
		});
		expect(JSON.parse(output)).toMatchObject({ text: expect.stringContaining('1 second') });
	} finally {
		rmSync(folder, { recursive: true });
	}
});
