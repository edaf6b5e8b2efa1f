import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { waitForExecution } from '../../../dev/n8n/executions.mts';
import {
	enableBatching,
	neverRespond,
	respondAfter,
	respondWhenInProgress,
} from '../../support/calls.mts';
import { createLongAdts } from '../../support/media/adts.mts';
import { createWav } from '../../support/media/recordings.mts';
import {
	respondWithBytes,
	respondWithJson,
	computeSha256,
} from '../../support/servers/scriptedServer.mts';
import { createNode, createVoiceNode } from '../../support/flow.mts';
import { instanceKey, type Instance } from '../instance.mts';
import { createCheck } from '../report.mts';
import { n8nVersions } from '../../support/n8nVersions.mts';
import { sentimentParameters, speechToTextParameters } from '../../support/nodeParameters.mts';

const createTexts = (count: number) => ({
	items: Array.from({ length: count }, (_, index) => ({ text: `text ${index}` })),
});

/** Tests how n8n sends requests: how many at once, through which proxy, and what ends them. */
export function testRequests(version: string, instance: () => Instance): void {
	const check = createCheck(version);
	/** Waits until this many calls are open. */
	const waitForOpenCalls = async (count: number) => {
		const { service } = instance();
		await waitUntil(() => service.inProgress === count);
	};

	/** Runs the node with some items and these further parameters. */
	const call = async (count: number, parameters: object = {}) =>
		await instance().run({
			from: createTexts(count),
			nodes: [createVoiceNode({ ...sentimentParameters, ...parameters })],
		});

	check('Concurrency: 5 calls at once, or as many as set', async () => {
		const { service } = instance();
		// A call that would be too many has this time to arrive.
		const respond = respondAfter(100, respondWithJson({ ok: true }));
		service.reset(respondWhenInProgress(service, 5, respond));
		await call(12);
		expect([service.requestCount, service.maxInProgress]).toEqual([12, 5]);

		service.reset(respondWhenInProgress(service, 2, respond));
		const { items } = await call(6, { options: { concurrency: 2 } });
		expect([service.requestCount, service.maxInProgress]).toEqual([6, 2]);
		expect(items('Voice').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4, 5].map((item) => ({ item })),
		);
	});

	check('Cancelling the execution ends the calls and starts no more', async () => {
		const { service, rest, startFlow } = instance();
		service.reset(neverRespond);
		const id = await startFlow({
			from: createTexts(8),
			nodes: [createVoiceNode(sentimentParameters)],
		});
		await waitForOpenCalls(5);
		await rest.call('POST', `/executions/${id}/stop`);
		const execution = await waitForExecution(rest, id);
		await waitForOpenCalls(0);
		expect(execution.status).toBe('canceled');
		// No event marks that no call starts any more, so the check waits for a call that would be wrong.
		await sleep(300);
		expect(service.requestCount).toBe(5);
	});

	const createUrlNode = (audioUrl: string) =>
		createVoiceNode({ ...speechToTextParameters, audioSource: 'url', audioUrl });
	const item = { items: [{}] };

	check('Audio from a URL, redirects included, without the key', async () => {
		const { service, elsewhere, run } = instance();
		const recording = createWav(60);
		elsewhere.reset((request, response, index) => {
			const redirect = respondWithJson({}, 302, { Location: '/talk%20one.wav' });
			const respond = request.url === '/hop' ? redirect : respondWithBytes(recording, 'audio/wav');
			respond(request, response, index);
		});
		service.reset(respondWithJson({ text: 'heard' }));
		const execution = await run({ from: item, nodes: [createUrlNode(`${elsewhere.baseUrl}/hop`)] });
		expect(execution.error).toBeUndefined();
		expect(service.requests[0]!.parts[0]).toMatchObject({
			name: 'file',
			sha256: computeSha256(recording),
		});
		expect(elsewhere.requests).toHaveLength(2);
		for (const request of elsewhere.requests) {
			expect(JSON.stringify(request.headers)).not.toContain(instanceKey);
		}
	});

	check('A recording that changes while it is converted is not sent', async () => {
		const { service, elsewhere, run } = instance();
		const responses = [createLongAdts(), createLongAdts('other')];
		elsewhere.reset((request, response, index) =>
			respondWithBytes(responses[index]!, 'audio/aac')(request, response, index),
		);
		service.reset(respondWithJson({ text: 'heard' }));
		const execution = await run({
			from: item,
			nodes: [createUrlNode(`${elsewhere.baseUrl}/a.aac`)],
		});
		expect(execution.error).toMatch(/^Reading the audio failed during the upload .*changed while/);
		expect(service.requests).toEqual([]);
	});

	const { leavesCallsOpen = false } = n8nVersions.find((one) => one.version === version)!;

	const left = leavesCallsOpen ? 'yes, but n8n can leave the call open' : 'yes';
	createCheck(version, left)('The Timeout of the request options ends the call', async () => {
		const { service } = instance();
		const open: ServerResponse[] = [];
		service.reset((_request, response) => open.push(response));
		const execution = await call(1, { requestOptions: { timeout: 700 } });
		expect(execution.error).toMatch(
			/^The service did not respond within the 'Timeout' of the request options .*may have been debited/,
		);
		// The limits of n8n's client and of the node end at about the same time. Only if the former is first, the call stays
		// open.
		if (!leavesCallsOpen) await waitForOpenCalls(0);
		expect(service.requestCount).toBe(1);
		for (const response of open) response.end();
	});

	check('The option Response Timeout ends the call', async () => {
		const { service } = instance();
		service.reset(neverRespond);
		const execution = await call(1, { options: { responseTimeoutSeconds: 1 } });
		expect(execution.error).toMatch(
			/^The service did not respond within 1 second .*may have been debited/,
		);
		await waitForOpenCalls(0);
		expect(service.requestCount).toBe(1);
	});

	check('A failure in the first of several batches does not harm n8n', async () => {
		const { service, demo } = instance();
		service.reset(respondWithJson({ error: 'no' }, 422));
		// The execution must end without a wait for the later batches.
		const execution = await call(5, enableBatching(2, 600_000));
		expect(execution.error).toContain('(422)');
		expect(service.requestCount).toBeLessThanOrEqual(2);
		expect((await fetch(`${demo.n8n.url}/healthz`)).status).toBe(200);
	});

	check('The Proxy of the request options gets the call', async () => {
		const { service, elsewhere: proxy } = instance();
		service.reset();
		proxy.reset(respondWithJson({ by: 'the proxy' }));
		const execution = await call(1, { requestOptions: { proxy: proxy.baseUrl } });
		expect(execution.error).toBeUndefined();
		expect(execution.items('Voice')[0]?.json).toEqual({ by: 'the proxy' });
		expect(proxy.requests).toMatchObject([
			{ method: 'POST', url: `${service.baseUrl}/ai/sentiment` },
		]);
		expect(service.requestCount).toBe(0);
	});

	check("The credential in n8n's HTTP Request node: its own origin only", async () => {
		const { service, elsewhere, run, credential } = instance();
		const parameters = {
			method: 'POST',
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'voiceSpeechApi',
			options: {},
		};
		const createRequestNode = (url: string) => ({
			...createNode('HTTP', 'n8n-nodes-base.httpRequest', 4.2, { ...parameters, url }),
			credentials: { voiceSpeechApi: credential },
		});
		elsewhere.reset();
		service.reset(respondWithJson({ ok: true }));
		const { items } = await run({
			from: item,
			nodes: [createRequestNode(`${service.baseUrl}/ai/new`)],
		});
		expect(items('HTTP')[0]?.json).toEqual({ ok: true });
		expect(service.requests[0]?.headers['x-api-key']).toBe(instanceKey);

		const away = await run({
			from: item,
			nodes: [createRequestNode(`${elsewhere.baseUrl}/ai/new`)],
		});
		expect(away.error).toMatch(/This credential sends its key to/);
		service.reset(respondWithJson({}, 307, { Location: elsewhere.baseUrl }));
		await run({ from: item, nodes: [createRequestNode(`${service.baseUrl}/ai/new`)] });
		expect(service.requestCount).toBe(1);
		expect(elsewhere.requestCount).toBe(0);
	});
}
