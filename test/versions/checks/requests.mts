import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { waitForExecution } from '../../../dev/n8n/executions.mts';
import { enableBatching, neverRespond } from '../../support/calls.mts';
import { createNode, createVoiceNode } from '../../support/flow.mts';
import { sentimentParameters } from '../../support/nodeParameters.mts';
import { respondWithJson } from '../../support/servers/scriptedServer.mts';
import { instanceKey, type Instance } from '../instance.mts';
import { createCheck } from '../report.mts';

const createTexts = (count: number) => ({
	items: Array.from({ length: count }, (_, index) => ({ text: `text ${index}` })),
});

/** What ends requests, and which ones get the key. test/engine and test/credits have what n8n's engine shows. */
export function testRequests(version: string, instance: () => Instance): void {
	const check = createCheck(version);
	/** Waits until this many calls are open. */
	const waitForOpenCalls = async (count: number) => {
		const { service } = instance();
		await waitUntil(() => service.inProgress === count);
	};

	check('Cancelling the execution ends the calls and starts no more', async () => {
		const { service, rest, startExecution } = instance();
		service.reset(neverRespond);
		const id = await startExecution({
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

	check('A failure in the first of several batches does not harm n8n', async () => {
		const { service, demo, run } = instance();
		service.reset(respondWithJson({ error: 'no' }, 422));
		// The execution must end without a wait for the later batches.
		const parameters = { ...sentimentParameters, ...enableBatching(2, 600_000) };
		const execution = await run({ from: createTexts(5), nodes: [createVoiceNode(parameters)] });
		expect(execution.error).toContain('(422)');
		expect(service.requestCount).toBeLessThanOrEqual(2);
		expect((await fetch(`${demo.n8n.url}/healthz`)).status).toBe(200);
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
			from: { items: [{}] },
			nodes: [createRequestNode(`${service.baseUrl}/ai/new`)],
		});
		expect(items('HTTP')[0]?.json).toEqual({ ok: true });
		expect(service.requests[0]?.headers['x-api-key']).toBe(instanceKey);

		const away = await run({
			from: { items: [{}] },
			nodes: [createRequestNode(`${elsewhere.baseUrl}/ai/new`)],
		});
		expect(away.error).toMatch(/This credential sends its key to/);
		service.reset(respondWithJson({}, 307, { Location: elsewhere.baseUrl }));
		await run({ from: { items: [{}] }, nodes: [createRequestNode(`${service.baseUrl}/ai/new`)] });
		expect(service.requestCount).toBe(1);
		expect(elsewhere.requestCount).toBe(0);
	});
}
