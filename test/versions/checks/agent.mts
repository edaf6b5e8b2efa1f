import { putCredential, type CredentialReference } from '../../../dev/n8n/rest.mts';
import { createWav } from '../../support/media/recordings.mts';
import { respondWithBytes, respondWithJson } from '../../support/servers/scriptedServer.mts';
import { ScriptedModel } from '../../support/servers/scriptedModel.mts';
import { createNode, ownTool, type Flow } from '../../support/flow.mts';
import {
	sentimentParameters,
	speechToTextParameters,
	textToSpeechParameters,
} from '../../support/nodeParameters.mts';
import { elsewhere, instance, instanceKey, service } from '../instance.mts';
import { createCheck } from '../report.mts';

const askModelFor = (name: string) => `={{ $fromAI('${name}', 'the ${name}', 'string') }}`;

/** An agent that has our node as three of its tools. */
function createAgentFlow(
	typeVersion: number,
	model: ScriptedModel,
	openAiApi: CredentialReference,
	toolSettings: object,
): Flow {
	const createTool = (name: string, parameters: object) => ({
		as: 'ai_tool' as const,
		node: {
			...createNode(name, ownTool, 1, { descriptionType: 'auto', ...parameters }),
			...toolSettings,
		},
	});
	const chatModel = createNode('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		options: { baseURL: `${model.server.baseUrl}/v1`, maxRetries: 0 },
	});
	const parameters = { promptType: 'define', text: 'Do it.', options: {} };
	const byUrl = { audioSource: 'url', audioUrl: askModelFor('address') };
	const spoken = { text: askModelFor('text'), options: { linkHours: 1 } };
	return {
		from: { items: [{ go: true }] },
		nodes: [createNode('Agent', '@n8n/n8n-nodes-langchain.agent', typeVersion, parameters)],
		attached: [
			{ as: 'ai_languageModel', node: { ...chatModel, credentials: { openAiApi } } },
			createTool('Sentiment', { ...sentimentParameters, text: askModelFor('text') }),
			createTool('Transcribe', { ...speechToTextParameters, ...byUrl }),
			createTool('Speak', { ...textToSpeechParameters, ...spoken }),
		],
	};
}

/** The node as a tool of n8n's AI agent, whose model is a script of ours. */
export function testAgent(version: string): void {
	let model: ScriptedModel;
	let credential: CredentialReference;

	beforeAll(async () => {
		model = await ScriptedModel.start();
		credential = await putCredential(instance.rest, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: `${model.server.baseUrl}/v1` },
		});
	});

	afterAll(async () => await model?.server.stop());

	describe.each([2.2, 3])('AI Agent %s', (typeVersion) => {
		const check = createCheck(version, `AI Agent ${typeVersion}`);

		/** Runs the agent, whose model calls these tools; returns what they gave it. */
		async function run(turns: ScriptedModel['turns'], toolSettings = {}) {
			model.turns = turns;
			const flow = createAgentFlow(typeVersion, model, credential, toolSettings);
			const { items } = await instance.runToEnd(flow);
			expect(items('Agent')[0]?.json).toEqual({ output: 'All done.' });
			return model.toolResults;
		}

		check("An agent's tool: two calls in one turn, then audio by URL", async () => {
			elsewhere.respond = respondWithBytes(createWav(1), 'audio/wav');
			service.respond = (request, response, index) => {
				const reply = /sentiment/.test(request.url)
					? { heard: (JSON.parse(request.body.toString()) as { text: string }).text }
					: { text: 'transcribed' };
				respondWithJson(reply)(request, response, index);
			};
			const results = await run([
				[
					{ tool: 'Sentiment', input: { text: 'first' } },
					{ tool: 'Sentiment', input: { text: 'second' } },
				],
				[{ tool: 'Transcribe', input: { address: `${elsewhere.baseUrl}/call.wav` } }],
			]);
			const outputs = [{ heard: 'first' }, { heard: 'second' }, { text: 'transcribed' }];
			expect(results.flatMap((text) => JSON.parse(text) as object)).toEqual(outputs);
			expect(service.requests).toHaveLength(3);
			const read = model.server.requests.map(({ body }) => body.toString());
			expect(read.join()).not.toContain(instanceKey);
		});

		check("An agent's tool that speaks gives the model a link", async () => {
			service.respond = respondWithBytes(createWav(1), 'audio/wav');
			const results = await run([[{ tool: 'Speak', input: { text: 'Hello' } }]]);
			const [spoken] = results.flatMap((text) => JSON.parse(text) as { url: string });
			const response = await fetch(spoken!.url);
			expect(Buffer.from(await response.arrayBuffer()).equals(createWav(1))).toBe(true);
		});

		check("An agent's tool that fails, set to continue, tells the model why", async () => {
			service.respond = respondWithJson({ error: { message: 'no credits' } }, 402);
			const turns = [[{ tool: 'Sentiment', input: { text: 'first' } }]];
			const results = await run(turns, { onError: 'continueRegularOutput' });
			expect(results).toEqual([expect.stringContaining('(402): no credits')]);
			expect(service.requestCount).toBe(1);
		});
	});
}
