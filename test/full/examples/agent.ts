import { bytes } from '../../support/scriptedServer';
import { ScriptedModel } from '../../support/scriptedModel';
import type { Stage } from './stage';

/** A chat with an assistant whose model follows a script. */
export function agent(stage: () => Stage): void {
	const example = 'agent-that-listens';
	const text = 'I am so happy with the new bicycle.';
	let model: ScriptedModel;

	beforeAll(async () => {
		const { tools, demo, outside } = stage();
		const recording = Buffer.from(await (await stage().recordingOf(text)).arrayBuffer());
		outside.reset(bytes(recording, 'audio/wav'));
		model = await ScriptedModel.start();
		const workflow = await stage().withSettings(example, { model: 'scripted' });
		const openAiApi = await tools.putCredential(demo.rest, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: `${model.server.baseUrl}/v1` },
		});
		workflow.nodes.find(({ name }) => name === 'Chat Model')!.credentials = { openAiApi };
		await tools.putWorkflow(demo.rest, workflow, workflow.id);
	});
	afterAll(async () => await model?.server.stop());

	/** Says something in the editor's chat. */
	async function chat(chatInput: string) {
		const { tools, demo } = stage();
		const workflowData = await stage().withSettings(example, {});
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
		return model.told.map((answer) => (JSON.parse(answer) as object[])[0] ?? {});
	}

	it('the assistant listens to a recording and judges its mood', async () => {
		const question = 'How does the caller feel?';
		const address = `${stage().outside.baseUrl}/call.wav`;
		model.turns = [
			[{ tool: 'Transcribe_Recording', input: { address } }],
			[{ tool: 'Judge_Mood', input: { text } }],
		];
		const { result, paid } = await stage().paidFor(async () => await chat(question));
		expect(result).toMatchObject([{ text }, { sentiment: 'positive' }]);
		expect(paid).toEqual(['speech-to-text', 'sentiment']);
		const asked = model.server.requests[0]!.body.toString();
		expect(asked).toContain(question);
		expect(JSON.parse(asked)).toMatchObject({ model: 'scripted' });
	});

	it('the assistant learns why a tool failed, and nothing is paid', async () => {
		stage().outside.reset(bytes('gone', 'text/plain', 404));
		const address = `${stage().outside.baseUrl}/call.wav`;
		model.turns = [[{ tool: 'Transcribe_Recording', input: { address } }]];
		const { paid } = await stage().paidFor(async () => await chat('What is said?'));
		expect(model.told).toEqual([expect.stringContaining('404')]);
		expect(paid).toEqual([]);
	});
}
