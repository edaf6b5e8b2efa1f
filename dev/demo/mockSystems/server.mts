// A mock server for the other systems that the examples use. It has a podcast, files, a language model and a website, and
// receives what is sent to all others, such as tickets. The first part of a path names the system.
import multipart from '@fastify/multipart';
import fastify from 'fastify';

import { createRecording, recordings } from '../samples.mts';
import { createPodcastFeed } from './feed.mts';
import { respond, type ChatRequest } from './model.mts';

export const modelName = 'mock';

/** Something that one of the systems received. */
export interface Delivery {
	system: string;
	content: unknown;
}

export type MockSystems = Awaited<ReturnType<typeof startMockSystems>>;

/**
 * Starts the mock server, for this machine only.
 *
 * @param n8nUrl without a slash at the end
 * @returns its URL is without a slash too
 */
export async function startMockSystems(
	port: number,
	onDelivery: (delivery: Delivery) => void,
	n8nUrl: string,
) {
	const server = fastify({ forceCloseConnections: true });
	await server.register(multipart, {
		limits: { fileSize: Infinity },
		attachFieldsToBody: 'keyValues',
		// In a delivery, a file is replaced by its name and size.
		onFile: async (part) => {
			const { length } = await part.toBuffer();
			Object.assign(part, { value: `${part.filename} (${length} bytes)` });
		},
	});
	server.get('/files/:name', async ({ params }, reply) => {
		const { text, language } = recordings[(params as { name: string }).name] ?? {};
		if (text === undefined) return reply.code(404).send({ error: 'Recording not found.' });
		return reply.type('audio/wav').send(await createRecording(text, language));
	});
	server.get('/podcast/feed.xml', async ({ host }, reply) => {
		const address = `http://${host}/files/episode.wav`;
		return reply.type('application/rss+xml').send(createPodcastFeed([{ name: 'Bees', address }]));
	});
	// n8n serves the page in a sandbox, where it cannot use the microphone. This copy of the page has no sandbox.
	server.get('/website/talk', async (_request, reply) => {
		const page = await fetch(`${n8nUrl}/webhook/talk`);
		return reply.type('text/html; charset=utf-8').send(await page.text());
	});
	// n8n asks for this when someone opens the model's credential.
	server.get('/llm/v1/models', async () => ({ data: [{ id: modelName, object: 'model' }] }));
	server.post('/llm/v1/chat/completions', async ({ body }) => respond(body as ChatRequest));
	server.post('/:system/*', async ({ params, body }) => {
		const { system } = params as { system: string };
		onDelivery({ system, content: body });
		return {};
	});
	const url = await server.listen({ port, host: '127.0.0.1' });
	return { url, port, stop: async () => await server.close() };
}
