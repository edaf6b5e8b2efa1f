import type { ChangedPart, State } from '../state.mts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Streams every change to an open console page as server-sent events, with the JSON of the API:
 * `keys`, `wallets`, `usage` (one call) and `settings`.
 */
export function streamEvents(state: State, request: FastifyRequest, reply: FastifyReply) {
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
	raw.write(': open\n\n');
	const send = (part: ChangedPart, value: unknown) =>
		raw.write(`event: ${part}\ndata: ${JSON.stringify(value)}\n\n`);
	state.changes.on('change', send);
	request.raw.on('close', () => state.changes.off('change', send));
}
