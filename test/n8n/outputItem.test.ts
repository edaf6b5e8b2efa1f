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
const statements = {
	none: 'Nothing was sent, so nothing was debited.',
	possible:
		"The call may have been debited: check the usage dashboard in the service's console before you send it again.",
	certain: 'The service accepted the call, so it was debited.',
};

const again = "With 'Retry On Fail', n8n sends it again, and it may be debited again.";

const retryOnFail = { retryOnFail: true };

describe('after the advice, the description says what the item cost', () => {
	it.each(['possible', 'certain'] as const)('%s', (debit) => {
		const error = new CallError('A', 'Do this.', { debit });
		expect(shownFor(error, secretKey, {}, true).description).toBe(`Do this. ${statements[debit]}`);
		expect(shownFor(error, secretKey, retryOnFail, true).description).toBe(
			`Do this. ${statements[debit]} ${again}`,
		);
	});

	it.each<[string, unknown]>([
		['whose call failed', new CallError('A', 'Do this.', { debit: 'possible' })],
		['whose request never left', new CallError('A', 'Do this.', { debit: 'none' })],
		['that was not sent', new UserError('A', { description: 'Do this.' })],
	])('of an item whose request never left n8n, %s: nothing', (_what, error) => {
		for (const settings of [{}, retryOnFail]) {
			const { description } = shownFor(error, secretKey, settings, null);
			expect(description).toBe(`Do this. ${statements.none}`);
		}
	});

	it.each<[string, Debit | undefined]>([
		['the service refused it', undefined],
		['its last request never left, but an earlier one did', 'none'],
	])('and says nothing where %s', (_what, debit) => {
		const error = new CallError('A', 'Do this.', debit ? { debit } : { status: 402 });
		expect(shownFor(error, secretKey, retryOnFail).description).toBe('Do this.');
	});

	it('also where an earlier request of the item may have been debited', () => {
		const error = new CallError('A', 'Do this.', { status: 402 });
		const { description } = shownFor(error, secretKey, {}, true);
		expect(description).toBe(`Do this. ${statements.possible}`);
	});

	it('alone where there is no advice', () => {
		const error = new CallError('A', '');
		expect(shownFor(error, secretKey, {}, null).description).toBe(statements.none);
	});
});
