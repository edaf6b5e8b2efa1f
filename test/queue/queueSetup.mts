import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { putCredential, type CredentialReference } from '../../dev/n8n/rest.mts';
import { createNode, createVoiceNode, publishFlow, type Flow } from '../support/flow.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { startCluster, type Cluster } from './cluster/cluster.mts';
import { startLoggedEmulator, type LoggedEmulator } from './load/loggedEmulator.mts';
import { submitRecordings } from './load/submit.mts';
import { rememberRecordings, waitForEndedRows } from './executions.mts';
import { collectFacts, countStarts } from './facts.mts';

export interface QueueSetup {
	cluster: Cluster;
	service: LoggedEmulator;
	formUrl: string;
	credential: CredentialReference;
}

/** The workflow under load: a form takes a recording, which is transcribed, and its text is spoken. */
const flow: Flow = {
	from: {
		trigger: {
			...createNode('Form', 'n8n-nodes-base.formTrigger', 2.6, {
				formTitle: 'Queue',
				formFields: {
					values: [{ fieldLabel: 'Recording', fieldType: 'file', multipleFiles: false }],
				},
				options: { path: 'queue' },
			}),
			webhookId: 'queue',
		},
	},
	nodes: [
		createVoiceNode(
			{ ...speechToTextParameters, binaryPropertyName: 'Recording' },
			{ name: 'Transcribe' },
		),
		createVoiceNode(
			{ ...textToSpeechParameters, text: '={{ $json.text }}', voiceId: 'vc_queue' },
			{ name: 'Speak' },
		),
	],
};

/** The facts (facts.mts) that must hold after any process is stopped. */
export const expectedFacts = {
	lost: [],
	doubled: [],
	paidTwice: [],
	reportedOnly: [],
	withoutResults: [],
	mixedUp: [],
};

/**
 * The service, and n8n with the published workflow under load, for the tests of a describe.
 *
 * @param environment further settings of n8n's processes
 */
export function useQueueSetup(environment: Record<string, string> = {}): { setup: QueueSetup } {
	const queue = {} as { setup: QueueSetup };
	const stops: Array<() => Promise<void>> = [];
	beforeAll(async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-queue-'));
		stops.push(async () => await rm(folder, { recursive: true, force: true }));
		const service = await startLoggedEmulator();
		stops.push(service.stop);
		const cluster = await startCluster(folder, environment);
		stops.push(cluster.stop);
		await rememberRecordings(cluster);
		const { rest, webhook } = cluster;
		const { apiKey, baseUrl } = service;
		const credential = await putCredential(rest, {
			name: 'Voice and Speech (emulator)',
			type: 'voiceSpeechApi',
			data: { apiKey, environment: 'sandbox', baseUrl },
		});
		await publishFlow(rest, flow, credential);
		queue.setup = { cluster, service, credential, formUrl: `${webhook.url}/form/queue` };
	});
	afterAll(async () => {
		for (const stop of stops.reverse()) await stop();
	});
	return queue;
}

/** Uploads recordings, does something meanwhile, and resolves when all executions have ended. */
export async function upload(
	setup: QueueSetup,
	how: { run: string; count: number; everyMs?: number },
	meanwhile: (uploads: Promise<unknown>) => Promise<void> = async () => {},
) {
	const startsBefore = await countStarts(setup);
	const uploads = submitRecordings(setup.formUrl, how);
	await meanwhile(uploads);
	const submissions = await uploads;
	const accepted = submissions.filter((one) => one.accepted).length;
	const timeoutMs = 5 * 60_000 + how.count * 500;
	const rows = await waitForEndedRows(setup.cluster, how.run, accepted, timeoutMs);
	// A run of an earlier test that failed may still be calling.
	const isOfOtherRun = ({ recording }: { recording: string }) =>
		recording !== '' && !recording.startsWith(`${how.run}-`);
	const ownCalls = setup.service.calls.filter((call) => !isOfOtherRun(call));
	const facts = await collectFacts(setup, submissions, rows, ownCalls, startsBefore);
	const { statuses, calls, byWorker } = facts;
	process.stdout.write(`${how.run}: ${JSON.stringify({ accepted, statuses, calls, byWorker })}\n`);
	return facts;
}
