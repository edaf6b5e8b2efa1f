import { notify } from './dom.mts';
import type { Events } from '../../state.mts';

/**
 * Calls the console's API. What changes is shown when its event arrives.
 * @param path below /console/api
 * @param body sent as JSON
 * @param label of the field in question, which replaces its name in an error
 * @returns the response's JSON
 * @throws {Error} after showing the reason
 */
export async function call<T>(
	method: string,
	path: string,
	body?: unknown,
	label?: string,
): Promise<T> {
	const request: RequestInit = { method };
	if (body !== undefined) {
		request.headers = { 'content-type': 'application/json' };
		request.body = JSON.stringify(body);
	}
	const response = await fetch(`/console/api${path}`, request).catch(() => undefined);
	const json = await response?.json().catch(() => undefined);
	if (response?.ok) return json;
	const error = json?.error ?? 'The emulator does not respond. Is it still running?';
	const reason = label ? error.replace(/^"[^"]*"/, () => `"${label}"`) : error;
	notify(reason, 'problem');
	throw new Error(reason);
}

/**
 * Listens to the server's events, which begin with the entire state, also after a lost connection.
 * @param listeners by the name of the event
 * @param onConnection called on each change of the connection
 */
export function follow(
	listeners: { [Name in keyof Events]: (value: Events[Name]) => void },
	onConnection: (isOpen: boolean) => void,
) {
	const events = new EventSource('/console/api/events');
	for (const [name, listener] of Object.entries(listeners)) {
		events.addEventListener(name, (event) => listener(JSON.parse(event.data)));
	}
	events.addEventListener('open', () => onConnection(true));
	events.addEventListener('error', () => onConnection(false));
}
