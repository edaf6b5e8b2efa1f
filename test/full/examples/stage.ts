/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ScriptedServer } from '../../support/scriptedServer';
import {
	loadTools,
	type Delivery,
	type Demo,
	type Execution,
	type Tools,
	type Workflow,
} from '../tools';
import { EmulatedService } from './service';

type Settings = Record<string, string | number>;

/** One n8n with all examples, the emulator, and a server in place of the systems outside. */
export class Stage extends EmulatedService<Demo> {
	private constructor(
		tools: Tools,
		demo: Demo,
		readonly outside: ScriptedServer,
		/** What the demo's stand-ins received. */
		readonly deliveries: Delivery[],
		private readonly folder: string,
	) {
		super(tools, demo);
	}

	/** Starts them; with EXAMPLES_N8N=2.0.3 or another version of those in dev/n8n/, that n8n. */
	static async open(): Promise<Stage> {
		const tools = await loadTools();
		const folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-full-'));
		const ports = { port: await tools.freePort(), emulatorPort: await tools.freePort() };
		const version = process.env.EXAMPLES_N8N;
		const deliveries: Delivery[] = [];
		const onDelivery = (delivery: Delivery) => deliveries.push(delivery);
		const options = { folder, ...ports, onDelivery, ...(version ? { version } : {}) };
		const demo = await tools.startDemo(options);
		return new Stage(tools, demo, await ScriptedServer.start(), deliveries, folder);
	}

	async close(): Promise<void> {
		await this.outside.stop();
		await this.demo.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	idOf = (example: string): string => this.demo.workflows[example]!.id;

	/** The example as it is in n8n, with other values in its node "Settings", as a person types them there. */
	async withSettings(example: string, settings: Settings): Promise<Workflow & { id: string }> {
		const workflow = (await this.demo.rest.call(
			'GET',
			`/workflows/${this.idOf(example)}`,
		)) as Workflow & { id: string };
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

	/** Publishes the example with these settings. */
	async publish(example: string, settings: Settings): Promise<void> {
		const { tools, demo } = this;
		const workflow = await this.withSettings(example, settings);
		await tools.activate(demo.rest, await tools.putWorkflow(demo.rest, workflow, workflow.id));
	}

	/** Runs it from this trigger, as the editor's button does. */
	async run(example: string, trigger: string, settings: Settings): Promise<Execution> {
		const { tools, demo } = this;
		const workflow = await this.withSettings(example, settings);
		const saved = await tools.putWorkflow(demo.rest, workflow, workflow.id);
		const id = await tools.run(demo.rest, { ...workflow, ...saved }, trigger);
		return await tools.finishedExecution(demo.rest, id);
	}

	/** Sends something to the example's webhook and waits for the execution that it starts. */
	async send(example: string, webhook: string, body: FormData | object): Promise<Execution> {
		return await this.started(example, async () => {
			const answer = await this.post(webhook, body);
			expect(answer.status).toBe(200);
		});
	}

	/** Does what starts the published example, and waits for its execution. */
	async started(example: string, task: () => Promise<void>): Promise<Execution> {
		const { tools, demo } = this;
		const last = await this.lastExecution(example);
		await task();
		return await tools.triggeredExecution(
			demo.rest,
			this.idOf(example),
			({ id }) => Number(id) > last,
		);
	}

	async post(webhook: string, body: FormData | object): Promise<Response> {
		return await fetch(`${this.demo.n8n.url}/webhook/${webhook}`, {
			method: 'POST',
			...(body instanceof FormData
				? { body }
				: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
		});
	}

	private async lastExecution(example: string): Promise<number> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: this.idOf(example) }));
		const { results } = (await this.demo.rest.call(
			'GET',
			`/executions?filter=${filter}&limit=1`,
		)) as { results: Array<{ id: string }> };
		return Number(results[0]?.id ?? 0);
	}

	/** What arrived at the address below the server in place of the systems outside, in order. */
	arrivedAt(address: string): object[] {
		const here = this.outside.requests.filter(({ url }) => url === `/${address}`);
		return here.map(({ body }) => JSON.parse(body.toString()) as object);
	}
}

/** Fails with what n8n said. */
export function expectSuccess({ status, error }: Execution): void {
	expect({ status, error }).toEqual({ status: 'success' });
}

/** Every item of every node of the package belongs to the item that it came from. */
export function expectPaired(execution: Execution, nodes: string[]): void {
	for (const node of nodes) {
		expect(execution.items(node).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
	}
}
