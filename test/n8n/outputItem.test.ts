import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { CallError, type Payment } from '../../nodes/VoiceSpeech/errors/callError';
import { canceledError } from '../../nodes/VoiceSpeech/errors/notSent';
import { nodeError } from '../../nodes/VoiceSpeech/n8n/outputItem';
import { secretKey } from '../support/secret';

const node = { name: 'Voice and Speech', type: 'a', typeVersion: 1, parameters: {} } as INode;

function shownFor(
	error: unknown,
	apiKey?: string,
	payment: Payment = 'notSent',
	discardedItems = 0,
) {
	return nodeError(node, { index: 3, error, apiKey, payment, discardedItems });
}

const notSent = 'This item was not sent, so it was not debited.';

it.each<[string, unknown, message: string, description: string]>([
	['an error of the node', new CallError(`A ${secretKey}`, `Do ${secretKey}.`), 'A', 'Do'],
	['an error without a description', new Error(`A ${secretKey}`), 'A', ''],
	['a text', `A ${secretKey}`, 'A', ''],
])('%s is shown without the key', (_what, error, message, description) => {
	for (const apiKey of [secretKey, undefined, 'eak_live_another']) {
		const shown = shownFor(error, apiKey);
		expect(shown.message).toBe(`${message} eak_test_***`);
		const advice = description === '' ? '' : `${description} eak_test_***. `;
		expect(shown.description).toBe(`${advice}${notSent}`);
		expect(shown.context.itemIndex).toBe(3);
	}
});

it.each<[string, unknown, message: string]>([
	['an error without a message', new TypeError(''), 'TypeError'],
	['something with another kind of message', { message: 7, description: 8 }, '[object Object]'],
	['nothing', undefined, 'undefined'],
])('%s is shown as a text', (_what, error, message) => {
	const shown = shownFor(error);
	expect(shown.message).toBe(message);
	expect(shown.description).toBe(notSent);
});

it.each(['ENOENT: preexisting voice', 'upstream: connect ECONNREFUSED', 'getaddrinfo'])(
	'n8n does not replace the message: %s',
	(message) => {
		expect(shownFor(new CallError(message, '')).message).toBe(message);
		expect(shownFor(new CallError(message, '', { status: 500 })).message).toBe(message);
	},
);

it.each<[string, unknown, kind: object, httpCode: string | undefined]>([
	['a refusal of the service', new CallError('A', 'B', { status: 402 }), NodeApiError, '402'],
	['a call without a response', new CallError('A', 'B'), NodeOperationError, undefined],
	[
		"another module's error with a status",
		Object.assign(new Error('A'), { status: 500 }),
		NodeOperationError,
		undefined,
	],
])('%s is of the kind that n8n has for it', (_what, error, kind, httpCode) => {
	const shown = shownFor(error);
	expect(shown).toBeInstanceOf(kind);
	expect((shown as { httpCode?: string }).httpCode).toBe(httpCode);
});

/** The only place that pins what the node says about debits. */
it.each<{ payment: Payment; statement: string }>([
	{ payment: 'notSent', statement: notSent },
	{
		payment: 'refused',
		statement:
			'The service refused the call. Whether refused calls cost credits is not documented.',
	},
	{
		payment: 'possible',
		statement:
			"The call may have been debited: check the usage dashboard in the service's console before you send it again.",
	},
	{ payment: 'debited', statement: 'The service accepted the call, so it was debited.' },
])('the payment $payment is a sentence and a field', ({ payment, statement }) => {
	const shown = shownFor(new CallError('A', 'Do this.'), secretKey, payment);
	expect(shown.description).toBe(`Do this. ${statement}`);
	expect(shown.context.debit).toBe(payment);
});

it.each([
	{ discardedItems: 1, says: '1 other item of this run may have been debited.' },
	{ discardedItems: 2, says: '2 other items of this run may have been debited.' },
])('the error of a run says: $says', ({ discardedItems, says }) => {
	const { description } = shownFor(new CallError('A', ''), secretKey, 'refused', discardedItems);
	expect(description).toContain(says);
});

it('only a cancellation has the word by which n8n recognizes one', () => {
	expect(shownFor(canceledError()).message).toBe('The execution was canceled');
	expect(shownFor(new CallError('Order canceled', '')).message).toBe('Order cancelled');
});
