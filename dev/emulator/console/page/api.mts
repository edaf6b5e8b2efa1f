import { notify } from './dom.mts';

/**
 * Calls the console's API. The page shows a change only when the event of the change arrives.
 *
 * @param path below /console/api
 * @param body sent as JSON
 * @param label of the field in question, which replaces its name in an error
 * @returns the response's JSON
 * @throws {Error} after it has shown the reason
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
	const json: unknown = await response?.json().catch(() => undefined);
	if (response?.ok) return json as T;
	const { error: given } = (json ?? {}) as { error?: string };
	const error = given ?? 'The emulator does not respond. Is it still running?';
	const reason = label ? error.replace(/^"[^"]*"/, () => `"${label}"`) : error;
	notify(reason, 'problem');
	throw new Error(reason);
}
