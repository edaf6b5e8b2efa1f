import { putCredential, type CredentialReference } from '../../dev/n8n/rest.mts';
import { createNode, createVoiceNode, publishFlow, type Flow } from '../support/flow.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { createTestFolder } from '../support/testFolder.mts';
import { startCluster, type Cluster } from './cluster/cluster.mts';
import { startLoggedEmulator, type LoggedEmulator } from './load/loggedEmulator.mts';
import { submitRecordings, type Uploads } from './load/submit.mts';
import { rememberRecordings, waitForEndedRows } from './executions.mts';
import { collectFacts } from './facts.mts';

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
export function useQueueSetup(environment: Record<string, string> = {}): QueueSetup {
	const queue = {} as QueueSetup;
	const stops: Array<() => Promise<void>> = [];
	afterAll(async () => {
		for (const stop of stops.reverse()) await stop();
	});
	// It is deleted after the processes have ended.
	const folder = createTestFolder();
	beforeAll(async () => {
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
		Object.assign(queue, { cluster, service, credential, formUrl: `${webhook.url}/form/queue` });
	});
	return queue;
}

/** Uploads recordings, does something meanwhile, and resolves when all executions have ended. */
export async function upload(
	setup: QueueSetup,
	how: Uploads,
	meanwhile: () => Promise<void> = async () => {},
) {
	const uploads = submitRecordings(setup.formUrl, how);
	await meanwhile();
	const submissions = await uploads;
	const accepted = submissions.filter((one) => one.accepted).length;
	const timeoutMs = 5 * 60_000 + how.count * 500;
	const rows = await waitForEndedRows(setup.cluster, how.run, accepted, timeoutMs);
	// A run of an earlier test that failed may still be calling.
	const ownCalls = setup.service.calls.filter(
		({ recording }) => recording === '' || recording.startsWith(`${how.run}-`),
	);
	const facts = await collectFacts(setup, submissions, rows, ownCalls);
	const { statuses, calls } = facts;
	process.stdout.write(`${how.run}: ${JSON.stringify({ accepted, statuses, calls })}\n`);
	return facts;
}
