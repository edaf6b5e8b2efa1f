import { CallError } from '../../nodes/VoiceSpeech/errors/bases.ts';
import {
	createNetworkError,
	createBrokenResponseError,
	createNotReachedInTimeError,
	type ClientFault,
} from '../../nodes/VoiceSpeech/errors/networkError.ts';
import { faults, messages } from '../support/networkFaults.mts';

/** The beginning of the advice, before the reason in parentheses. */
const advices: Record<string, string> = {
	[messages.notReached]:
		"Check the credential's 'Base URL'. If it is correct, ask your n8n administrator to check the firewall",
	[messages.notFound]:
		"Check the credential's 'Base URL' for a typo, and 'Proxy' in the request options if it is set. If there is none, ask your n8n administrator to check the DNS and the proxy of the server that runs n8n.",
	[messages.unverified]:
		"Check the credential's 'Base URL'. If a certificate authority of your own issued it, ask your n8n administrator to start n8n with NODE_EXTRA_CA_CERTS=",
	[messages.notConnected]: "Check 'Proxy' in the request options.",
	[messages.invalidProxy]:
		'Ask your n8n administrator to correct the proxy of the server that runs n8n:',
	[messages.notSecure]:
		"Check the credential's 'Base URL': its port may belong to another program,",
	[messages.closed]: 'The file may be too large: send a shorter or compressed one.',
	[messages.tooLate]:
		"Raise it, or remove it: then the option 'Response Timeout (Seconds)' applies.",
	[messages.damaged]: 'If it happens again, ask your provider.',
	[messages.longHeaders]: 'Ask your provider, and the person who runs a proxy in between,',
	[messages.notHttp]:
		"Check the credential's 'Base URL': its port may belong to another program. Otherwise a proxy",
	[messages.broke]: 'Ask your n8n administrator to check the network between n8n and the service.',
	[messages.unknown]:
		'Ask your n8n administrator to check the network between n8n and the service.',
};

const createFault = (facts: Partial<ClientFault>): ClientFault => ({
	code: '',
	message: '',
	syscall: '',
	isUnconnected: false,
	...facts,
});

it.each(faults)(
	'names message, advice and reason of the fault $code, $nodeMessage',
	({ code, nodeMessage, syscall = '', shownMessage }) => {
		const error = createNetworkError(createFault({ code, message: nodeMessage, syscall }));
		expect(error).toBeInstanceOf(CallError);
		expect(error.message).toBe(shownMessage);
		expect(error.status).toBeUndefined();
		const advice = advices[shownMessage] ?? '?';
		expect(error.description?.slice(0, advice.length)).toBe(advice);
		// Node's messages often start with the code.
		const reason =
			code === '' || nodeMessage.startsWith(code) ? nodeMessage : `${code}: ${nodeMessage}`;
		const ending = `(${reason})`;
		expect(error.description?.slice(-ending.length)).toBe(ending);
	},
);

