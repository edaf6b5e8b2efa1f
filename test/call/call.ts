/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep, type IDataObject, type IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader';
import { Admission } from '../../nodes/VoiceSpeech/call/admission';
import { RateLimitBackoff } from '../../nodes/VoiceSpeech/call/backoff';
import type { Item, PreparedRequest, RequestBody } from '../../nodes/VoiceSpeech/call/item';
import { prepareRequest } from '../../nodes/VoiceSpeech/call/prepareRequest';
import type { Operation } from '../../nodes/VoiceSpeech/descriptions/operation';
import { networkError } from '../../nodes/VoiceSpeech/errors/networkError';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment';

export const apiKey = 'eak_test_abcdefgh';

export const credential = { apiKey, environment: 'sandbox', baseUrl: 'https://a.example' };

interface AdmissionSetup {
	stopsOnFailure?: boolean;
	cancelSignal?: AbortSignal;
	backoff?: RateLimitBackoff;
}

/** The admission of one try of a node run. */
export function newAdmission({
	stopsOnFailure = true,
	cancelSignal,
	backoff = new RateLimitBackoff(),
}: AdmissionSetup = {}): Admission {
	return new Admission(stopsOnFailure, cancelSignal, backoff);
}

/** A response as n8n's client returns it. */
export function response(
	statusCode: number,
	headers: object = {},
	body = Readable.from([Buffer.from('{"a":1}')]),
): IN8nHttpFullResponse {
	return { statusCode, headers, body } as unknown as IN8nHttpFullResponse;
}

/** What n8n's client rejects with. */
export function networkFault(provablyUnsent: boolean): Error {
	return networkError({ code: 'ECONNRESET', message: 'reset', syscall: '', provablyUnsent });
}

const parameters: IDataObject = {
	inputType: 'text',
	text: 'Hello',
	audioSource: 'file',
	outputPropertyName: 'data',
};

/** An item as n8n's adapter makes it. Like n8n, it throws for a parameter without a value and a fallback. */
export function itemReading(
	operation: Operation,
	changed: Record<string, unknown> = {},
	functions: Partial<Item> = {},
): Item {
	const values: Record<string, unknown> = { ...parameters, ...changed };
	return {
		index: 3,
		operation,
		read(name, fallback) {
			const value = name in values ? values[name] : fallback;
			if (value === undefined) throw new Error(`Could not get parameter: ${name}`);
			return value;
		},
		readCredential: async () => credential,
		findFile() {
			throw new Error('The test has no file');
		},
		fetchAudio: () => async () => await Promise.reject(new Error('The test fetches no audio')),
		send: async () => await Promise.reject(new Error('The test sends nothing')),
		store: async () => await Promise.reject(new Error('The test stores nothing')),
		...functions,
	};
}

/** What n8n's client does with a request. */
export type Send = Item['send'];

interface CallSetup {
	options?: object;
	requestOptions?: object;
	/** Opens the audio of the call; otherwise, it sends a text. */
	open?: AudioSource['open'];
	store?: Item['store'];
	operation?: Operation;
}

interface Call {
	item: Item;
	request: PreparedRequest;
	send: jest.Mock<ReturnType<Send>, Parameters<Send>>;
}

/** A call of item 3, for which n8n's client does this. */
export async function callWith(
	send: Send,
	{ options = {}, requestOptions = {}, open, store, operation = analyzeSentiment }: CallSetup = {},
): Promise<Call> {
	const mock = jest.fn<ReturnType<Send>, Parameters<Send>>(send);
	const inputType = open === undefined ? 'text' : 'audio';
	const functions: Partial<Item> = store === undefined ? { send: mock } : { send: mock, store };
	if (open !== undefined) functions.findFile = () => ({ identity: [], async check() {}, open });
	const item = itemReading(operation, { inputType, options, requestOptions }, functions);
	return { item, request: await prepareRequest(item), send: mock };
}

/** Audio of this many bytes that ends with an error, if one is given. */
export function audioOf(bytes: number, fault?: Error, close = () => {}): AudioSource['open'] {
	async function* chunks() {
		yield Buffer.alloc(bytes, 'RIFF');
		if (fault) throw fault;
	}
	const declared = { name: 'call.wav', mimeType: 'audio/wav' };
	return async () => ({ size: undefined, declared, chunks: chunks(), close });
}

/** Reads the file of a request, as n8n's client does. */
export async function readFile({ content }: RequestBody): Promise<void> {
	const file = (content as FormData).get('file') as File;
	for await (const piece of file.stream() as unknown as AsyncIterable<Uint8Array>) {
		expect(piece.length).toBeGreaterThan(0);
	}
}

/** Rejects once the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) =>
		signal.addEventListener('abort', () => reject(new Error('aborted'))),
	);
}

/** Never settles, and does not react to a signal. */
export async function never(): Promise<never> {
	return await new Promise<never>(() => {});
}

/** Lets everything that waits go on. */
export async function settle(): Promise<void> {
	// eslint-disable-next-line @n8n/community-nodes/no-restricted-globals -- never in n8n
	await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Settles when `settle()` has returned this many times. */
export async function settleTurns(turns: number): Promise<void> {
	for (let turn = 0; turn < turns; turn++) await settle();
}

/** Settles after several steps in a row, and after the node has let n8n do other work (`EventLoopYield`) between them. */
export async function settleAll(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) {
		await settle();
		await sleep(1);
	}
}

/** The error that a function throws. */
export function thrownBy(act: () => unknown): Error & { description?: string } {
	try {
		act();
	} catch (error) {
		return error as Error;
	}
	throw new Error('Nothing was thrown');
}
