import { NodeApiError, UserError, type INode, type JsonObject } from 'n8n-workflow';

import { createNetworkError } from '../../nodes/VoiceSpeech/errors/networkError.ts';
import { readClientFault, formatFault } from '../../nodes/VoiceSpeech/n8n/clientFault.ts';
import { faults } from '../support/networkFaults.mts';

/** A fault as Node reports it. */
function createFault(code: string, message: string, facts: object = {}): Error {
	return Object.assign(new Error(message), code === '' ? {} : { code }, facts);
}

const readDebit = (error: unknown) => createNetworkError(readClientFault(error)).debit;

const connect = { syscall: 'connect' };

/** Faults, and whether they prove that nothing was sent. */
const rows = [
	...faults,
	// Codes and messages that only resemble others.
	...[
		['X_ECONNREFUSED', 'refused'],
		['', 'The other side closed the connection, a connect of ours'],
		['', 'The service says: Proxy connection ended before receiving CONNECT response'],
	].map(([code = '', nodeMessage = '']) => ({
		code,
		nodeMessage,
		syscall: '',
		provesUnsent: false,
	})),
];

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
	{ way: 'in the wrapper of older versions of n8n', wrap: wrapLikeOlderN8n },
];

describe.each(ways)('a fault $way', ({ wrap }) => {
	it.each(rows)(
		'keeps its code $code and its message, and proves that nothing was sent ($provesUnsent): $nodeMessage',
		({ code, nodeMessage: message, syscall, provesUnsent }) => {
			// Each test has its own error, because a wrapper may change it.
			const error = createFault(code, message, syscall === '' ? {} : { syscall });
			const fault = readClientFault(wrap(error));
			expect(fault).toMatchObject({ code, message });
			expect(createNetworkError(fault).debit).toBe(provesUnsent ? 'notSent' : 'possible');
		},
	);
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

it('takes an unknown error for one that may have happened after the request was sent', () => {
	const error = new TypeError('x is not a function');
	expect(readDebit(new Error('wrapper', { cause: error }))).toBe('possible');
	expect(readDebit(error)).toBe('possible');
});

it.each(['EAI_FAIL', 'ENODATA', 'ESERVFAIL'])(
	'knows that nothing was sent if the host could not be looked up: %s',
	(code) => {
		const error = createFault(code, `getaddrinfo ${code} a.example`, { syscall: 'getaddrinfo' });
		for (const { wrap } of ways) expect(readDebit(wrap(error))).toBe('notSent');
	},
);

it('finds a system call among the faults of several addresses', () => {
	const errors = [createFault('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', connect)];
	const found = readClientFault(createFault('ETIMEDOUT', '', { errors }));
	expect(found).toMatchObject({ code: 'ETIMEDOUT', syscall: 'connect' });
});

it.each(['connect', 'getaddrinfo', 'read', 'write'])(
	"finds '%s' in the message of older versions of n8n",
	(syscall) => {
		const found = readClientFault(
			wrapLikeOlderN8n(createFault('ETIMEDOUT', `${syscall} ETIMEDOUT 10.0.0.1`)),
		);
		expect(found).toMatchObject({ syscall });
	},
);

describe("n8n's own error", () => {
	const n8nError = new UserError('The host is blocked', { description: 'Ask your administrator.' });

	it.each(ways.slice(0, 2))('is found with its advice $way', ({ wrap }) => {
		const found = readClientFault(wrap(n8nError));
		expect(readDebit(wrap(n8nError))).toBe('notSent');
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
