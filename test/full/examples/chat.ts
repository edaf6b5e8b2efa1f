import { ScriptedModel } from '../../support/scriptedModel';
import type { Stage } from './stage';

/** An example's assistant, whose model follows a script. */
export class Chat {
	private constructor(
		private readonly stage: Stage,
		private readonly example: string,
		readonly model: ScriptedModel,
	) {}

	static async open(stage: Stage, example: string): Promise<Chat> {
		const model = await ScriptedModel.start();
		const data = { apiKey: 'none', url: `${model.server.baseUrl}/v1` };
		await stage.publish(example, { model: 'scripted' }, [['lmChatOpenAi', 'openAiApi', data]]);
		return new Chat(stage, example, model);
	}

	/** Says something; gives what the tools told the model, and what was paid for. */
	async say(chatInput: string) {
		const { execution, calls, paid } = await this.stage.chat(this.example, chatInput);
		expect(execution.items('Assistant')[0]?.json).toEqual({ output: 'All done.' });
		return { told: this.model.told.flatMap((text) => JSON.parse(text) as unknown), calls, paid };
	}

	close = async (): Promise<void> => await this.model.server.stop();
}
