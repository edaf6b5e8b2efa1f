import { setTimeout as sleep } from 'node:timers/promises';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { waitForExecution } from '../../../dev/n8n/executions.mts';
import { enableBatching, neverRespond } from '../../support/calls.mts';
import { createNode, createVoiceNode } from '../../support/flow.mts';
import { sentimentParameters } from '../../support/nodeParameters.mts';
import { respondWithJson, type ScriptedServer } from '../../support/servers/scriptedServer.mts';
import { elsewhere, instance, instanceKey, service } from '../instance.mts';
import type { Check } from '../report.mts';

const createTexts = (count: number) => ({
	items: Array.from({ length: count }, (_, index) => ({ text: `text ${index}` })),
});

/** What ends requests, and which ones get the key. test/engine and test/credits have what n8n's engine shows. */
export function testRequests(check: Check): void {
	/** Waits until this many calls are open. */
	const waitForOpenCalls = async (count: number) =>
		await waitUntil(() => service.inProgress === count);

	check('Cancelling the execution ends the calls and starts no more', async () => {
		const { rest, startExecution } = instance;
		service.respond = neverRespond;
		const nodes = [createVoiceNode(sentimentParameters)];
		const id = await startExecution({ from: createTexts(8), nodes });
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
		const { demo, run } = instance;
		service.respond = respondWithJson({ error: 'no' }, 422);
		// The execution must end without a wait for the later batches.
		const parameters = { ...sentimentParameters, ...enableBatching(2, 600_000) };
		const execution = await run({ from: createTexts(5), nodes: [createVoiceNode(parameters)] });
		expect(execution.error).toContain('(422)');
		expect(service.requestCount).toBeLessThanOrEqual(2);
		expect((await fetch(`${demo.n8n.url}/healthz`)).status).toBe(200);
	});

	check("The credential in n8n's HTTP Request node: its own origin only", async () => {
		const requestFrom = async ({ baseUrl }: ScriptedServer) => {
			const node = createNode('HTTP', 'n8n-nodes-base.httpRequest', 4.2, {
				method: 'POST',
				url: `${baseUrl}/ai/new`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'voiceSpeechApi',
				options: {},
			});
			const credentials = { voiceSpeechApi: instance.credential };
			return await instance.run({ from: { items: [{}] }, nodes: [{ ...node, credentials }] });
		};
		service.respond = respondWithJson({ ok: true });
		const { items } = await requestFrom(service);
		expect(items('HTTP')[0]?.json).toEqual({ ok: true });
		expect(service.requests[0]?.headers['x-api-key']).toBe(instanceKey);

		expect((await requestFrom(elsewhere)).error).toMatch(/This credential sends its key to/);
		service.respond = respondWithJson({}, 307, { Location: elsewhere.baseUrl });
		await requestFrom(service);
		expect(service.requestCount).toBe(2);
		expect(elsewhere.requestCount).toBe(0);
	});
}
