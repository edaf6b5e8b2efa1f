import { ScriptedModel } from '../../support/servers/scriptedModel.mts';
import type { ExampleRunner } from './exampleRunner.mts';

export type Chat = Awaited<ReturnType<typeof openChat>>;

/** Opens a chat with an example's assistant, whose model follows a script. */
export async function openChat(runner: ExampleRunner, example: string) {
	const model = await ScriptedModel.start();
	const data = { apiKey: 'none', url: `${model.server.baseUrl}/v1` };
	await runner.publish(example, { model: 'scripted' }, [
		{ nodeType: 'lmChatOpenAi', type: 'openAiApi', data },
	]);
	return {
		model,
		/** Says something; returns the results of its tools, and what was paid for. */
		async say(chatInput: string) {
			model.reset();
			const { execution, ...costs } = await runner.chat(example, chatInput);
			expect(execution.items('Assistant')[0]?.json).toEqual({ output: 'All done.' });
			return {
				toolResults: model.toolResults.flatMap((text) => JSON.parse(text) as unknown),
				...costs,
			};
		},
		close: async () => await model.server.stop(),
	};
}
