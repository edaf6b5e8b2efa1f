import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import type { AudioSource, OpenAudio } from '../../nodes/VoiceSpeech/audio/reader.ts';
import { Admission } from '../../nodes/VoiceSpeech/call/admission.ts';
import { RateLimitBackoff } from '../../nodes/VoiceSpeech/call/backoff.ts';
import type { Item } from '../../nodes/VoiceSpeech/call/item.ts';
import { makeCall } from '../../nodes/VoiceSpeech/call/makeCall.ts';
import type { PreparedRequest, RequestBody } from '../../nodes/VoiceSpeech/call/request.ts';
import { prepareRequest } from '../../nodes/VoiceSpeech/call/prepareRequest.ts';
import type { Operation } from '../../nodes/VoiceSpeech/descriptions/operation.ts';
import { createNetworkError } from '../../nodes/VoiceSpeech/errors/networkError.ts';
import type { HttpResponse } from '../../nodes/VoiceSpeech/streams/httpResponse.ts';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment.ts';

export const stubKey = 'eak_test_abcdefgh';

export const otherStubKey = 'eak_test_another';

export const stubCredential = {
	apiKey: stubKey,
	environment: 'sandbox',
	baseUrl: 'https://a.example',
};

interface AdmissionSetup {
	stopsOnFailure?: boolean;
	cancelSignal?: AbortSignal;
	backoff?: RateLimitBackoff;
}

/** The admission of one try of a node run. */
export function createAdmission({
	stopsOnFailure = true,
	cancelSignal,
	backoff = new RateLimitBackoff(),
}: AdmissionSetup = {}): Admission {
	return new Admission(stopsOnFailure, cancelSignal, backoff);
}

/** A response as n8n's client returns it. */
export function createResponse(
	statusCode: number,
	headers: IDataObject = {},
	body = Readable.from([Buffer.from('{"a":1}')]),
): HttpResponse {
	return { statusCode, headers, body };
}

/** What `Item.send` rejects with. */
export function createSendError({ isUnconnected }: { isUnconnected: boolean }): Error {
	return createNetworkError({
		code: 'ECONNRESET',
		message: 'reset',
		syscall: '',
		isUnconnected,
	});
}

const parameters: IDataObject = {
	inputType: 'text',
	text: 'Hello',
	audioSource: 'file',
	outputPropertyName: 'data',
};

/** An item that a test can change. */
type StubItem = { -readonly [Name in keyof Item]: Item[Name] };

/** An item without n8n. Like n8n, it throws for a parameter without a value and a fallback. */
export function createStubItem(
	operation: Operation,
	changed: Record<string, unknown> = {},
	functions: Partial<Item> = {},
): StubItem {
	const values: Record<string, unknown> = { ...parameters, ...changed };
	return {
		index: 3,
		number: undefined,
		operation,
		read(name, fallback) {
			const value = name in values ? values[name] : fallback;
			if (value === undefined) throw new Error(`Could not get parameter: ${name}`);
			return value;
		},
		credentialName: '',
		readCredential: async () => stubCredential,
		chooseFile() {
			throw new Error('The test has no file');
		},
		createAudioFetcher: () => async () =>
			await Promise.reject(new Error('The test fetches no audio')),
		send: async () => await Promise.reject(new Error('The test sends nothing')),
		checkLinks: async () => {},
		store: async () => await Promise.reject(new Error('The test stores nothing')),
		...functions,
	};
}

/** What n8n's client does with a request. */
export type Send = Item['send'];

/** Audio in memory. Counts how often it was checked, opened and closed. */
export class StubAudio implements AudioSource {
	/** Whether it is from a URL, which a test can set. */
	isRemote = false;
	readonly identity = [randomUUID()];
	checks = 0;
	openings = 0;
	closings = 0;

	/**
	 * @param bytes size of the audio
	 * @param fault the error that reading ends with
	 */
	constructor(
		private readonly bytes = 100,
		private readonly fault?: Error,
	) {}

	async check(): Promise<void> {
		this.checks++;
	}

	async open(): Promise<OpenAudio> {
		this.openings++;
		const declared = { name: 'call.mp3', mimeType: 'audio/mpeg' };
		const close = () => {
			this.closings++;
		};
		return { size: undefined, declared, chunks: this.read(), close };
	}

	private async *read() {
		yield Buffer.alloc(this.bytes, 'RIFF');
		if (this.fault) throw this.fault;
	}
}

/** Creates audio that passes its check, and whose `open` the test supplies. */
export function createAudio(open: AudioSource['open']): AudioSource {
	return { isRemote: false, identity: [], check: async () => {}, open };
}

interface CallSetup {
	options?: object;
	requestOptions?: object;
	/** The call sends a text if there is none. */
	audio?: AudioSource;
	store?: Item['store'];
	operation?: Operation;
}

interface Call {
	item: Item;
	request: PreparedRequest;
	/** The arguments of each call of `send`. */
	sent: Array<Parameters<Send>>;
}

/**
 * Prepares a call of item 3.
 *
 * @param send takes the place of n8n's client
 */
export async function prepareCall(
	send: Send,
	{ options = {}, requestOptions = {}, audio, store, operation = analyzeSentiment }: CallSetup = {},
): Promise<Call> {
	const sent: Call['sent'] = [];
	const inputType = audio === undefined ? 'text' : 'audio';
	const item = createStubItem(operation, { inputType, options, requestOptions });
	item.send = async (...args) => {
		sent.push(args);
		return await send(...args);
	};
	if (audio !== undefined) item.chooseFile = () => audio;
	if (store !== undefined) item.store = store;
	return { item, request: await prepareRequest(item), sent };
}

/**
 * Makes a call. The outcome of a failed call has its error in place of the promise of the error.
 *
 * @param retries how often the call has been retried already
 */
export async function makeCallAndReadError(
	item: Item,
	request: PreparedRequest,
	admission: Admission,
	retries = 0,
) {
	const outcome = await makeCall(item, request, admission, retries);
	if (outcome.kind !== 'failed') return outcome;
	return { kind: outcome.kind, debit: outcome.debit, error: await outcome.failure.errorPromise };
}

/** Reads the audio of a request to its end, as n8n's client does. */
export async function readUpload(body: RequestBody): Promise<Buffer> {
	if (!('upload' in body)) throw new Error('The request has no audio');
	const pieces: Uint8Array[] = [];
	for await (const piece of body.upload.read()) pieces.push(Buffer.from(piece));
	return Buffer.concat(pieces);
}
