import { ScriptedModel } from '../../support/scriptedModel';
import type { Stage } from './stage';

/** An example's chat in the editor, whose model follows a script. */
export class Chat {
	private constructor(
		private readonly stage: Stage,
		private readonly example: string,
		readonly model: ScriptedModel,
	) {}

	/** Sets up the example as its first note asks, with a scripted model. */
	static async open(stage: Stage, example: string): Promise<Chat> {
		const { tools, demo } = stage;
		const model = await ScriptedModel.start();
		const workflow = await stage.withSettings(example, { model: 'scripted' });
		const openAiApi = await tools.putCredential(demo.rest, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: `${model.server.baseUrl}/v1` },
		});
		workflow.nodes.find(({ name }) => name === 'Chat Model')!.credentials = { openAiApi };
		await tools.putWorkflow(demo.rest, workflow, workflow.id);
		return new Chat(stage, example, model);
	}

	/** Says something; gives what the tools told the model. */
	async say(chatInput: string): Promise<unknown[]> {
		const { tools, demo } = this.stage;
		const workflowData = await this.stage.withSettings(this.example, {});
		const json = { sessionId: 'one', action: 'sendMessage', chatInput };
		const { executionId } = (await demo.rest.call('POST', `/workflows/${workflowData.id}/run`, {
			workflowData,
			triggerToStartFrom: {
				name: 'Chat',
				data: { startTime: 0, executionTime: 0, source: [], data: { main: [[{ json }]] } },
			},
		})) as { executionId: string };
		const execution = await tools.finishedExecution(demo.rest, executionId);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Assistant')[0]?.json).toEqual({ output: 'All done.' });
		return this.model.told.flatMap((text) => JSON.parse(text) as unknown);
	}

	async close(): Promise<void> {
		await this.model.server.stop();
	}
}
