import { NodeApiError, NodeOperationError, UserError, type INode } from 'n8n-workflow';

import { validateCredential } from '../../credentials/checkedCredential.ts';
import { createFailure, type ItemFailure } from '../../nodes/VoiceSpeech/call/item.ts';
import type { PreparedRequest } from '../../nodes/VoiceSpeech/call/request.ts';
import { CallError, CanceledError } from '../../nodes/VoiceSpeech/errors/bases.ts';
import type { DebitStatus } from '../../nodes/VoiceSpeech/service/statusMeaning.ts';
import { maxQuoteLength } from '../../nodes/VoiceSpeech/limits.ts';
import { createNodeError } from '../../nodes/VoiceSpeech/n8n/errors.ts';
import { notSentRecord } from '../../nodes/VoiceSpeech/run/runState.ts';
import { secretKey } from '../support/secret.mts';

const ownNode = { name: 'Voice and Speech' } as INode;

function createCredential(apiKey = secretKey) {
	const environment = apiKey.startsWith('eak_live_') ? 'live' : 'sandbox';
	return validateCredential({ apiKey, environment, baseUrl: 'https://a.example' });
}

/** What n8n shows of the failure of an item that was not sent, unless the settings differ. */
async function show(
	failure: ItemFailure,
	settings: Partial<Parameters<typeof createNodeError>[2]> = {},
) {
	const usual = { debitRecord: notSentRecord, isOnlyItem: true, isLocal: false };
	return await createNodeError(ownNode, failure, { ...usual, ...settings });
}

async function showError(error: Error, settings = {}, apiKey = secretKey) {
	const payload = { kind: 'json', text: '' };
	const request = { credential: createCredential(apiKey), payload } as PreparedRequest;
	return await show(createFailure(3, error, request), settings);
}

const notSent = 'This item was not sent, so it was not debited.';

it.each([
	{
		what: 'an error of the node',
		error: new UserError(`A ${secretKey}`, { description: `Do ${secretKey}.` }),
		advice: 'Do eak_test_***. ',
	},
	{ what: 'an error without a description', error: new Error(`A ${secretKey}`), advice: '' },
])('shows $what without the key', async ({ error, advice }) => {
	for (const shown of [
		await show(createFailure(3, error)),
		await showError(error),
		await showError(error, {}, 'eak_live_another'),
	]) {
		expect(shown.message).toBe('A eak_test_***');
		expect(shown.description).toBe(`${advice}${notSent}`);
		expect(shown.context.itemIndex).toBe(3);
	}
});

it('shows the name of an error without a message', async () => {
	expect((await showError(new TypeError(''))).message).toBe('TypeError');
});

it.each(['ENOENT: preexisting voice', 'upstream: connect ECONNREFUSED', 'getaddrinfo'])(
	'makes a message that n8n does not replace: %s',
	async (message) => {
		const callError = new CallError(message, '', { debit: 'possible', status: 500 });
		for (const error of [new UserError(message), callError]) {
			expect((await showError(error)).message).toBe(message);
		}
	},
);

const refusal = new CallError('A', 'B', { debit: 'refused', status: 402 });
const foreignError = Object.assign(new Error('A'), { debit: 'possible', status: 500 });

it.each([
	['a refusal of the service', refusal, NodeApiError, '402'],
	['a call without a response', new UserError('A'), NodeOperationError, undefined],
	["another module's error with a status", foreignError, NodeOperationError, undefined],
] as const)('makes an error of the kind that n8n has for %s', async (_, error, kind, httpCode) => {
	const shown = await showError(error);
	expect(shown).toBeInstanceOf(kind);
	expect((shown as { httpCode?: string }).httpCode).toBe(httpCode);
});

it.each<[debit: DebitStatus, statement: string]>([
	['notSent', notSent],
	['refused', 'The call was refused. Whether refused calls cost credits is not documented.'],
	[
		'possible',
		"The call may have been debited: check the usage dashboard in the service's console before you send it again.",
	],
	['debited', 'The service accepted the call, so it was debited.'],
])('outputs the debit status %s as a sentence and a field', async (debit, statement) => {
	const debitRecord = { ...notSentRecord, debit };
	const shown = await showError(new UserError('A', { description: 'Do this.' }), { debitRecord });
	expect(shown.description).toBe(`Do this. ${statement}`);
	expect(shown.context.debit).toBe(debit);
});

const keepResults =
	"To keep the results of items that succeed, set 'On Error' to 'Continue (using error output)'.";

it.each([
	['no others', {}, ''],
	['two not sent', { notSent: 2 }, ' No other item of this run was sent.'],
	['two not sent, one refused', { notSent: 2, refused: 1 }, ''],
	[
		'one not sent, one possibly debited',
		{ notSent: 1, possible: 1 },
		` 1 other item of this run may have been debited. ${keepResults}`,
	],
	[
		'two possibly debited, one refused',
		{ possible: 2, refused: 1 },
		` 2 other items of this run may have been debited. ${keepResults}`,
	],
	[
		'one debited',
		{ debited: 1 },
		` 1 other item of this run was debited, and a new execution pays for it again. ${keepResults}`,
	],
	[
		'two debited, one possibly debited',
		{ debited: 2, possible: 1 },
		` 2 other items of this run were debited, and a new execution pays for them again. 1 other item of this run may have been debited. ${keepResults}`,
	],
])('says what is known of the other items of a run that stops: %s', async (_, others, says) => {
	const otherItemCounts = { notSent: 0, refused: 0, possible: 0, debited: 0, ...others };
	const { description } = await showError(new UserError('A'), { otherItemCounts });
	expect(description).toBe(`${notSent}${says}`);
});

/** The description of the error of an item with this file. */
async function describeWithFile(fileName: string, message: string) {
	const credential = createCredential();
	const payload = { kind: 'audioBody', audio: { fileName } };
	const failure = createFailure(1, new Error(message), { credential, payload } as PreparedRequest);
	return (await show(failure, { isOnlyItem: false })).description;
}

it('does not name a file again that the message names', async () => {
	expect(await describeWithFile('two.wav', "The file 'two.wav' is empty")).toBe(notSent);
});

it.each([
	['a usual name', 'two.wav', 'two.wav'],
	['a sentence', "x'. It was paid. '.wav", 'x’. It was paid. ’.wav'],
	['a line break', 'a\nb.wav', 'a b.wav'],
	['5,000 characters', 'a'.repeat(5_000), `${'a'.repeat(maxQuoteLength)}…`],
])('names the file of an item in a run of several items, with %s', async (...row) => {
	const [, fileName, shown] = row;
	const description = await describeWithFile(fileName, 'Payment required');
	expect(description).toBe(`${notSent} This item has the file '${shown}'.`);
});

it('uses the word by which n8n recognizes a cancellation for nothing else', async () => {
	expect((await showError(new CanceledError())).message).toBe('The execution was canceled');
	expect((await showError(new UserError('Order canceled'))).message).toBe('Order cancelled');
});
