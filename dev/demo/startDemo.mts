import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';

import { readErrorCode, UserFacingError } from '../lib/errors.mts';
import type { StepOptions } from '../lib/progress.mts';
import { installN8n } from '../n8n/install.mts';
import { packPackage, placePackage } from '../n8n/package.mts';
import {
	putCredential,
	readNodeTypes,
	RestError,
	signIn,
	type CredentialReference,
	type Login,
	type Rest,
} from '../n8n/rest.mts';
import { startN8n, type RunningN8n } from '../n8n/start.mts';
import { newest } from '../n8n/versions.mts';
import { startSeededEmulator, type SeededEmulator } from './emulator.mts';
import { createDataTables, type DataTable } from './dataTables.mts';
import { importExamples } from './import.mts';
import {
	modelName,
	startMockSystems,
	type Delivery,
	type MockSystems,
} from './mockSystems/server.mts';
import { writeSamples } from './samples.mts';
import { readState, writeState, type DemoState } from './state.mts';

export interface DemoOptions extends StepOptions {
	/** Where this demo keeps its data. */
	folder: string;
	/** Ports to use if they are free; any free ports by default. */
	ports?: { n8n: number; emulator: number; mockSystems: number };
	/** n8n's version; the newest of `dev/n8n/` by default. */
	version?: string;
	/** Names of the examples to import; all by default. */
	examples?: string[];
	/** n8n's further settings. */
	environment?: Record<string, string>;
	/** Called for everything that the mock server for other systems receives. */
	onDelivery?: (delivery: Delivery) => void;
}

/** A running n8n with this package, the emulator, and the examples with all that they need. */
export interface Demo {
	n8n: RunningN8n;
	login: Login;
	rest: Rest;
	emulator: SeededEmulator;
	/** The credential for the emulator. */
	credential: CredentialReference;
	mockSystems: MockSystems;
	workflows: DemoState['workflows'];
	/** The data tables, by the setting that has their ID. */
	tables: Record<string, DataTable>;
	/** The folder that n8n may use. It has `samples` to upload; an example watches `inbox`. */
	files: string;
	/** Ends everything that was started. */
	stop: () => Promise<void>;
}

/** Functions that end what was started, in the order in which it was started. */
type Stops = Array<() => Promise<void>>;

/** The servers that the examples call. */
type Servers = Pick<Demo, 'emulator' | 'mockSystems'>;

/**
 * Starts n8n and the servers that the examples use.
 *
 * @throws {UserFacingError} if something is missing or fails, with advice in the message
 * @throws the signal's reason if it was aborted
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
	const stops: Stops = [];
	const stop = async () => {
		for (const one of stops.splice(0).reverse()) await one();
	};
	try {
		return { ...(await startAll(options, stops)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startAll(options: DemoOptions, stops: Stops): Promise<Omit<Demo, 'stop'>> {
	const { folder, ports, signal } = options;
	const saved = await readState(folder);
	const port = await getPort({ port: ports?.n8n });
	const servers = await startServers(options, saved, `http://127.0.0.1:${port}`, stops);
	const { apiKey, voiceId } = servers.emulator;
	const state = { ...saved, apiKey, voiceId, mockSystemsPort: servers.mockSystems.port };
	// n8n's owner is created with this login, so the login is saved before n8n starts.
	await writeState(folder, state);

	const files = path.join(folder, 'files');
	await mkdir(path.join(files, 'inbox'), { recursive: true });
	await writeSamples(files);
	const n8n = await startDemoN8n(options, port, files);
	stops.push(n8n.stop);

	options.onStep?.('Creating the owner, the credentials and the example workflows');
	const contents = await fillN8n(n8n, servers, state, files, options.examples);
	await writeState(folder, { ...state, workflows: contents.workflows });
	signal?.throwIfAborted();
	return { n8n, login: state.login, ...servers, ...contents, files };
}

/**
 * Starts the emulator and the mock server for other systems.
 *
 * @param saved the emulator's key and voice, and the mock server's port, of an earlier run
 * @param n8nUrl where n8n will be
 */
