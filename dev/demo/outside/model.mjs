// A mock of a language model with OpenAI's chat completions. It understands nothing: rules choose the tools.

/**
 * @typedef {{id: string, type: 'function', function: {name: string, arguments: string}}} ToolCall
 * @typedef {{role: string, content: string | null | {text?: string}[], tool_calls?: ToolCall[]}} Message
 * @typedef {{function: {name: string, description?: string, parameters?: {properties?: object}}}} Tool
 */

/**
 * A response with the model's next message.
 * @param {string | {name: string, input: object}[]} next a text, or tools to call
 * @param {string} [id] differs between the responses of a conversation
 */
export function completion(next, id = '0') {
	const message =
		typeof next === 'string'
			? { role: 'assistant', content: next }
			: { role: 'assistant', content: null, tool_calls: next.map(toToolCall(id)) };
	return {
		id: `chat_${id}`,
		object: 'chat.completion',
		created: 1,
		model: 'mock',
		choices: [
			{ index: 0, message, finish_reason: typeof next === 'string' ? 'stop' : 'tool_calls' },
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** @param {string} id */
const toToolCall =
	(id) =>
	(/** @type {{name: string, input: object}} */ { name, input }, /** @type {number} */ index) => ({
		id: `call_${id}_${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(input) },
	});

/**
 * Summarizes a text by its first sentence. With tools: calls each that the last question asks for, one after
 * the other, then repeats what they returned.
 * @param {{messages: Message[], tools?: Tool[]}} request
 */
export function respond({ messages, tools }) {
	const last = messages.findLastIndex(({ role }) => role === 'user');
	const question = textOf(messages[last]);
	if (!tools?.length) return completion(`In short: ${/^[^.!?]*[.!?]?/.exec(question)}`);
	const since = messages.slice(last + 1);
	const results = since.filter(({ role }) => role === 'tool').map(textOf);
	const called = since.flatMap(({ tool_calls: calls = [] }) =>
		calls.map((call) => call.function.name),
	);
	for (const { function: tool } of tools) {
		const input = inputOf(tool, question, results);
		if (input && !called.includes(tool.name)) {
			return completion([{ name: tool.name, input }], String(messages.length));
		}
	}
	return completion(
		results.length
			? `My tools returned: ${results.join(' ')}`
			: 'I am a mock model and understand nothing. Ask what the notes suggest.',
	);
}

/** @param {Message | undefined} message */
const textOf = ({ content = '' } = { role: 'user', content: '' }) =>
	Array.isArray(content) ? content.map(({ text = '' }) => text).join('') : (content ?? '');

/**
 * @param {Tool['function']} tool
 * @param {string} question
 * @param {string[]} results of the tools that were called
 * @returns {Record<string, string> | undefined} undefined if the question does not ask for the tool
 */
function inputOf({ name: tool, description = '', parameters = {} }, question, results) {
	const address = /https?:\/\/[^\s"“”]+[^\s"“”?.!,]/.exec(question)?.[0];
	const names = Object.keys(parameters.properties ?? {});
	const takesAddress = names.some((name) => /address|url/i.test(name));
	if (!takesAddress && !sharesWord(`${tool} ${description}`, question)) return undefined;
	const text = textIn(results) ?? /["“„](.+)["”“]/.exec(question)?.[1];
	const values = names.map((name) => (/address|url/i.test(name) ? address : text));
	if (values.includes(undefined)) return undefined;
	return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/**
 * @param {string[]} results
 * @returns {string | undefined} the transcript that a tool returned
 */
function textIn(results) {
	const texts = results.flatMap((result) => {
		try {
			return [JSON.parse(result)].flat().map((item) => item?.text);
		} catch {
			return [];
		}
	});
	return texts.find((text) => typeof text === 'string');
}

/**
 * @param {string} about
 * @param {string} question
 * @returns {boolean} whether words begin with the same five letters: "speaks", "speak"
 */
function sharesWord(about, question) {
	/** @param {string} text @returns {string[]} */
	const words = (text) => text.toLowerCase().match(/(?<!\p{L})\p{L}{5}/gu) ?? [];
	return words(about).some((word) => words(question).includes(word));
}
