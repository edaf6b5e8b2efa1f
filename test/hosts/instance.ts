/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-hardcoded-secrets, @n8n/community-nodes/require-node-api-error -- tests run on a developer's machine, never in n8n */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startEmulator, type RunningEmulator } from '../support/emulator';
import { ScriptedServer } from '../support/scriptedServer';
import type { Application } from '../full/examples/service';
import { nodesOf, type Flow, type Reference } from './flow';
import { loadTools, type Demo, type Execution, type Rest, type Tools } from '../full/tools';
import type { HostVersion } from './versions';

const login = { email: 'owner@voice-speech.example', password: 'Tests-of-many-hosts-1' };

/** A key as the service gives it out, short enough that nobody takes it for a real one. */
export const API_KEY = 'eak_test_hosts';

/** A running n8n of one version with the packed package in it, and the services that it calls. */
export interface Instance {
	version: HostVersion;
	tools: Tools;
	n8n: Demo['n8n'];
	rest: Rest;
	/** The folder that nodes may read and write. */
	files: string;
	/** The folder that an example watches. */
	recordings: string;
	/** A service that records its requests, and whose responses the test chooses. */
	service: ScriptedServer;
	/** Another server, at another origin. */
	elsewhere: ScriptedServer;
	credential: Reference;
	/** The emulator, whose responses follow from the audio and the text. */
	emulated: Application['service'];
	emulatorCredential: Reference;
	run(flow: Flow): Promise<Execution>;
	/** Starts it and does not wait; the id is the execution's. */
	start(flow: Flow): Promise<string>;
}

/** The services and the folder that the n8n of every version use. */
export class Stage {
	private constructor(
		readonly tools: Tools,
		readonly folder: string,
		readonly service: ScriptedServer,
		readonly elsewhere: ScriptedServer,
		readonly emulator: RunningEmulator,
		private readonly emulatorKey: string,
	) {}

	static async open(): Promise<Stage> {
		const tools = await loadTools();
		const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-hosts-'));
		const emulator = await startEmulator();
		const key = await emulator.createKey('sandbox');
		const [service, elsewhere] = [await ScriptedServer.start(), await ScriptedServer.start()];
		return new Stage(tools, folder, service, elsewhere, emulator, key);
	}

	async close(): Promise<void> {
		await Promise.all([this.service.stop(), this.elsewhere.stop(), this.emulator.stop()]);
		await rm(this.folder, { recursive: true, force: true });
	}

	/** Installs the version if it is missing, puts the package into it as its own installation does, and starts it. */
	async start(version: HostVersion, binaryMode: string): Promise<Instance> {
		const { tools, service, elsewhere, emulator } = this;
		const host = await tools.installHost(version.version);
		const userFolder = path.join(this.folder, version.version);
		const files = path.join(userFolder, 'files');
		const recordings = path.join(files, 'recordings');
		await mkdir(recordings, { recursive: true });
		const manifest = await tools.placePackage(await tools.packPackage(), userFolder);
		const n8n = await tools.startHost(host, {
			userFolder,
			port: await tools.freePort(),
			logFile: path.join(this.folder, `${version.version}-${binaryMode}.log`),
			environment: {
				NODES_EXCLUDE: '[]',
				N8N_RESTRICT_FILE_ACCESS_TO: files,
				N8N_DEFAULT_BINARY_DATA_MODE: binaryMode,
			},
		});
		try {
			const rest = await tools.signIn(n8n.url, login);
			tools.recordPackage(host, userFolder, manifest, await tools.nodeTypes(rest));
			const credentialFor = async (name: string, apiKey: string, baseUrl: string) =>
				await tools.putCredential(rest, {
					name,
					type: 'voiceSpeechApi',
					data: { apiKey, environment: 'sandbox', baseUrl },
				});
			const credential = await credentialFor('Scripted service', API_KEY, service.baseUrl);
			const start = async (flow: Flow) => {
				const workflow = nodesOf(flow, credential);
				const saved = await tools.putWorkflow(rest, workflow);
				return await tools.run(rest, { ...workflow, ...saved }, 'Start');
			};
			return {
				...{ version, tools, n8n, rest, files, recordings, service, elsewhere, credential, start },
				emulated: {
					...{
						baseUrl: emulator.baseUrl,
						consoleUrl: emulator.consoleUrl,
						apiKey: this.emulatorKey,
					},
					credits: async () =>
						((await emulator.api('GET', '/wallets')) as { sandbox: { balance: number } }).sandbox
							.balance,
				},
				emulatorCredential: await credentialFor('Emulator', this.emulatorKey, emulator.baseUrl),
				run: async (flow) => await tools.finishedExecution(rest, await start(flow)),
			};
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	}
}
