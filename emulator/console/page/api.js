import { tell } from './dom.js';

/**
 * Calls the console's API.
 * @param {string} method
 * @param {string} path below /console/api
 * @param {unknown} [body] sent as JSON
 * @returns {Promise<any>} the answer's JSON
 * @throws {Error} after telling the person why
 */
export async function call(method, path, body) {
	const answer = await fetch(`/console/api${path}`, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	}).catch(() => undefined);
	const json = await answer?.json().catch(() => undefined);
	if (!answer?.ok) {
		const reason = json?.error ?? 'The emulator does not answer: is it still running?';
		tell(reason, 'problem');
		throw new Error(reason);
	}
	return json;
}

/**
 * Follows the changes as they happen.
 * @param {Record<string, (value: any) => void>} listeners by the name of the event
 * @param {(open: boolean) => void} onConnection called on each change of the connection
 */
export function follow(listeners, onConnection) {
	const events = new EventSource('/console/api/events');
	for (const [name, listener] of Object.entries(listeners)) {
		events.addEventListener(name, (event) => listener(JSON.parse(event.data)));
	}
	events.addEventListener('open', () => onConnection(true));
	events.addEventListener('error', () => onConnection(false));
}
