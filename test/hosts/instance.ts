/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-hardcoded-secrets -- tests run on a developer's machine, never in n8n */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ScriptedServer } from '../support/scriptedServer';
import { nodesOf, type Flow, type Reference } from './flow';
import { loadTools, type Demo, type Execution, type Tools } from '../full/tools';

/** A key as the service gives it out, short enough that nobody takes it for a real one. */
export const API_KEY = 'eak_test_hosts';

/** The demo in one version of n8n, and services that the tests control. */
export interface Instance {
	tools: Tools;
	demo: Demo;
	rest: Demo['rest'];
	/** A service that records its requests, and whose responses the test chooses. */
	service: ScriptedServer;
	/** Another server, at another origin. */
	elsewhere: ScriptedServer;
	/** For the service. */
	credential: Reference;
	run(flow: Flow): Promise<Execution>;
	/** Starts it and does not wait; the id is the execution's. */
	start(flow: Flow): Promise<string>;
}

/** The services and the folder that the n8n of every version use. */
export class Stage {
	private constructor(
		private readonly tools: Tools,
		private readonly folder: string,
		private readonly service: ScriptedServer,
		private readonly elsewhere: ScriptedServer,
	) {}

	static async open(): Promise<Stage> {
		const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-hosts-'));
		const [service, elsewhere] = [await ScriptedServer.start(), await ScriptedServer.start()];
		return new Stage(await loadTools(), folder, service, elsewhere);
	}

	async close(): Promise<void> {
		await Promise.all([this.service.stop(), this.elsewhere.stop()]);
		await rm(this.folder, { recursive: true, force: true });
	}

	/** Starts the demo in this version, which is installed if it is missing. */
	async start(version: string, binaryMode: string): Promise<Instance> {
		const { tools, service, elsewhere } = this;
		const demo = await tools.startDemo({
			...{ folder: path.join(this.folder, version), version },
			...{ port: await tools.freePort(), emulatorPort: await tools.freePort() },
			environment: { N8N_DEFAULT_BINARY_DATA_MODE: binaryMode },
		});
		const { rest } = demo;
		const credential = await tools.putCredential(rest, {
			name: 'Scripted service',
			type: 'voiceSpeechApi',
			data: { apiKey: API_KEY, environment: 'sandbox', baseUrl: service.baseUrl },
		});
		const start = async (flow: Flow) => {
			const workflow = nodesOf(flow, credential);
			const saved = await tools.putWorkflow(rest, workflow);
			return await tools.run(rest, { ...workflow, ...saved }, 'Start');
		};
		const run = async (flow: Flow) => await tools.finishedExecution(rest, await start(flow));
		return { tools, demo, rest, service, elsewhere, credential, run, start };
	}
}
