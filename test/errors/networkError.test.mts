import { CallError } from '../../nodes/VoiceSpeech/errors/bases.ts';
import {
	createNetworkError,
	createBrokenResponseError,
	createNotReachedInTimeError,
	type ClientFault,
} from '../../nodes/VoiceSpeech/errors/networkError.ts';
import { faults, messages } from '../support/networkFaults.mts';

/** What the advice leads to. */
const advices: Record<string, string> = {
	[messages.notReached]: "Check the credential's 'Base URL'. If it is correct, ask your n8n admin",
	[messages.notFound]: "Check the credential's 'Base URL' for a typo, and 'Proxy' in the request",
	[messages.unverified]: 'start n8n with NODE_EXTRA_CA_CERTS=',
	[messages.notConnected]: "Check 'Proxy' in the request options.",
	[messages.invalidProxy]: 'Ask your n8n administrator to correct the proxy of the server',
	[messages.notSecure]:
		"Check the credential's 'Base URL': its port may belong to another program,",
	[messages.closed]: 'The file may be too large: send a shorter or compressed one.',
	[messages.tooLate]:
		"Raise it, or remove it: then the option 'Response Timeout (Seconds)' applies.",
	[messages.longHeaders]: 'Ask your provider, and the person who runs a proxy in between,',
	[messages.notHttp]:
		"Check the credential's 'Base URL': its port may belong to another program. Other",
	[messages.broke]: 'Ask your n8n administrator to check the network between n8n and the service.',
	[messages.unknown]: 'Ask your n8n administrator to check the network',
};

const createFault = (facts: Partial<ClientFault>): ClientFault => ({
	code: '',
	message: '',
	syscall: '',
	isUnconnected: false,
	...facts,
});

it.each(faults)(
	'names message, advice, reason and debit status of the fault $code, $nodeMessage',
	({ code, nodeMessage, syscall, shownMessage, provesUnsent }) => {
		const fault = createFault({ code, message: nodeMessage, syscall });
		const error = createNetworkError(fault);
		expect(error).toBeInstanceOf(CallError);
		expect(error).toMatchObject({ message: shownMessage, status: undefined });
		expect(error.description).toContain(advices[shownMessage] ?? '?');
		// Node's messages often start with the code.
		const reason =
			code === '' || nodeMessage.startsWith(code) ? nodeMessage : `${code}: ${nodeMessage}`;
		const ending = `(${reason})`;
		expect(error.description?.slice(-ending.length)).toBe(ending);
		expect(error.debit).toBe(provesUnsent ? 'notSent' : 'possible');
		// What is known of the debit does not depend on the fault if the request had no connection, or got a response.
		expect(createNetworkError({ ...fault, isUnconnected: true }).debit).toBe('notSent');
		expect(createBrokenResponseError({ code, message: nodeMessage }, false).debit).toBe('possible');
		expect(error.description).not.toContain("Also check 'Proxy'");
		// The proxy of the request options is named once, and not at all if the fault is that of the server's own proxy.
		const { description } = createNetworkError(fault, true);
		const named = description?.match(/'Proxy' in the request options/g) ?? [];
		expect(named).toHaveLength(shownMessage === messages.invalidProxy ? 0 : 1);
	},
);

const expired = { message: 'timeout of 150ms exceeded', shown: messages.notReachedInTime };

it.each([
	{ code: 'ECONNABORTED', ...expired },
	{ code: 'ETIMEDOUT', ...expired },
	{ code: 'EPIPE', message: 'write EPIPE', shown: messages.notReached },
	{ code: 'HPE_INVALID_CONSTANT', message: 'Parse Error', shown: messages.notReached },
	{ code: 'EPROTO', message: 'write EPROTO', shown: messages.notSecure },
])('reports the fault $code without a connection as "$shown"', ({ shown, ...facts }) => {
	const error = createNetworkError(createFault({ ...facts, isUnconnected: true }));
	expect(error).toMatchObject({ message: shown, debit: 'notSent' });
	expect(error.description).toMatch(/^Check the credential's 'Base URL'/);
});

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

it.each([
	['ECONNRESET', 'aborted'],
	['ETIMEDOUT', 'read ETIMEDOUT'],
	['ECONNABORTED', 'ended'],
])('says that a response that broke off (%s: %s) may have been debited', (code, text) => {
	const error = Object.assign(new Error(text), { code });
	const broken = createBrokenResponseError(error, false);
	expect(broken).toMatchObject({ message: messages.broke, debit: 'possible' });
	expect(broken.description).toContain(`(${code}: ${text})`);
	expect(broken.description).not.toContain("'Proxy'");
	const throughProxy = createBrokenResponseError(error, true);
	expect(throughProxy.description).toContain("Also check 'Proxy' in the request options.");
});

it('says that a call may have been debited after a fault without code and message', () => {
	const expected = {
		message: messages.unknown,
		description: expect.stringMatching(/ \(no reason was given\)$/) as string,
		debit: 'possible',
	};
	expect(createNetworkError(createFault({}))).toMatchObject(expected);
	expect(createBrokenResponseError(undefined, false)).toMatchObject(expected);
});

it("shows n8n's own error in its own words", () => {
	const n8nError = { message: 'The host is blocked', description: 'Ask your administrator.' };
	const error = createNetworkError(
		createFault({ code: 'ECONNREFUSED', isUnconnected: true, n8nError }),
	);
	expect(error).toMatchObject({ ...n8nError, debit: 'notSent' });
});

it.each([
	['127.0.0.1:3000', true],
	['::1:3000', true],
	['10.0.0.7:443', false],
	['2001:db8::1:443', false],
])('explains for %s that localhost is the container: %s', (address, isContainer) => {
	const message = `connect ECONNREFUSED ${address}`;
	// n8n's older client does not name the system call.
	const error = createNetworkError(createFault({ code: 'ECONNREFUSED', message }));
	expect(error).toMatchObject({ message: messages.notReached, debit: 'notSent' });
	const text = error.description ?? '';
	expect(text.includes("'localhost' is the container itself")).toBe(isContainer);
});
