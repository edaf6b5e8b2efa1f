import { describeSettings, describeWallets } from '../state.mts';
import type { State } from '../state.mts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Streams the state to an open console page, as server-sent events with the JSON of the API: first `settings`, `wallets`,
 * `keys` and `usage` with everything, then each part again when it changes, and `call` for each new call. A page that
 * lost its connection gets everything again.
 */
export function streamEvents(state: State, request: FastifyRequest, reply: FastifyReply) {
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
	const send = (event: string, value: unknown) =>
		raw.write(`event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
	send('settings', describeSettings(state));
	send('wallets', describeWallets(state));
	send('keys', { keys: state.keys.list() });
	send('usage', { calls: state.usage.after(0) });
	state.changes.on('change', send);
	request.raw.on('close', () => state.changes.off('change', send));
}
