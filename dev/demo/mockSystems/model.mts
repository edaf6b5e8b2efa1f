// A mock of a language model with OpenAI's chat completions. It understands nothing, and calls each tool for which it
// finds the input.

type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

type Message = {
	role: string;
	content: string | null | Array<{ text?: string }>;
	tool_calls?: ToolCall[];
};

type Tool = { function: { name: string; parameters?: { properties?: object } } };

interface ToolResult {
	url?: string;
	text?: string;
	/** The unparsed text. */
	raw: string;
}

/** What n8n's node sends to a model. */
export interface ChatRequest {
	messages: Message[];
	tools?: Tool[];
}

/**
 * Creates a response with the model's next message.
 *
 * @param next a text, or tools to call
 * @param id differs between the responses of a conversation
 */
export function createCompletion(
	next: string | Array<{ name: string; input: object }>,
	id: string = '0',
) {
	const calls =
		typeof next === 'string'
			? undefined
			: next.map(({ name, input }, index) => ({
					id: `call_${id}_${index}`,
					type: 'function',
					function: { name, arguments: JSON.stringify(input) },
				}));
	const message = { role: 'assistant', content: calls ? null : next, tool_calls: calls };
	return {
		id: `chat_${id}`,
		object: 'chat.completion',
		created: 1,
		model: 'mock',
		choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/**
 * Summarizes a text by its first sentence, and answers questions of a list with "unclear". If there are tools, it calls
 * each for which it finds the input, one after the other, then says what they returned.
 */
export function respond({ messages, tools }: ChatRequest) {
	const last = messages.findLastIndex(({ role }) => role === 'user');
	const question = readText(messages[last]?.content);
	if (!tools?.length) {
		const questions = readText(messages[0]?.content).match(/^- .+/gm);
		if (questions) return createCompletion(questions.map(() => 'unclear: a mock').join('\n'));
		const [sentence] = /^[^.!?]*[.!?]?/.exec(question) ?? [''];
		return createCompletion(`In short: ${sentence}`);
	}
	const since = messages.slice(last + 1);
	const results = since.filter(({ role }) => role === 'tool').map(readResult);
	const calls = since.flatMap(({ tool_calls: made = [] }) => made);
	const called = calls.map((call) => call.function.name);
	for (const { function: tool } of tools) {
		const input = findInput(tool, question, results);
		if (input && !called.includes(tool.name)) {
			return createCompletion([{ name: tool.name, input }], String(messages.length));
		}
	}
	if (results.length > 0) return createCompletion(results.map(describeResult).join(' '));
	return createCompletion('I am a mock model and understand nothing. Ask what the notes suggest.');
}

function readText(content: Message['content'] = ''): string {
	if (!Array.isArray(content)) return content ?? '';
	return content.map(({ text = '' }) => text).join('');
}

function readResult({ content }: Message): ToolResult {
	const raw = readText(content);
	try {
		const [item] = [JSON.parse(raw) as ToolResult | ToolResult[]].flat();
		return { ...item, raw };
	} catch {
		return { raw };
	}
}

/** @returns an address from the question, or a text from a result or in quotes; undefined if something is missing */
function findInput(
	{ parameters = {} }: Tool['function'],
	question: string,
	results: ToolResult[],
): Record<string, string> | undefined {
	const address = /https?:\/\/[^\s"“”]+[^\s"“”?.!,]/.exec(question)?.[0];
	const transcript = results.find((result) => result.text !== undefined)?.text;
	const text = transcript ?? /["“„](.+)["”“]/.exec(question)?.[1];
	const input: Record<string, string> = {};
	for (const name of Object.keys(parameters.properties ?? {})) {
		const value = /address|url/i.test(name) ? address : text;
		if (value === undefined) return undefined;
		input[name] = value;
	}
	return input;
}

function describeResult({ url, text, raw }: ToolResult): string {
	if (url !== undefined) return `Here is the audio: ${url}`;
	if (text !== undefined) return `The recording says: "${text}"`;
	return `A tool returned: ${raw}`;
}
