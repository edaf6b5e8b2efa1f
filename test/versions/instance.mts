import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startDemo } from '../../dev/demo/startDemo.mts';
import { waitForExecution } from '../../dev/n8n/executions.mts';
import { putCredential } from '../../dev/n8n/rest.mts';
import { demoExamples } from '../full/examples/forms.mts';
import { ScriptedServer } from '../support/servers/scriptedServer.mts';
import { startFlow, type Flow } from '../support/flow.mts';

/** A key in the form of the service's keys, and too short to be a real one. */
export const instanceKey = 'eak_test_versions';

export type N8nLauncher = Awaited<ReturnType<typeof openLauncher>>;
export type Instance = Awaited<ReturnType<N8nLauncher['start']>>;

/** Starts n8n in any version, with the services and the folder that all versions share. */
export async function openLauncher() {
	const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-versions-'));
	// The service records its requests, and a test chooses its responses.
	const service = await ScriptedServer.start();
	// Another such server, which has another origin.
	const elsewhere = await ScriptedServer.start();

	/**
	 * Starts the demo in this version, which is installed if it is missing.
	 *
	 * @param isComplete whether it has the editor, and the examples that the checks use
	 */
	async function start(version: string, binaryMode: string, isComplete: boolean) {
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
		/** Ends and forgets what an earlier test left at the services. */
		const reset = async () => {
			for (const server of [service, elsewhere]) {
				await server.endRequests();
				server.reset();
			}
		};
		return { demo, rest, service, elsewhere, credential, run, startExecution, reset };
	}

	async function close() {
		await Promise.all([service.stop(), elsewhere.stop()]);
		await rm(folder, { recursive: true, force: true });
	}

	return { start, close };
}