async function startServers(
	{ folder, ports, onDelivery = () => {} }: DemoOptions,
	saved: DemoState,
	n8nUrl: string,
	stops: Stops,
): Promise<Servers> {
	const emulatorPort = await getPort({ port: ports?.emulator });
	const emulator = await startSeededEmulator(emulatorPort, path.join(folder, 'emulator'), saved);
	stops.push(async () => await emulator.stop());
	const port = saved.mockSystemsPort ?? (await getPort({ port: ports?.mockSystems }));
	const mockSystems = await startMockSystems(port, onDelivery, n8nUrl).catch((error: unknown) => {
		if (readErrorCode(error) !== 'EADDRINUSE') throw error;
		throw new UserFacingError(
			`Another program uses port ${port}, which the demo's workflows call. End that program, or delete the demo's folder (${folder}).`,
		);
	});
	stops.push(mockSystems.stop);
	return { emulator, mockSystems };
}

async function startDemoN8n(
	{ folder, onStep = () => {}, version = newest, environment, signal }: DemoOptions,
	port: number,
	files: string,
): Promise<RunningN8n> {
	// n8n copies its editor here. ESLint ignores folders of this name, so n8n's lint does not read the editor's 700 files.
	const userFolder = path.join(folder, 'node_modules/n8n-user-folder');
	const tarball = await packPackage({ onStep, signal });
	const installed = await installN8n(version, { onStep, signal });
	await placePackage(tarball, userFolder);
	onStep(`Starting n8n ${version} (usually 6 to 30 seconds)`);
	return await startN8n(installed, {
		userFolder,
		port,
		logFile: path.join(folder, 'n8n.log'),
		environment: { NODES_EXCLUDE: '[]', N8N_RESTRICT_FILE_ACCESS_TO: files, ...environment },
		signal,
	});
}

/**
 * Creates the owner, the credentials, the data tables and the workflows that are not there yet.
 *
 * @param saved the login of the owner, and the workflows of an earlier run
 * @param examples names of those to import; all by default
 */
async function fillN8n(
	n8n: RunningN8n,
	{ emulator, mockSystems }: Servers,
	saved: DemoState,
	files: string,
	examples?: string[],
): Promise<Pick<Demo, 'rest' | 'credential' | 'tables' | 'workflows'>> {
	const rest = await signIn(n8n.url, saved.login);
	const own = { type: 'n8n-nodes-voice-speech.voiceSpeech', typeVersion: 1 };
	await readNodeTypes(rest, [own]).catch((error: unknown) => {
		if (!(error instanceof RestError)) throw error;
		throw new UserFacingError(`n8n did not load the package. ${n8n.logFile} has the reason.`);
	});
	const { apiKey, baseUrl, voiceId } = emulator;
	const credential = await putCredential(rest, {
		// This name differs from the one that n8n gives to a credential of the user's own, such as 'Voice and Speech account'.
		name: 'Demo (emulator, no real credits)',
		type: 'voiceSpeechApi',
		data: { apiKey, environment: 'sandbox', baseUrl },
	});
	const model = await putCredential(rest, {
		name: 'Language model (mock)',
		type: 'openAiApi',
		data: { apiKey: 'none', url: `${mockSystems.url}/llm/v1` },
	});
	const tables = await createDataTables(rest);
	const settings: Record<string, string | number> = {
		model: modelName,
		summaryModel: modelName,
		voiceId,
		// Files are copied into the demo's folders at once.
		waitSeconds: 2,
	};
	for (const [setting, { id }] of Object.entries(tables)) settings[setting] = id;
	const choices = { credential, files, model, mockSystemsUrl: mockSystems.url, settings };
	const workflows = await importExamples(rest, choices, saved.workflows, examples);
	return { rest, credential, tables, workflows };
}
