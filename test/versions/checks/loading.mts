import { gzipSync } from 'node:zlib';

import { readNodeTypes } from '../../../dev/n8n/rest.mts';
import { elsewhere, instance, instanceKey, service } from '../instance.mts';
import type { Check } from '../report.mts';
import { ownType } from '../../support/flow.mts';
import { respondWithJson } from '../../support/servers/scriptedServer.mts';
import { serviceEndpoints } from '../../support/serviceInterface.mts';

/** What n8n knows of the package once it is up, and what its editor asks of it. */
export function testLoading(check: Check): void {
	const readOwnType = async () =>
		(await readNodeTypes(instance.rest, [{ type: ownType, typeVersion: 1 }]))[0]!;
	const findCredentialType = async () => {
		const types = await (await instance.rest.get('/types/credentials.json')).json();
		return (types as Array<{ name: string; iconUrl?: unknown }>).find(
			({ name }) => name === 'voiceSpeechApi',
		);
	};

	check('Loaded with all its operations', async () => {
		const { properties } = await readOwnType();
		const operations = properties.filter(({ name }) => name === 'operation');
		// Those of Recording have no endpoint.
		const sent = operations.flatMap(({ options }) => options).filter((one) => 'routing' in one!);
		expect(sent).toHaveLength(serviceEndpoints.length);
		expect(await findCredentialType()).toMatchObject({ supportedNodes: [ownType] });
	});

	check('Icons, light and dark', async () => {
		for (const icon of [(await readOwnType()).iconUrl, (await findCredentialType())?.iconUrl]) {
			const { light, dark } = icon as { light: string; dark: string };
			expect(light).not.toBe(dark);
			for (const url of [light, dark]) {
				const response = await instance.rest.get(`/${url}`);
				expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
				expect(await response.text()).toMatch(/^<svg /);
			}
		}
	});

	const testCredential = async (data = {}) => {
		const { rest, credential } = instance;
		const saved = { apiKey: instanceKey, environment: 'sandbox', baseUrl: service.baseUrl };
		return await rest.call<{ status: string; message: string }>('POST', '/credentials/test', {
			credentials: { ...credential, type: 'voiceSpeechApi', data: { ...saved, ...data } },
		});
	};

	check('The credential test passes if the service is reachable', async () => {
		service.respond = respondWithJson({ error: 'POST only' }, 405);
		expect(await testCredential()).toMatchObject({ status: 'OK' });
		expect(service.requests).toMatchObject([
			{ method: 'GET', url: '/ai/speech-to-text', headers: { 'x-api-key': instanceKey } },
		]);
	});

	check('The credential test names the reason: key refused, service down, redirect', async () => {
		const expectFailure = async (data: object, sentence: RegExp) => {
			const message = expect.stringMatching(sentence) as string;
			expect(await testCredential(data)).toMatchObject({ status: 'Error', message });
		};
		const refusals = [
			{ status: 401, sentence: /^The service does not accept this key/ },
			{ status: 503, sentence: /^The service failed\. .*\(Status 503\)/ },
			{ status: 302, sentence: /redirects to another address/ },
			// Clients do not follow it. It has no meaning of its own (RFC 9110, 15.4).
			{ status: 399, sentence: /redirects to another address/ },
		];
		for (const { status, sentence } of refusals) {
			// Servers compress a response if they may.
			service.respond = (request, response) => {
				const mayCompress = String(request.headers['accept-encoding']).includes('gzip');
				const encoding = mayCompress ? 'gzip' : 'identity';
				const headers = { Location: elsewhere.baseUrl, 'Content-Encoding': encoding };
				response.writeHead(status, headers);
				response.end(mayCompress ? gzipSync('no') : 'no');
			};
			await expectFailure({}, sentence);
		}
		expect(elsewhere.requestCount).toBe(0);
		const refused = /ECONNREFUSED|refused the connection/;
		await expectFailure({ baseUrl: 'http://127.0.0.1:9' }, refused);
		const otherKey = /'Environment' of the credential is 'Live', but its key is a sandbox key/;
		await expectFailure({ environment: 'live' }, otherKey);
	});
}
