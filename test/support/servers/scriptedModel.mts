import { createCompletion } from '../../../dev/demo/mockSystems/model.mts';
import { respondWithJson, ScriptedServer, type RecordedRequest } from './scriptedServer.mts';

interface ToolCall {
	tool: string;
	input: Record<string, string>;
}

/** A chat model that follows a script. In each turn it calls some tools, and after the last it ends with an answer. */
export class ScriptedModel {
	turns: ToolCall[][] = [];

	answer = 'All done.';

	/** Results of the tools, as the model received them. */
	toolResults: string[] = [];

	private constructor(readonly server: ScriptedServer) {}

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel(await ScriptedServer.start());
		model.reset();
		return model;
	}

	/** Forgets what it was asked, and answers again. */
	reset(): void {
		this.server.reset((request, response, index) => {
			respondWithJson(this.complete(request))(request, response, index);
		});
	}

	/** In the shape of OpenAI's chat completions. */
	private complete(request: RecordedRequest): object {
		const { messages } = JSON.parse(request.body.toString()) as {
			messages: Array<{ role: string; content: string }>;
		};
		this.toolResults = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		const calls = this.turns.shift();
		return createCompletion(
			calls ? calls.map(({ tool, input }) => ({ name: tool, input })) : this.answer,
			String(messages.length),
		);
	}
}
