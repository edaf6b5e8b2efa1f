import type { INodeProperties } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { declarativeNode } from '../support/engine';
import { apiKey, useNode } from '../support/node';
import { json } from '../support/recorder';

const node = useNode();

/** Runs the request of the credential's test as n8n does: as the routing of a node that has nothing else. */
async function testAgainst(status: number) {
	const { request } = new VoiceSpeechApi().test;
	const temp: INodeProperties = {
		displayName: 'Temp',
		name: 'temp',
		type: 'string',
		default: '',
		routing: { request },
	};
	const { description } = new VoiceSpeech();
	node.service.answer = json({}, status, { Location: '/elsewhere' });
	const { error } = await node.run(
		{},
		{
			nodeType: declarativeNode({ description: { ...description, properties: [temp] } }),
			credential: { baseUrl: ` ${node.service.baseUrl}/base\n` },
		},
	);
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
			expect(await testAgainst(status)).toMatchObject({ httpCode: String(status) });
		},
	);
});
