import { json, Recorder, type RecordedRequest } from './recorder';

interface Message {
	role: string;
	content: string | null;
	tool_call_id?: string;
}

interface ToolCall {
	tool: string;
	input: Record<string, string>;
}

/** A chat model that follows a script: in each turn it asks for some tools, and in the last it ends. */
export class ScriptedModel {
	turns: ToolCall[][] = [];

	/** What the tools have answered, as the model was told. */
	told: string[] = [];

	private constructor(readonly server: Recorder) {}

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel(await Recorder.start());
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
