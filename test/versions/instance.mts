import path from 'node:path';

import { startDemo } from '../../dev/demo/startDemo.mts';
import { waitForExecution } from '../../dev/n8n/executions.mts';
import { putCredential } from '../../dev/n8n/rest.mts';
import { demoExamples } from '../full/examples/forms.mts';
import { startFlow, type Flow } from '../support/flow.mts';
import { ScriptedServer } from '../support/servers/scriptedServer.mts';
import { createTestFolder } from '../support/testFolder.mts';

/** A key in the form of the service's keys, and too short to be a real one. */
export const instanceKey = 'eak_test_versions';

const folder = createTestFolder();

/** It records its requests, and a test chooses its responses. */
export const service = ScriptedServer.use();

/** Another such server, which has another origin. */
export const elsewhere = ScriptedServer.use();

/** What {@link startInstance} has started last. */
export let instance: Awaited<ReturnType<typeof startInstance>>;

/**
 * Starts the demo in this version, which is installed if it is missing.
 *
 * @param isComplete whether it has the editor, and the examples that the checks use
 */
export async function startInstance(version: string, binaryMode: string, isComplete: boolean) {
	const demo = await startDemo({
		folder: path.join(folder, version),
		version,
		examples: isComplete ? Object.keys(demoExamples) : [],
		environment: {
			N8N_DEFAULT_BINARY_DATA_MODE: binaryMode,
			N8N_DISABLE_UI: String(!isComplete),
		},
	});
	const { rest } = demo;
	const credential = await putCredential(rest, {
		name: 'Scripted service',
		type: 'voiceSpeechApi',
		data: { apiKey: instanceKey, environment: 'sandbox', baseUrl: service.baseUrl },
	});
	/** Resolves with the id of the execution, which may not have ended. */
	const startExecution = async (flow: Flow) => await startFlow(rest, flow, credential);
	const run = async (flow: Flow) => await waitForExecution(rest, await startExecution(flow));
	/** Like `run`, for an execution that must succeed. */
	const runToEnd = async (flow: Flow) => {
		const execution = await run(flow);
		expect(execution.error).toBeUndefined();
		return execution;
	};
	const started = { demo, rest, credential, run, runToEnd, startExecution };
	instance = started;
	return started;
}
