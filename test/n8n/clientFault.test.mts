import { NodeApiError, UserError, type INode, type JsonObject } from 'n8n-workflow';

import { readClientFault, formatFault } from '../../nodes/VoiceSpeech/n8n/errors.ts';

/** A fault as Node reports it. */
function createFault(code: string, message: string, facts: object = {}): Error {
	return Object.assign(new Error(message), code === '' ? {} : { code }, facts);
}

/** Wraps an error as n8n does, with axios's error and its cause. */
function wrapLikeN8n(error: Error): Error {
	return new Error('The connection cannot be established', {
		cause: new Error('wrapper', { cause: error }),
	});
}

/** Wraps an error as older versions of n8n do, which keeps only its code, in place of a status, and its message. */
function wrapLikeOlderN8n({ message, ...facts }: Error & { code?: string }): Error {
	return Object.assign(new Error('The connection cannot be established'), {
		httpCode: facts.code,
		messages: [message],
	});
}

const ways: Array<{ way: string; wrap(error: Error): Error }> = [
	{ way: 'as it is', wrap: (error) => error },
	{ way: 'in the wrappers of n8n', wrap: wrapLikeN8n },
	{
		way: "in n8n's NodeApiError",
		wrap: (error) =>
			new NodeApiError(
				{ name: 'Voice and Speech' } as INode,
				Object.assign(error, { isAxiosError: true }) as unknown as JsonObject,
			),
	},
	// Node's error of a host whose addresses all failed has no message.
	{
		way: 'around a cause that names nothing',
		wrap: (error) => Object.assign(error, { cause: new AggregateError([]) }),
	},
	{ way: 'in the wrapper of older versions of n8n', wrap: wrapLikeOlderN8n },
];

describe.each(ways)('a fault $way', ({ wrap }) => {
	it.each([
		['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'connect'],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND x.invalid', 'getaddrinfo'],
		['ECONNRESET', 'read ECONNRESET', 'read'],
		['EPIPE', 'write EPIPE', 'write'],
		['', 'socket hang up', ''],
	])('keeps its code %s, its message and its system call: %s', (code, message, syscall) => {
		// Each test has its own error, because a wrapper may change it.
		const error = createFault(code, message, syscall === '' ? {} : { syscall });
		expect(readClientFault(wrap(error))).toMatchObject({ code, message, syscall });
	});
});

describe("the state of the request's socket", () => {
	const connected = { connecting: false };

	const plain = { protocol: 'https:', socket: connected };
	const encrypted = { protocol: 'https:', socket: { ...connected, encrypted: true } };

	it.each<[what: string, proves: boolean, request?: object]>([
		['that does not exist yet', true, { socket: null }],
		['that is connecting', true, { socket: { connecting: true } }],
		['in its handshake', true, { socket: { ...connected, secureConnecting: true } }],
		['after its handshake', false, { socket: { ...connected, secureConnecting: false } }],
		["without TLS for an https address, which has a proxy's own response", true, plain],
		['with TLS for an https address', false, encrypted],
		['that is plain and connected', false, { socket: connected }],
		['of another client, which is unknown', false, {}],
		['without a request', false],
	])('of a socket %s proves that nothing was sent: %j', (...[, proves, request]) => {
		const facts = request === undefined ? {} : { request };
		const error = createFault('EPROTO', 'write EPROTO', facts);
		expect(readClientFault(error).isUnconnected).toBe(proves);
		expect(readClientFault(wrapLikeN8n(error)).isUnconnected).toBe(proves);
	});
});

it('finds a system call among the faults of several addresses', () => {
	const syscall = 'connect';
	const errors = [createFault('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', { syscall })];
	const found = readClientFault(createFault('ETIMEDOUT', '', { errors }));
	expect(found).toMatchObject({ code: 'ETIMEDOUT', syscall });
});

describe("n8n's own error", () => {
	const n8nError = new UserError('The host is blocked', { description: 'Ask your administrator.' });

	it.each(ways.slice(0, 2))('is found with its advice $way', ({ wrap }) => {
		const found = readClientFault(wrap(n8nError));
		expect(found.n8nError).toEqual({
			message: 'The host is blocked',
			description: 'Ask your administrator.',
		});
		expect(formatFault(found)).toBe('The host is blocked. Ask your administrator.');
	});
});

it.each([undefined, null, 'text', 7, {}, new Error('')])(
	'finds no facts in %p, which may have been sent',
	(error) => {
		const found = readClientFault(error);
		expect(found).toEqual({ code: '', message: '', syscall: '', isUnconnected: false });
		expect(formatFault(found)).toBe('no reason was given');
	},
);

it('does not treat a status in place of the code as a code', () => {
	const error = Object.assign(new Error('Bad gateway'), { httpCode: '502' });
	expect(formatFault(readClientFault(error))).toBe('Bad gateway');
});

it('stops at causes that form a circle', () => {
	const circle = createFault('EPIPE', 'write EPIPE');
	Object.assign(circle, { cause: circle });
	expect(readClientFault(circle)).toMatchObject({ code: 'EPIPE', isUnconnected: false });
});
