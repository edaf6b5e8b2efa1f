import { wav } from '../../support/recordings';
import { bytes, json } from '../../support/scriptedServer';
import { ScriptedModel } from '../../support/scriptedModel';
import { ownTool, sentiment, transcribe, type Flow, type FlowNode, type Reference } from '../flow';
import { API_KEY, type Instance } from '../instance';
import { check } from '../report';

function tool(name: string, parameters: Record<string, unknown>): FlowNode {
	return {
		name,
		type: ownTool,
		typeVersion: 1,
		parameters: { descriptionType: 'auto', ...parameters },
	};
}

const fromModel = (name: string) => `={{ $fromAI('${name}', 'the ${name}', 'string') }}`;

/** An agent that has our node as two of its tools. */
function agentFlow(typeVersion: number, model: ScriptedModel, credential: Reference): Flow {
	const type = '@n8n/n8n-nodes-langchain.';
	return {
		from: { items: [{ go: true }] },
		nodes: [
			{
				name: 'Agent',
				type: `${type}agent`,
				typeVersion,
				parameters: { promptType: 'define', text: 'Do it.', options: {} },
			},
		],
		attached: [
			{
				as: 'ai_languageModel',
				node: {
					name: 'Model',
					type: `${type}lmChatOpenAi`,
					typeVersion: 1.2,
					parameters: {
						model: { __rl: true, mode: 'id', value: 'scripted' },
						options: { baseURL: `${model.server.baseUrl}/v1`, maxRetries: 0 },
					},
					credentials: { openAiApi: credential },
				},
			},
			{ as: 'ai_tool', node: tool('Sentiment', { ...sentiment, text: fromModel('text') }) },
			{
				as: 'ai_tool',
				node: tool('Transcribe', {
					...transcribe,
					audioSource: 'url',
					audioUrl: fromModel('address'),
				}),
			},
		],
	};
}

/** The node as a tool of n8n's AI agent, whose model is a script of ours. */
export function agent(version: string, host: () => Instance): void {
	let model: ScriptedModel;
	let credential: Reference;

	beforeAll(async () => {
		model = await ScriptedModel.start();
		const { tools, rest } = host();
		credential = await tools.putCredential(rest, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: `${model.server.baseUrl}/v1` },
		});
	});

	afterAll(async () => {
		await model?.server.stop();
	});

	describe.each([2.2, 3])('AI Agent %s', (typeVersion) => {
		check(
			"An agent's tool: two calls in one turn, then audio by URL",
			version,
			async () => {
				const { service, elsewhere, run } = host();
				elsewhere.reset(bytes(wav(1), 'audio/wav'));
				service.reset((request, response, index) => {
					const answer = /sentiment/.test(request.url)
						? { heard: (JSON.parse(request.body.toString()) as { text: string }).text }
						: { text: 'transcribed' };
					json(answer)(request, response, index);
				});
				const audio = `${elsewhere.baseUrl}/call.wav`;
				model.turns = [
					[
						{ tool: 'Sentiment', input: { text: 'first' } },
						{ tool: 'Sentiment', input: { text: 'second' } },
					],
					[{ tool: 'Transcribe', input: { address: audio } }],
				];
				const execution = await run(agentFlow(typeVersion, model, credential));
				expect(execution.error).toBeUndefined();
				expect(execution.items('Agent')[0]?.json).toEqual({ output: 'All done.' });
				const told = model.told.map((text) => JSON.parse(text) as unknown);
				expect(told.flat()).toEqual([
					{ heard: 'first' },
					{ heard: 'second' },
					{ text: 'transcribed' },
				]);
				expect(service.requests).toHaveLength(3);
				expect(
					JSON.stringify(model.server.requests.map(({ body }) => body.toString())),
				).not.toContain(API_KEY);
			},
			`AI Agent ${typeVersion}`,
		);

		check(
			"An agent's tool that fails, set to continue, tells the model why",
			version,
			async () => {
				const { service, run } = host();
				service.reset(json({ error: { message: 'no credits' } }, 402));
				model.turns = [[{ tool: 'Sentiment', input: { text: 'first' } }]];
				const flow = agentFlow(typeVersion, model, credential);
				for (const { node } of flow.attached!) node.onError = 'continueRegularOutput';
				const execution = await run(flow);
				expect(execution.error).toBeUndefined();
				expect(model.told).toEqual([
					expect.stringContaining('no credits left for this call (402): no credits'),
				]);
				expect(service.arrived).toBe(1);
			},
			`AI Agent ${typeVersion}`,
		);
	});
}
