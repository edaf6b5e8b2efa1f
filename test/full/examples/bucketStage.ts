import type { Execution, Workflow } from '../tools';
import { expectSuccess, type Stage } from './stage';
import { created } from './storeEvents';

type ObjectStores = typeof import('./objectStore.mjs');
type Store = Awaited<ReturnType<ObjectStores['startObjectStore']>>;

const example = 'bucket-upload-to-transcript';
const secret = 'Bearer shared-secret';

/** The example of the bucket, set up as a person does it, with a real S3-compatible server. */
export class BucketStage {
	readonly bucket = 'recordings';
	private readonly seen = new Set<string>();

	private constructor(
		private readonly stage: Stage,
		readonly store: Store,
	) {}

	/** @param load imports an ES module */
	static async open(stage: Stage, load: (file: string) => Promise<object>): Promise<BucketStage> {
		const stores = (await load('test/full/examples/objectStore.mjs')) as ObjectStores;
		const opened = new BucketStage(stage, await stores.startObjectStore('recordings'));
		await opened.publish(await opened.createTable());
		return opened;
	}

	private async createTable(): Promise<string> {
		const { rest } = this.stage.demo;
		const project = (await rest.call('GET', '/projects/personal')) as { id: string };
		const table = (await rest.call('POST', `/projects/${project.id}/data-tables`, {
			name: 'Uploads',
			columns: [{ name: 'upload', type: 'string' }],
		})) as { id: string };
		return table.id;
	}

	private async publish(uploadsTableId: string): Promise<void> {
		const { tools, demo } = this.stage;
		const { url, accessKey } = this.store;
		const key = { accessKeyId: accessKey, secretAccessKey: accessKey, region: 'us-east-1' };
		const credentials: Array<[string, string, Record<string, unknown>]> = [
			['webhook', 'httpHeaderAuth', { name: 'Authorization', value: secret }],
			['s3', 's3', { ...key, endpoint: url, forcePathStyle: true }],
			['httpRequest', 'aws', key],
		];
		const settings = { uploadsTableId, storeAddress: url };
		const workflow = await this.stage.withSettings(example, settings);
		for (const [node, type, data] of credentials) {
			const credential = await tools.putCredential(demo.rest, {
				name: `Bucket: ${type}`,
				type,
				data,
			});
			const users = workflow.nodes.filter((one) => one.type === `n8n-nodes-base.${node}`);
			expect(users).not.toHaveLength(0);
			const chosen: Partial<Workflow['nodes'][number]> & { disabled: boolean } = {
				credentials: { [type]: credential },
				disabled: false,
			};
			for (const user of users) Object.assign(user, chosen);
		}
		await tools.activate(demo.rest, await tools.putWorkflow(demo.rest, workflow, workflow.id));
	}

	async post(event: object, headers: Record<string, string> = {}): Promise<Response> {
		return await fetch(`${this.stage.demo.n8n.url}/webhook/bucket-upload`, {
			method: 'POST',
			headers: { authorization: secret, 'content-type': 'application/json', ...headers },
			body: JSON.stringify(event),
		});
	}

	/** Sends events at the same moment; gives their executions and what was paid. */
	async deliver(
		events: object[],
		headers?: Record<string, string>,
	): Promise<{ result: Execution[]; paid: string[] }> {
		const { tools, demo } = this.stage;
		return await this.stage.paidFor(async () => {
			const answers = await Promise.all(events.map(async (one) => await this.post(one, headers)));
			for (const { status } of answers) expect(status).toBe(200);
			const executions: Execution[] = [];
			const isNew = ({ id }: Execution) => !this.seen.has(id);
			while (executions.length < events.length) {
				const id = this.stage.idOf(example);
				const one = await tools.triggeredExecution(demo.rest, id, isNew, 110_000);
				this.seen.add(one.id);
				expectSuccess(one);
				executions.push(one);
			}
			return executions;
		});
	}

	/** Puts a recording of this text into the bucket; gives what the store says of it. */
	async upload(key: string, text: string, padding = 0): Promise<ReturnType<typeof created>> {
		const spoken = Buffer.from(await (await this.stage.recordingOf(text)).arrayBuffer());
		const body = Buffer.concat([spoken, Buffer.alloc(padding)]);
		await this.store.put(key, body);
		return created(this.bucket, key, body.length);
	}

	async close(): Promise<void> {
		await this.store.stop();
	}
}
