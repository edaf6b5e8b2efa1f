/**
 * Streams every change to an open console page as server-sent events, with the JSON of the API:
 * `keys`, `wallets`, `usage` (one call) and `settings`.
 * @param {import('../state.mjs').State} state
 * @param {import('fastify').FastifyRequest} request
 * @param {import('fastify').FastifyReply} reply
 */
export function streamEvents(state, request, reply) {
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
	raw.write(': open\n\n');
	/**
	 * @param {import('../state.mjs').ChangedPart} part
	 * @param {unknown} value
	 */
	const send = (part, value) => raw.write(`event: ${part}\ndata: ${JSON.stringify(value)}\n\n`);
	state.changes.on('change', send);
	request.raw.on('close', () => state.changes.off('change', send));
}
