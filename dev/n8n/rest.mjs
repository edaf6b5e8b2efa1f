import { Problem } from './problem.mjs';

/**
 * The person who owns the n8n, as its sign-in page knows them.
 * @typedef {{email: string, password: string}} Login
 */

/**
 * A signed-in caller of n8n's own REST interface (the one its editor uses).
 * @typedef {object} Rest
 * @property {string} url n8n's address
 * @property {(method: string, path: string, body?: unknown) => Promise<any>} call sends JSON to `/rest<path>` and returns the `data` of the response; throws {@link RestError} unless the status is 2xx
 * @property {(path: string) => Promise<Response>} get reads `<path>` as it is, sign-in included
 */

/** n8n refused a call. */
export class RestError extends Error {
	/**
	 * @param {string} call method and path
	 * @param {number} status HTTP status
	 * @param {string} response its body
	 */
	constructor(call, status, response) {
		super(`n8n responded with ${status} to ${call}: ${response.slice(0, 500)}`);
		this.status = status;
	}
}

/**
 * Signs in, after creating the owner if this n8n has none yet.
 * @param {string} url n8n's address, without a slash at the end
 * @param {Login} login
 * @returns {Promise<Rest>}
 * @throws {Problem} when the n8n has another owner
 */
export async function signIn(url, login) {
	let cookie = '';
	// n8n closes a connection that was idle for seconds; on a busy machine, a request may be sent on one that is closing.
	const connection = 'close';
	/** @type {Rest['get']} */
	const get = async (path) => await fetch(`${url}${path}`, { headers: { connection, cookie } });
	/** @type {Rest['call']} */
	const call = async (method, path, body) => {
		/** @type {Record<string, string>} */
		const headers = { connection, cookie };
		if (body !== undefined) headers['content-type'] = 'application/json';
		const response = await fetch(`${url}/rest${path}`, {
			method,
			headers,
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const [session] = response.headers.getSetCookie().filter((one) => one.startsWith('n8n-auth='));
		if (session) cookie = session.split(';', 1)[0] ?? '';
		const text = await response.text();
		if (!response.ok) throw new RestError(`${method} /rest${path}`, response.status, text);
		return text === '' ? undefined : JSON.parse(text).data;
	};

	const { userManagement } = await call('GET', '/settings');
	if (userManagement?.showSetupOnFirstLoad) {
		await call('POST', '/owner/setup', { ...login, firstName: 'Demo', lastName: 'Owner' });
	} else {
		try {
			// n8n 1.83 and later call the address `emailOrLdapLoginId`, earlier ones `email`.
			await call('POST', '/login', { ...login, emailOrLdapLoginId: login.email });
		} catch (error) {
			if (!(error instanceof RestError) || error.status !== 401) throw error;
			throw new Problem(`The n8n at ${url} has an owner with another password than expected.`);
		}
	}
	return { url, call, get };
}

/**
 * Creates a credential, or updates the existing one of that name.
 * @param {Rest} rest
 * @param {{name: string, type: string, data: Record<string, unknown>}} credential
 * @returns {Promise<{id: string, name: string}>}
 */
export async function putCredential(rest, { name, type, data }) {
	/** @type {{id: string, name: string, type: string}[]} */
	const all = await rest.call('GET', '/credentials');
	const existing = all.find((one) => one.name === name && one.type === type);
	const saved = existing
		? await rest.call('PATCH', `/credentials/${existing.id}`, { name, type, data })
		: await rest.call('POST', '/credentials', { name, type, data });
	return { id: saved.id, name: saved.name };
}

/**
 * @param {Rest} rest
 * @returns {Promise<import('n8n-workflow').INodeTypeDescription[]>} every node type that n8n has loaded
 */
export async function nodeTypes(rest) {
	const response = await rest.get('/types/nodes.json');
	if (!response.ok) throw new RestError('GET /types/nodes.json', response.status, '');
	return /** @type {any} */ (await response.json());
}
