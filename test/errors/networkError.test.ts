import {
	audioNotReadableError,
	audioReadFailedError,
} from '../../nodes/VoiceSpeech/errors/audioError';
import { CallError } from '../../nodes/VoiceSpeech/errors/callError';
import { networkError, type ClientFault } from '../../nodes/VoiceSpeech/errors/networkError';
import { faults, messages } from '../support/faults';

/** The beginning of the advice, before the reason in parentheses. */
const advices: Record<string, string> = {
	[messages.notReached]:
		"Check the credential's 'Base URL', that the service is running, and the firewall between n8n and the service.",
	[messages.notFound]:
		'Check it for a typo. If there is none, check the DNS of the server that runs n8n.',
	[messages.unverified]:
		"Check the credential's 'Base URL'. If a certificate authority of your own issued it, start n8n with NODE_EXTRA_CA_CERTS=",
	[messages.proxyClosed]: "Check 'Proxy' in the request options.",
	[messages.notSecure]:
		"Check the credential's 'Base URL': its port may belong to another program,",
	[messages.closed]: 'The file may be too large: send a shorter or compressed one.',
	[messages.tooLate]: "Raise it, or remove it: then the option 'Answer Timeout (Seconds)' applies.",
	[messages.damaged]: 'If it happens again, ask your provider.',
	[messages.notHttp]: "Check the credential's 'Base URL': its port may belong to another program.",
	[messages.broke]: 'Check the network between n8n and the service.',
	[messages.unknown]: 'Check the network between n8n and the service.',
};

const fault = (facts: Partial<ClientFault>): ClientFault => ({
	code: '',
	message: '',
	syscall: '',
	provablyUnsent: false,
	...facts,
});

it.each(faults)('%s, %s', (code, said, syscall, message) => {
	const error = networkError(fault({ code, message: said, syscall }));
	expect(error).toBeInstanceOf(CallError);
	expect(error.message).toBe(message);
	expect(error.status).toBeUndefined();
	expect(error.description?.startsWith(advices[message] ?? '?')).toBe(true);
	// Node's messages often start with the code.
	const reason = code === '' || said.startsWith(code) ? said : `${code}: ${said}`;
	expect(error.description?.endsWith(`(${reason})`)).toBe(true);
});

it.each([
	[true, 'notSent'],
	[false, 'possible'],
])(
	'the payment follows only from whether the request is provably unsent: %s',
	(provablyUnsent, payment) => {
		for (const [code, message, syscall] of faults) {
			expect(networkError(fault({ code, message, syscall, provablyUnsent })).payment).toBe(payment);
		}
	},
);

it('a fault without code and message', () => {
	const error = networkError(fault({}));
	expect(error).toMatchObject({
		message: messages.unknown,
		description: 'Check the network between n8n and the service. (no reason was given)',
		payment: 'possible',
	});
});

it("n8n's own refusal is shown in its own words", () => {
	const refusal = { message: 'The host is blocked', description: 'Ask your administrator.' };
	const error = networkError(fault({ code: 'ECONNREFUSED', provablyUnsent: true, refusal }));
	expect(error).toMatchObject({ ...refusal, payment: 'notSent' });
});

it('audio that cannot be read says why, and what the call cost', () => {
	expect(audioNotReadableError('ENOENT: no such file')).toMatchObject({
		message: 'The audio could not be read',
		description:
			'Check that the file, or the server it comes from, is still available (ENOENT: no such file).',
		payment: 'notSent',
	});
	expect(audioReadFailedError('EIO: read EIO')).toMatchObject({
		message: 'The audio could not be read to its end',
		description:
			'The upload was stopped. Check that the file, or the server it comes from, is still available (EIO: read EIO).',
		payment: 'possible',
	});
});
