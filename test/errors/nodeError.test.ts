import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { CallError } from '../../nodes/VoiceSpeech/errors/callError';
import { nodeError } from '../../nodes/VoiceSpeech/errors/nodeError';

const node: INode = {
	id: 'voice',
	name: 'Voice and Speech',
	type: 'n8n-nodes-voice-speech.voiceSpeech',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const shownFor = (error: unknown) =>
	nodeError(node, 3, error, (text) => text.replace('secret', '***'));

it.each<[string, unknown, message: string, description: string]>([
	['an error of ours', new CallError('A secret', 'Do secret.'), 'A ***', 'Do ***.'],
	['an error without a description', new Error('A secret'), 'A ***', ''],
	['an error without a word', new TypeError(''), 'TypeError', ''],
	['a text', 'a secret', 'a ***', ''],
	['something with another kind of message', { message: 7, description: 8 }, '[object Object]', ''],
])('%s is shown without the key', (_what, error, message, description) => {
	const shown = shownFor(error);
	expect(shown.message).toBe(message);
	expect(shown.description ?? '').toBe(description);
	expect(shown.context.itemIndex).toBe(3);
});

it.each<[string, unknown, kind: object, httpCode: string | undefined]>([
	['a refusal of the service', new CallError('A', 'B', 402), NodeApiError, '402'],
	['a call that broke off', new CallError('A', 'B'), NodeOperationError, undefined],
	[
		"another's error with a status",
		Object.assign(new Error('A'), { status: 500 }),
		NodeOperationError,
		undefined,
	],
])('%s is of the kind that n8n has for it', (_what, error, kind, httpCode) => {
	const shown = shownFor(error);
	expect(shown).toBeInstanceOf(kind);
	expect((shown as { httpCode?: string }).httpCode).toBe(httpCode);
});
