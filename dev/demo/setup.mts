import { join } from 'node:path';
import { installHost } from '../n8n/install.mts';
import { packPackage, placePackage } from '../n8n/package.mts';
import { Problem } from '../lib/problem.mts';
import { recordPackage } from '../n8n/record.mts';
import { nodeTypes, putCredential, signIn } from '../n8n/rest.mts';
import { startHost } from '../n8n/start.mts';
import { newest } from '../n8n/versions.mts';
import { startService } from './emulator.mts';
import { createFolders } from './folders.mts';
import { importExamples } from './import.mts';
import { MODEL, startOutside } from './outside/server.mts';
import { writeSamples } from './samples.mts';
import { writeState } from './state.mts';
import { createTables } from './tables.mts';
import type { Delivery } from './outside/server.mts';
import type { Service } from './emulator.mts';

/** A running n8n with this package, the emulator, and the examples with all that they need. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/**
 * Starts n8n and the servers that the examples use.
 * @param options.folder everything that this demo keeps
 * @param options.port n8n's port
 * @param options.outsidePort of the mock server; any free port by default
 * @param options.onDelivery called for everything that the mock server receives
 * @param options.version n8n's version; the newest of `dev/n8n/` by default
 * @param options.environment n8n's further settings
 * @param options.fresh delete what earlier runs left in the folder
 * @param options.onStep called before each step
 * @param options.onService called when the emulator is up, before n8n is started
 * @param options.onWarning called instead of throwing if an edited example cannot be published
 * @param options.signal ends it
 * @throws {Problem} if something is missing or fails, with advice in the message
 */
export async function startDemo({
	onStep = () => {},
	onService = () => {},
	onDelivery = () => {},
	outsidePort = 0,
	version = newest,
	environment = {},
	...options
}: {
	folder: string;
	port: number;
	emulatorPort: number;
	outsidePort?: number;
	onDelivery?: (delivery: Delivery) => void;
	version?: string;
	environment?: Record<string, string>;
	fresh?: boolean;
	onStep?: (step: string, usually?: string) => void;
	onService?: (service: Service) => void;
	onWarning?: (problem: Problem) => void;
	signal?: AbortSignal;
}) {
	const { folder, port, emulatorPort, onWarning, signal } = options;
	const folders = await createFolders(folder, options);
	const { userFolder, emulatorFolder, files, recordings, state } = folders;

	const stops: (() => Promise<void>)[] = [];
	const stop = async () => {
		for (const one of stops.splice(0).reverse()) await one();
	};
	try {
		const service = await startService(emulatorPort, emulatorFolder, state);
		stops.push(service.stop);
		state.apiKey = service.apiKey;
		state.voiceId = service.voiceId;
		await writeState(folder, state);
		onService(service);
		const outside = await startOutside(outsidePort, onDelivery, `http://127.0.0.1:${port}`);
		stops.push(outside.stop);
		const samples = await writeSamples(files);

		const tarball = await packPackage({ onStep, signal });
		const host = await installHost(version, { onStep, signal });
		const manifest = await placePackage(tarball, userFolder);

		onStep(`Starting n8n ${version}`, '6 to 30 seconds');
		const n8n = await startHost(host, {
			userFolder,
			port,
			logFile: join(folder, 'n8n.log'),
			environment: { NODES_EXCLUDE: '[]', N8N_RESTRICT_FILE_ACCESS_TO: files, ...environment },
			signal,
		});
		stops.push(n8n.stop);

		onStep('Creating the owner, the credentials and the example workflows');
		const rest = await signIn(n8n.url, state.login);
		const types = await nodeTypes(rest);
		if (!types.some(({ name }) => name.startsWith(`${manifest.name}.`))) {
			throw new Problem(`n8n did not load the package. ${n8n.logFile} has the reason.`);
		}
		recordPackage(host, userFolder, manifest, types);
		const credential = await putCredential(rest, {
			name: 'Voice and Speech (emulator)',
			type: 'voiceSpeechApi',
			data: { apiKey: service.apiKey, environment: 'sandbox', baseUrl: service.baseUrl },
		});
		const model = await putCredential(rest, {
			name: 'Language model (mock)',
			type: 'openAiApi',
			data: { apiKey: 'none', url: `${outside.url}/llm/v1` },
		});
		const tables = await createTables(rest);
		const ids = Object.entries(tables).map(([setting, { id }]) => [setting, id]);
		const { voiceId } = service;
		const settings = { ...Object.fromEntries(ids), model: MODEL, summaryModel: MODEL, voiceId };
		const chosen = { credential, files, model, outside: outside.url, settings };
		const workflows = await importExamples(rest, { state, onWarning, ...chosen });
		await writeState(folder, state);
		signal?.throwIfAborted();
		return {
			...{ n8n, rest, login: state.login, service, outside, stop },
			/** By the example's name. */
			workflows,
			/** By the setting that has their ID. */
			tables,
			/** Folders: that n8n may use, that an example watches, with recordings to upload. */
			...{ files, recordings, samples },
			/** A cloned voice. */
			voiceId,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
