import { json, ScriptedServer, type RecordedRequest } from './scriptedServer';

interface Message {
	role: string;
	content: string | null;
	tool_call_id?: string;
}

interface ToolCall {
	tool: string;
	input: Record<string, string>;
}

/** A chat model that follows a script: in each turn it calls some tools; after the last, it ends. */
export class ScriptedModel {
	turns: ToolCall[][] = [];

	/** Results of the tools, as the model received them. */
	told: string[] = [];

	private constructor(readonly server: ScriptedServer) {}

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel(await ScriptedServer.start());
		model.server.answer = (request, response, index) => {
			json(model.answer(request))(request, response, index);
		};
		return model;
	}

	/** In the shape of OpenAI's chat completions. */
	private answer(request: RecordedRequest): object {
		const { messages } = JSON.parse(request.body.toString()) as { messages: Message[] };
		this.told = messages.filter(({ role }) => role === 'tool').map(({ content }) => `${content}`);
		const calls = this.turns.shift();
		const message = calls
			? {
					role: 'assistant',
					content: null,
					tool_calls: calls.map(({ tool, input }, index) => ({
						id: `call_${this.told.length + index}`,
						type: 'function',
						function: { name: tool, arguments: JSON.stringify(input) },
					})),
				}
			: { role: 'assistant', content: 'All done.' };
		return {
			id: 'chat',
			object: 'chat.completion',
			created: 1,
			model: 'scripted',
			choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}
