import type { INode, INodeTypeDescription } from 'n8n-workflow';

import { UserFacingError } from '../lib/errors.mts';

/** The person who owns the n8n, as its sign-in page knows them. */
export interface Login {
	email: string;
	password: string;
}

/** How nodes name a credential. */
export interface CredentialReference {
	id: string;
	name: string;
}

export interface Credential {
	name: string;
	/** Such as `voiceSpeechApi`. */
	type: string;
	data: Record<string, unknown>;
}

/** A signed-in caller of n8n's own REST interface (the one its editor uses). */
export interface Rest {
	/**
	 * Sends JSON to `/rest<path>`.
	 *
	 * @returns the `data` of the response, whose type the caller states and nothing checks
	 * @throws {RestError} unless the status is 2xx
	 */
	call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
	/** Sends GET to `<path>` itself, with the session but without `/rest`. */
	get: (path: string) => Promise<Response>;
}

/** n8n responded to a call with an HTTP status other than 2xx. */
export class RestError extends Error {
	readonly status: number;

	/** @param call method and path */
	constructor(call: string, status: number, response: string) {
		super(`n8n responded with ${status} to ${call}: ${response.slice(0, 500)}`);
		this.status = status;
	}
}

/**
 * Signs in, after creating the owner if this n8n has none yet.
 *
 * @param url n8n's address, without a slash at the end
 * @throws {UserFacingError} if the n8n has another owner
 */
export async function signIn(url: string, login: Login): Promise<Rest> {
	let cookie = '';
	// n8n closes a connection that was idle for seconds; on a busy machine, a request may be sent on one that is closing.
	const connection = 'close';
	const get: Rest['get'] = async (path) =>
		await fetch(`${url}${path}`, { headers: { connection, cookie } });
	const call = async <T,>(method: string, path: string, body?: unknown): Promise<T> => {
		const headers: Record<string, string> = { connection, cookie };
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
		return text === '' ? (undefined as T) : (JSON.parse(text) as { data: T }).data;
	};

	const signInAsOwner = async () => {
		const body = { emailOrLdapLoginId: login.email, password: login.password };
		await call('POST', '/login', body).catch((error: unknown) => {
			if (!(error instanceof RestError) || error.status !== 401) throw error;
			throw new UserFacingError(
				`The n8n at ${url} has an owner with another password. Delete its folder.`,
			);
		});
	};
	const owner = { ...login, firstName: 'Demo', lastName: 'Owner' };
	await call('POST', '/owner/setup', owner).catch(async (error: unknown) => {
		// n8n has an owner.
		if (!(error instanceof RestError) || error.status !== 400) throw error;
		await signInAsOwner();
	});
	return { call, get };
}

/** Creates a credential, or updates the existing one of that name. */
export async function putCredential(
	rest: Rest,
	credential: Credential,
): Promise<CredentialReference> {
	const { name, type } = credential;
	const all: Array<CredentialReference & Credential> = await rest.call('GET', '/credentials');
	const existing = all.find((one) => one.name === name && one.type === type);
	const saved: CredentialReference = existing
		? await rest.call('PATCH', `/credentials/${existing.id}`, credential)
		: await rest.call('POST', '/credentials', credential);
	return { id: saved.id, name };
}

/** A node as a workflow names its type. */
export type NodeReference = Pick<INode, 'type' | 'typeVersion'>;

/**
 * @returns the types of these nodes, in their order
 * @throws {RestError} if n8n does not have one of them
 */
export async function readNodeTypes(
	rest: Rest,
	nodes: NodeReference[],
): Promise<INodeTypeDescription[]> {
	const nodeInfos = nodes.map(({ type, typeVersion }) => ({ name: type, version: typeVersion }));
	return await rest.call('POST', '/node-types', { nodeInfos });
}
