import { NodeApiError, NodeOperationError, UserError, type INode } from 'n8n-workflow';

import { CallError, type Debit } from '../../nodes/VoiceSpeech/errors/callError';
import { nodeError } from '../../nodes/VoiceSpeech/n8n/outputItem';
import { secretKey } from '../support/secret';

const node = { name: 'Voice and Speech', type: 'a', typeVersion: 1, parameters: {} } as INode;

/** @param mayBeDebited null: no request left n8n */
const shownFor = (
	error: unknown,
	apiKey?: string,
	settings: Partial<INode> = {},
	mayBeDebited: boolean | null = false,
) => nodeError({ ...node, ...settings }, 3, error, apiKey, mayBeDebited ?? undefined);

it.each<[string, unknown, message: string, description: string]>([
	['an error of the node', new CallError(`A ${secretKey}`, `Do ${secretKey}.`), 'A', 'Do'],
	['an error without a description', new Error(`A ${secretKey}`), 'A', ''],
	['a text', `A ${secretKey}`, 'A', ''],
])('%s is shown without the key', (_what, error, message, description) => {
	for (const apiKey of [secretKey, undefined, 'eak_live_another']) {
		const shown = shownFor(error, apiKey);
		expect(shown.message).toBe(`${message} eak_test_***`);
		expect(shown.description ?? '').toBe(description && `${description} eak_test_***.`);
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
	expect(shown.description ?? '').toBe('');
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
const nothing = 'Nothing was sent, so nothing was debited.';
const possible =
	"The call may have been debited: check the usage dashboard in the service's console before you send it again.";
const certain = 'The service accepted the call, so it was debited.';
const again = "With 'Retry On Fail', n8n sends it again, and it may be debited again.";

describe('after the advice, the description says what an item cost', () => {
	const failed = (debit: Debit) => new CallError('A', 'Do this.', { debit });
	const refused = new CallError('A', 'Do this.', { status: 402 });
	const notSent = new UserError('A', { description: 'Do this.' });

	it.each<[string, unknown, mayBeDebited: boolean | null, says: string, withRetry: string]>([
		['whose call failed', failed('possible'), true, possible, again],
		['whose result could not be stored', failed('certain'), true, certain, again],
		['whose earlier request may have been debited', refused, true, possible, again],
		['whose last request never left, but an earlier one', failed('none'), true, possible, again],
		['whose request never left n8n', failed('none'), null, nothing, ''],
		['that was not sent', notSent, null, nothing, ''],
		['that the service refused', refused, false, '', ''],
		['whose last request never left, but a refused one', failed('none'), false, '', ''],
	])('%s', (_what, error, mayBeDebited, says, withRetry) => {
		const { description } = shownFor(error, secretKey, {}, mayBeDebited);
		expect(description).toBe(`Do this. ${says}`.trim());
		const repeated = shownFor(error, secretKey, { retryOnFail: true }, mayBeDebited);
		expect(repeated.description).toBe(`Do this. ${says} ${withRetry}`.trim());
	});

	it('alone where there is no advice', () => {
		const error = new CallError('A', '');
		expect(shownFor(error, secretKey, {}, null).description).toBe(nothing);
	});
});
