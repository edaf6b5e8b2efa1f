// A mock server for the other systems that the examples use: a podcast, files, a language model, a website, and those
// that receive something (tickets, a help desk, a site). The first part of a path names the system.
import fastify from 'fastify';
import { recordingOf, recordings } from '../samples.mjs';
import { readBodies } from './bodies.mjs';
import { podcastFeed } from './feed.mjs';
import { respond } from './model.mjs';

/** The name of the language model. */
export const MODEL = 'mock';

/**
 * Something that a system outside received.
 * @typedef {{system: string, content: unknown}} Delivery
 */

/**
 * Starts the mock server, for this machine only.
 * @param {number} port 0 for any free port
 * @param {(delivery: Delivery) => void} onDelivery
 * @param {string} n8n n8n's address
 * @returns {Promise<{url: string, stop: () => Promise<void>}>} `url` has no slash at the end
 */
export async function startOutside(port, onDelivery, n8n) {
	const server = fastify({ forceCloseConnections: true });
	await readBodies(server);
	server.get('/files/:name', async ({ params }, reply) => {
		const text = recordings[/** @type {{name: string}} */ (params).name];
		if (text === undefined) return reply.code(404).send({ error: 'Recording not found.' });
		return reply.type('audio/wav').send(await recordingOf(text));
	});
	server.get('/podcast/feed.xml', async ({ host }, reply) => {
		const address = `http://${host}/files/episode.wav`;
		return reply.type('application/rss+xml').send(podcastFeed([{ name: 'Bees', address }]));
	});
	// A copy of the page that n8n serves: n8n's own response puts it into a sandbox, where it cannot use the microphone.
	server.get('/website/talk', async (_request, reply) => {
		const page = await fetch(`${n8n}/webhook/talk`);
		return reply.type('text/html; charset=utf-8').send(await page.text());
	});
	// n8n asks for this when someone opens the model's credential.
	server.get('/llm/v1/models', async () => ({ data: [{ id: MODEL, object: 'model' }] }));
	server.post('/llm/v1/chat/completions', async ({ body }) => respond(/** @type {any} */ (body)));
	server.post('/:system/*', async ({ params, body }) => {
		const { system } = /** @type {{system: string}} */ (params);
		onDelivery({ system, content: body });
		return {};
	});
	const url = await server.listen({ port, host: '127.0.0.1' });
	return { url, stop: async () => await server.close() };
}