it.each(['ECONNABORTED', 'ETIMEDOUT'])(
	"says of a request that ended at 'Timeout' without a connection that it was not reached: %s",
	(code) => {
		const message = 'timeout of 150ms exceeded';
		const error = createNetworkError(createFault({ code, message, isUnconnected: true }));
		expect(error).toMatchObject({ message: messages.notReachedInTime, debit: 'notSent' });
		expect(error.description).toMatch(/^Check the credential's 'Base URL'\. .* 150ms exceeded\)$/);
	},
);

it.each([
	{ code: 'ECONNRESET', message: 'read ECONNRESET', syscall: 'read' },
	{ code: 'EPIPE', message: 'write EPIPE', syscall: 'write' },
	{ code: 'HPE_INVALID_CONSTANT', message: 'Parse Error', syscall: '' },
])('says that the service was not reached if there was no connection yet: $code', (facts) => {
	const error = createNetworkError(createFault({ ...facts, isUnconnected: true }));
	expect(error).toMatchObject({ message: messages.notReached, debit: 'notSent' });
});

it('says that the secure connection failed if there was no connection yet', () => {
	const fault = createFault({ code: 'EPROTO', message: 'write EPROTO', isUnconnected: true });
	expect(createNetworkError(fault)).toMatchObject({
		message: messages.notSecure,
		debit: 'notSent',
	});
});

it.each(faults)(
	"names 'Proxy' once in the advice on the fault $code, $nodeMessage, if the request had one",
	({ code, nodeMessage, syscall = '' }) => {
		const error = createNetworkError(createFault({ code, message: nodeMessage, syscall }), true);
		const isOfServer = error.message === messages.invalidProxy;
		expect(error.description?.match(/'Proxy' in the request options/g) ?? []).toHaveLength(
			isOfServer ? 0 : 1,
		);
	},
);

it("advises to check 'Base URL', the limits and 'Proxy' if the connection takes too long", () => {
	const checkAddress =
		/^Check the credential's 'Base URL'\. .*is running\. If 'Timeout' or .* is short, raise it\.$/;
	const direct = createNotReachedInTimeError(false);
	expect(direct).toMatchObject({ message: messages.notReachedInTime, debit: 'notSent' });
	expect(direct.description).toMatch(checkAddress);
	const throughProxy = createNotReachedInTimeError(true);
	const proxyCheck = "Also check 'Proxy' in the request options.";
	expect(throughProxy.description).toBe(`${direct.description} ${proxyCheck}`);
});

it.each(faults)(
	'has the debit status that the fault proves: $nodeMessage',
	({ code, nodeMessage, syscall = '', provesUnsent = false }) => {
		const fault = createFault({ code, message: nodeMessage, syscall });
		expect(createNetworkError(fault).debit).toBe(provesUnsent ? 'notSent' : 'possible');
		// What is known of the debit does not depend on the fault if the request had no connection, or got a response.
		expect(createNetworkError({ ...fault, isUnconnected: true }).debit).toBe('notSent');
		expect(createBrokenResponseError({ code, message: nodeMessage }, false).debit).toBe('possible');
	},
);

it.each([
	{
		what: 'a reset connection',
		error: Object.assign(new Error('aborted'), { code: 'ECONNRESET' }),
		message: messages.broke,
		reason: '(ECONNRESET: aborted)',
	},
	...['ETIMEDOUT', 'ECONNABORTED'].map((code) => ({
		what: `a limit of the network (${code})`,
		error: Object.assign(new Error(`read ${code}`), { code }),
		message: messages.broke,
		reason: `(${code}: read ${code})`,
	})),
	{
		what: 'damaged data',
		error: Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR' }),
		message: messages.damaged,
		reason: '(Z_DATA_ERROR: incorrect header check)',
	},
	{
		what: 'a fault without a reason',
		error: undefined,
		message: messages.unknown,
		reason: '(no reason was given)',
	},
])(
	'says that a call whose response breaks off with $what may have been debited',
	({ error, message, reason }) => {
		const broken = createBrokenResponseError(error, false);
		expect(broken).toMatchObject({ message, debit: 'possible' });
		expect(broken.description).toContain(reason);
		expect(broken.description).not.toContain("'Proxy'");
		const throughProxy = createBrokenResponseError(error, true);
		expect(throughProxy.description).toContain("Also check 'Proxy' in the request options.");
	},
);

it('says that a call may have been debited after a fault without code and message', () => {
	const error = createNetworkError(createFault({}));
	expect(error).toMatchObject({
		message: messages.unknown,
		description:
			'Ask your n8n administrator to check the network between n8n and the service. (no reason was given)',
		debit: 'possible',
	});
});

it("shows n8n's own error in its own words", () => {
	const n8nError = { message: 'The host is blocked', description: 'Ask your administrator.' };
	const error = createNetworkError(
		createFault({ code: 'ECONNREFUSED', isUnconnected: true, n8nError }),
	);
	expect(error).toMatchObject({ ...n8nError, debit: 'notSent' });
});

it.each(['connect ECONNREFUSED 127.0.0.1:3000', 'connect ECONNREFUSED ::1:3000'])(
	'explains for %s what localhost is in a container',
	(message) => {
		const error = createNetworkError(
			createFault({ code: 'ECONNREFUSED', syscall: 'connect', message }),
		);
		expect(error.description).toContain("'localhost' is the container itself");
	},
);

it.each(['10.0.0.7:443', '2001:db8::1:443', 'fd00::12:80'])(
	'says nothing of containers if another machine refuses the connection, such as %s',
	(address) => {
		const message = `connect ECONNREFUSED ${address}`;
		const error = createNetworkError(
			createFault({ code: 'ECONNREFUSED', syscall: 'connect', message }),
		);
		expect(error.description).not.toContain('container');
	},
);
