import type { INodeProperties } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { declarativeNode } from '../support/engine';
import { n8n } from '../support/n8n';
import { apiKey, speechToText, useNode } from '../support/node';
import { json } from '../support/scriptedServer';

const node = useNode();

/** Runs the request of the credential's test as n8n does: as the routing of a node that has nothing else. */
async function testWith(baseUrl: string) {
	const { request } = new VoiceSpeechApi().test;
	const temp: INodeProperties = {
		displayName: 'Temp',
		name: 'temp',
		type: 'string',
		default: '',
		routing: { request },
	};
	const { description } = new VoiceSpeech();
	const { error } = await node.run(
		{},
		{
			nodeType: declarativeNode({ description: { ...description, properties: [temp] } }),
			credential: { baseUrl },
		},
	);
	return error;
}

async function testAgainst(status: number) {
	node.service.answer = json({}, status, { Location: '/elsewhere' });
	const error = await testWith(` ${node.service.baseUrl}/base\n`);
	for (const { method, url, headers } of node.service.requests) {
		expect([method, url]).toEqual(['GET', '/base/ai/speech-to-text']);
		expect(headers['x-api-key']).toBe(apiKey);
	}
	return error;
}

describe("the credential's test", () => {
	it.each([200, 400, 404, 405, 415, 422])(
		'takes a %i for a service that is there',
		async (status) => {
			expect(await testAgainst(status)).toBeUndefined();
			expect(node.service.arrived).toBe(1);
		},
	);

	it.each([401, 403, 429, 300, 301, 302, 303, 305, 307, 308, 500, 502, 503, 504])(
		'takes no %i for a success, and follows it nowhere',
		async (status) => {
			const error = await testAgainst(status);
			// Where n8n ignores `except`, only the rules of the credential's test see the status (test/hosts).
			if (n8n.exceptsStatuses) expect(error).toMatchObject({ httpCode: String(status) });
			else expect(error).toBeUndefined();
		},
	);

	const service = () => node.service.baseUrl;

	// All spellings: test/credentials/baseUrl.test.ts.
	it.each(['/ai', '/base/Ai/amd//'])(
		'fails for a path that the node adds itself, and says what to enter: %s',
		async (path) => {
			const error = await testWith(`${service()}${path}`);
			// n8n shows the message only.
			expect(error?.message).toContain("'Base URL'");
			expect(error?.message).toContain(
				`enter '${service()}${path.startsWith('/base') ? '/base' : ''}'`,
			);
			expect(node.service.arrived).toBe(0);
		},
	);

	it('fails for a question mark at the end', async () => {
		expect((await testWith(`${service()}/base?`))?.message).toContain("'Base URL'");
		expect(node.service.arrived).toBe(0);
	});
});

it('a call is made to a service that really is below such a path', async () => {
	const credential = { baseUrl: `${node.service.baseUrl}/AI/` };
	const { request } = await node.runOnce(speechToText, { credential });
	expect(request.url).toBe('/AI/ai/speech-to-text');
});
