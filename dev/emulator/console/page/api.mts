import { notify } from './dom.mts';

/**
 * Calls the console's API.
 * @param path below /console/api
 * @param body sent as JSON
 * @param label of the field in question, which replaces its name in an error
 * @returns the response's JSON
 * @throws {Error} after showing the reason
 */
export async function call(
	method: string,
	path: string,
	body?: unknown,
	label?: string,
): Promise<any> {
	const response = await fetch(`/console/api${path}`, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	}).catch(() => undefined);
	const json = await response?.json().catch(() => undefined);
	if (!response?.ok) {
		const error = json?.error ?? 'The emulator does not respond. Is it still running?';
		const reason = label ? error.replace(/^"[^"]*"/, () => `"${label}"`) : error;
		notify(reason, 'problem');
		throw new Error(reason);
	}
	return json;
}

/** How many events of each name have arrived. */
const arrived: Map<string, number> = new Map();

/**
 * Shows a part of the state as a response has it, unless an event with that part arrives before the
 * response: the event may be newer, and the page follows the events.
 * @param name of the event
 */
export async function showUnlessOutdated<Part>(
	name: string,
	response: Promise<Part>,
	show: (part: Part) => unknown,
) {
	const before = arrived.get(name);
	const part = await response;
	if (arrived.get(name) === before) await show(part);
}

/**
 * Listens to the server's events.
 * @param listeners by the name of the event
 * @param onConnection called on each change of the connection
 */
export function follow(
	listeners: Record<string, (value: any) => void>,
	onConnection: (isOpen: boolean) => void,
) {
	const events = new EventSource('/console/api/events');
	for (const [name, listener] of Object.entries(listeners)) {
		events.addEventListener(name, (event) => {
			arrived.set(name, (arrived.get(name) ?? 0) + 1);
			listener(JSON.parse(event.data));
		});
	}
	events.addEventListener('open', () => onConnection(true));
	events.addEventListener('error', () => onConnection(false));
}
