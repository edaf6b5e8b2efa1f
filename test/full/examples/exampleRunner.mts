import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Delivery } from '../../../dev/demo/mockSystems/server.mts';
import { startDemo, type Demo } from '../../../dev/demo/startDemo.mts';
import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { waitForExecution } from '../../../dev/n8n/executions.mts';
import { putCredential } from '../../../dev/n8n/rest.mts';
import {
	activateWorkflow,
	putWorkflow,
	runWorkflow,
	type Workflow,
} from '../../../dev/n8n/workflows.mts';
import { listExecutions, startChat } from '../../support/executions.mts';
import { n8nVersions } from '../../support/n8nVersions.mts';
import { AppProxy } from '../../support/servers/appProxy.mts';
import { ScriptedModel } from '../../support/servers/scriptedModel.mts';
import {
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../../support/servers/scriptedServer.mts';
import { FormExamples, expectSuccess } from './formExamples.mts';

type Settings = Record<string, string | number>;

/** A credential for the nodes of a type. */
interface Credential {
	/** Without the name of its package. */
	nodeType: string;
	type: string;
	data: Record<string, unknown>;
}

/** A form, or what is sent as JSON. */
type PostBody = FormData | URLSearchParams | object;

/** A workflow as n8n returns it; `active` says whether it is published. */
type PublishedWorkflow = Workflow & { id: string; active: boolean };

/** One n8n with all examples, the emulator, and a server in place of the systems outside. */
class ExampleRunner extends FormExamples {
	/** How the server in place of the systems outside responds at these paths; elsewhere it sends an empty object. */
	responders: Record<string, Responder> = {};

	/** What puts back the changes of the test that runs. */
	private restorations: Array<() => Promise<void>> = [];

	private constructor(
		demo: Demo,
		readonly scriptedServer: ScriptedServer,
		/** The hosts of apps, as n8n reaches them. */
		readonly appProxy: AppProxy,
		/** The language model, which follows a script. */
		readonly model: ScriptedModel,
		/** What the demo's stand-ins received. */
		readonly deliveries: Delivery[],
		private readonly folder: string,
	) {
		super(demo);
	}

	/** Starts them. TEST_N8N chooses the version of n8n. */
	static async open(): Promise<ExampleRunner> {
		const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-full-'));
		const deliveries: Delivery[] = [];
		const appProxy = await AppProxy.start();
		const demo = await startDemo({
			folder,
			onDelivery: (delivery) => deliveries.push(delivery),
			version: process.env.TEST_N8N,
			// No test opens n8n's editor, which takes n8n as long to prepare as everything else.
			environment: { ...appProxy.environment, N8N_DISABLE_UI: 'true' },
		});
		const scriptedServer = await ScriptedServer.start();
		const model = await ScriptedModel.start();
		return new ExampleRunner(demo, scriptedServer, appProxy, model, deliveries, folder);
	}

	/** The credential of the language model. Its ID, which the settings of an example have, is `scripted`. */
	get modelCredential(): Credential {
		const data = { apiKey: 'none', url: `${this.model.server.baseUrl}/v1` };
		return { nodeType: 'lmChatOpenAi', type: 'openAiApi', data };
	}

	/** The credential of our node with which it calls the server in place of the systems outside. */
	get scriptedCredential(): Credential {
		const { apiKey } = this.demo.emulator;
		const data = { apiKey, environment: 'sandbox', baseUrl: this.scriptedServer.baseUrl };
		return { nodeType: 'voiceSpeech', type: 'voiceSpeechApi', data };
	}

	/** The address of a path of the server in place of the systems outside. */
	createAddress = (path: string): string => `${this.scriptedServer.baseUrl}${path}`;

	/** What the language model was asked last: the text of each message. */
	readLastPrompt(): string[] {
		const last = this.model.server.requests.at(-1)?.body.toString() ?? '{"messages":[]}';
		const { messages } = JSON.parse(last) as { messages: Array<{ content: string }> };
		return messages.map(({ content }) => content);
	}

	/** Forgets what arrived, and sets the emulator and the servers back. */
	async reset(): Promise<void> {
		this.responders = {};
		this.scriptedServer.reset((request, response, index) => {
			const respond = this.responders[request.url] ?? respondWithJson({});
			return respond(request, response, index);
		});
		this.model.reset();
		this.model.answer = 'All done.';
		this.deliveries.length = 0;
		await this.resetSettings();
	}

	/** Puts back the examples that have changed. */
	async restore(): Promise<void> {
		for (const restoration of this.restorations.reverse()) await restoration();
		this.restorations = [];
	}

	async close(): Promise<void> {
		await this.scriptedServer.stop();
		await this.model.server.stop();
		await this.demo.stop();
		await this.appProxy.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	/** The example as it is in n8n. */
	readExample = async (example: string): Promise<PublishedWorkflow> =>
		await this.demo.rest.call('GET', `/workflows/${this.demo.workflows[example]!.id}`);

	/** The example with other values in its node "Settings", as a person types them there. */
	async readWithSettings(example: string, settings: Settings): Promise<PublishedWorkflow> {
		const workflow = await this.readExample(example);
		const { parameters } = workflow.nodes.find(({ name }) => name === 'Settings')!;
		const { assignments } = parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		for (const [name, value] of Object.entries(settings)) {
			const setting = assignments.find((one) => one.name === name);
			if (!setting) throw new Error(`"Settings" has no ${name}`);
			setting.value = value;
		}
		return workflow;
	}

	/**
	 * Publishes the example with these settings; its nodes of these types get credentials.
	 *
	 * @param changes of nodes, by their names
	 */
	async publish(
		example: string,
		settings: Settings,
		credentials: Credential[] = [],
		changes: Record<string, { parameters?: object; disabled?: boolean }> = {},
	) {
		const before = await this.readExample(example);
		// n8n does not publish one that still lacks a credential, and no other test uses it.
		if (before.active) this.restorations.push(async () => await this.savePublished(before));
		const workflow = await this.readWithSettings(example, settings);
		for (const { nodeType, type, data } of credentials) {
			const name = `${example}: ${type}`;
			const credential = await putCredential(this.demo.rest, { name, type, data });
			const users = workflow.nodes.filter((node) => node.type.endsWith(`.${nodeType}`));
			expect(users).not.toEqual([]);
			const chosen = { credentials: { [type]: credential }, disabled: false };
			for (const user of users) Object.assign(user, chosen);
		}
		for (const [name, { parameters, ...others }] of Object.entries(changes)) {
			const node = workflow.nodes.find((one) => one.name === name)!;
			Object.assign(node.parameters, parameters);
			Object.assign(node, others);
		}
		await this.savePublished(workflow);
	}

	private async savePublished(workflow: Workflow & { id: string }): Promise<void> {
		const { rest } = this.demo;
		await activateWorkflow(rest, await putWorkflow(rest, workflow, workflow.id));
	}

	/** Runs it from this trigger, as the editor's button does. */
	async run(example: string, trigger: string, settings: Settings = {}) {
		const { rest } = this.demo;
		const before = await this.readExample(example);
		this.restorations.push(async () => void (await putWorkflow(rest, before, before.id)));
		const workflow = await this.readWithSettings(example, settings);
		const saved = await putWorkflow(rest, workflow, workflow.id);
		return await this.waitForEnd(
			async () => await runWorkflow(rest, { ...workflow, ...saved }, trigger),
		);
	}

	/** Writes to the example's assistant, in the editor's chat. */
	async chat(example: string, chatInput: string) {
		const workflow = await this.readExample(example);
		return await this.waitForEnd(async () => await startChat(this.demo.rest, workflow, chatInput));
	}

	/** Sends something to the example's webhook and waits for the execution that it starts. */
	async send(example: string, webhook: string, body: PostBody, headers = {}) {
		return await this.startAndWait(example, async () => {
			expect((await this.post(webhook, body, headers)).status).toBe(200);
		});
	}

	/** Like {@link startAllAndWait}, for one execution. */
	async startAndWait(workflow: string, task: () => Promise<void>) {
		const { result, ...costs } = await this.startAllAndWait(workflow, task, 1);
		return { execution: result[0]!, ...costs };
	}

	/**
	 * Does what starts a published workflow several times, and waits for all executions, which must succeed.
	 *
	 * @param workflow an example, or the ID of another workflow
	 */
	async startAllAndWait(workflow: string, task: () => Promise<void>, count: number) {
		const { rest, workflows } = this.demo;
		const workflowId = workflows[workflow]?.id ?? workflow;
		const before = await listExecutions(rest, workflowId);
		const listNew = async () => {
			const ids = (await listExecutions(rest, workflowId)).filter((id) => !before.includes(id));
			return ids.length >= count && ids;
		};
		const createMessage = () => `${workflow} was not executed ${count} times`;
		return await this.runAndListPaid(async () => {
			await task();
			const ids = await waitUntil(listNew, { timeoutMs: 110_000, intervalMs: 200, createMessage });
			const all = await Promise.all(
				ids.map(async (id) => await waitForExecution(rest, id, 110_000)),
			);
			all.forEach(expectSuccess);
			return all;
		});
	}

	/** @param webhook the path of a webhook of n8n, or its address */
	async post(webhook: string, body: PostBody, headers = {}): Promise<Response> {
		const isForm = body instanceof FormData || body instanceof URLSearchParams;
		return await fetch(new URL(webhook, `${this.demo.n8n.url}/webhook/`), {
			method: 'POST',
			headers: isForm ? headers : { 'content-type': 'application/json', ...headers },
			body: isForm ? body : JSON.stringify(body),
		});
	}

	/** The link gives this text read aloud, without a login. */
	async expectSpeech(link: string, text: string): Promise<void> {
		const response = await fetch(link);
		expect(response.headers.get('content-type')).toMatch(/^audio\/(x-)?wav$/);
		const audio = Buffer.from(await response.arrayBuffer());
		expect(audio.equals(await this.speak(text))).toBe(true);
	}

	/** Waits for the execution that is started, which must succeed. */
	private async waitForEnd(start: () => Promise<string>) {
		const { result: execution, ...costs } = await this.runAndListPaid(
			async () => await waitForExecution(this.demo.rest, await start()),
		);
		expectSuccess(execution);
		return { execution, ...costs };
	}

	/** What arrived at the path of the server in place of the systems outside, in order. */
	listArrivals = (path: string): object[] =>
		this.scriptedServer.requests
			.filter(({ url }) => url === path)
			.map(({ body }) => JSON.parse(body.toString()) as object);

	/** Replaces the rows of the data table whose ID this setting has. */
	async writeRows(setting: string, rows: object[]): Promise<void> {
		const { path } = this.demo.tables[setting]!;
		const all = { type: 'and', filters: [{ columnName: 'id', condition: 'gte', value: 0 }] };
		const filter = encodeURIComponent(JSON.stringify(all));
		await this.demo.rest.call('DELETE', `${path}/rows?filter=${filter}`);
		if (rows.length > 0) {
			await this.demo.rest.call('POST', `${path}/insert`, { data: rows, returnType: 'id' });
		}
	}

	/** The rows of the data table whose ID this setting has. */
	async readRows<Row extends object>(setting: string): Promise<Row[]> {
		const { path } = this.demo.tables[setting]!;
		return (await this.demo.rest.call<{ data: Row[] }>('GET', `${path}/rows`)).data;
	}
}

/** The n8n that runs the examples: the newest, or the one that TEST_N8N names. */
export const n8n = n8nVersions.at(-1)!;

/** What {@link openRunner} has started. */
export let runner: ExampleRunner;

export async function openRunner(): Promise<void> {
	runner = await ExampleRunner.open();
}

/** The examples that {@link describeExample} has got. */
export const describedExamples: string[] = [];

/** Registers the test of an example. What it changes, also in a `beforeAll`, is put back after it. */
export function describeExample(example: string, register: (example: string) => void): void {
	describedExamples.push(example);
	describe(example, () => register(example));
}

/**
 * Makes a folder that n8n may read and change.
 *
 * @returns its path, once the runner is open
 */
export function useFolder(name: string): () => string {
	const getFolder = () => path.join(runner.demo.files, name);
	beforeAll(async () => await mkdir(getFolder()));
	return getFolder;
}
