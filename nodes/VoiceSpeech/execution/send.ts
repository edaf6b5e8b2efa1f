import { UserError, type IN8nHttpFullResponse } from 'n8n-workflow';

import { audioReadFailed } from '../errors/audioError';
import { CallError, failsAllItems, type Debit } from '../errors/callError';
import { httpError } from '../errors/httpError';
import { reasonOf } from '../errors/reason';
import { responseBroken } from '../errors/networkError';
import { serviceSentence } from '../errors/serviceSentence';
import { maxErrorBodyBytes } from '../limits';
import { readResponse, type Result } from '../response/readResponse';
import { ServiceResponse } from '../response/serviceResponse';
import { decodeText } from '../text/decode';
import { admit } from './admission';
import type { RateLimitBackoff } from './backoff';
import type { Batch } from './batch';
import type { Item, OutgoingRequest } from './item';
import { multipartBody } from './multipart';
import type { JsonPayload, MultipartPayload, PreparedRequest } from './prepareRequest';
import { retryAfterSeconds, retryWait } from './retry';
import { CallTimeouts } from './timeouts';
import { openUpload, type Upload } from './upload';

/** What a call needs besides its item. */
export interface Call {
	item: Item;
	request: PreparedRequest;
	batch: Batch;
	backoff: RateLimitBackoff;
	/** Called when a request of the item has left n8n, or may have. */
	onSent: (mayBeDebited: boolean) => void;
}

/** What one try came to. */
type Attempt =
	| { kind: 'result'; result: Result }
	/** `retry`: the service asked to wait. `backoff`: another call waits. `runEnded`: no call may start. */
	| { kind: 'retry' | 'backoff' | 'runEnded' };

function outgoingRequest(
	{ item, request }: Call,
	upload: Upload | undefined,
	timeouts: CallTimeouts,
): OutgoingRequest {
	const { access, credential, options, payload } = request;
	const common = {
		credential,
		baseUrl: access.baseUrl,
		timeout: item.timeout ?? 0,
		signal: timeouts.signal,
	};
	if (upload === undefined) {
		// As bytes, so that no part of n8n's client parses, trims or escapes the text again.
		const body = Buffer.from((payload as JsonPayload).text);
		return { ...common, body, headers: { 'Content-Type': 'application/json' } };
	}
	const { fields } = payload as MultipartPayload;
	const body = multipartBody(upload, options.fileFieldName, fields, timeouts);
	return { ...common, body, headers: {} };
}

async function errorFor(
	{ statusCode, headers }: IN8nHttpFullResponse,
	response: Promise<ServiceResponse>,
	{ item, request }: Call,
): Promise<Error> {
	const opened = await response;
	const text = decodeText(await opened.readStart(maxErrorBodyBytes), opened.contentType);
	return httpError(
		{
			status: statusCode,
			sentence: serviceSentence(text),
			location: headers.location as string | undefined,
			retryAfter: retryAfterSeconds(headers),
		},
		{
			endpoint: item.endpoint,
			environment: request.access.environment,
			baseUrl: request.access.baseUrl,
			voiceId: request.output.about.voiceId,
		},
	);
}

/** Reads the result of a success. */
async function readResult(
	response: ServiceResponse,
	{ item, request }: Call,
	{ sampleWarnings }: Partial<Upload> = {},
): Promise<Result> {
	const { output, access } = request;
	const result = await readResponse(response, item.endpoint, output, access.apiKey, item.store);
	if (sampleWarnings === undefined || sampleWarnings.length === 0) return result;
	// A field of the service's own keeps its value.
	return { ...result, json: { sampleWarnings, ...result.json } };
}

/** What an error means: the call was stopped from here, its audio failed, its response broke off, or it says so itself. */
function toCallError(
	error: unknown,
	upload: Upload | undefined,
	timeouts: CallTimeouts,
): UserError & { debit?: Debit | undefined } {
	if (error instanceof CallError && error.status !== undefined) return error;
	if (timeouts.reason !== undefined) return timeouts.reason;
	if (upload?.reader.fault !== undefined) return audioReadFailed(reasonOf(upload.reader.fault));
	return error instanceof UserError ? error : responseBroken(error);
}

/** Opens the audio; stops opening when the run ends. A call in progress goes on then. */
async function openUnlessEnded(
	{ item, request, batch }: Call,
	timeouts: CallTimeouts,
): Promise<Upload | undefined> {
	const stop = () => timeouts.end();
	batch.onEnded.add(stop);
	try {
		return await openUpload(request, item.endpoint, timeouts);
	} finally {
		batch.onEnded.delete(stop);
	}
}

async function sendOnce(call: Call, retries: number): Promise<Attempt> {
	const { item, request, batch, backoff } = call;
	const waiting = item.timeout === undefined ? request.options.answerTimeoutSeconds : 0;
	const timeouts = new CallTimeouts({ waiting }, batch.cancel);
	let upload: Upload | undefined;
	let response: Promise<ServiceResponse> | undefined;
	let isAdmitted = false;
	try {
		upload = await openUnlessEnded(call, timeouts);
		const admission = admit(item, request, batch, backoff);
		if (admission !== 'admitted') return { kind: admission };
		isAdmitted = true;
		if (upload) timeouts.uploading();
		else timeouts.uploaded();
		// After the phase has begun: an upload without a file is complete at once.
		const head = await item.send(outgoingRequest(call, upload, timeouts));
		timeouts.received();
		response = ServiceResponse.open(head, timeouts.received);
		if (Math.floor(head.statusCode / 100) === 2) {
			return { kind: 'result', result: await readResult(await response, call, upload) };
		}
		// Before the body is read: no other call may start while it arrives.
		const waitSeconds = retryWait(head.statusCode, head.headers, retries, request.options);
		if (waitSeconds !== undefined) {
			backoff.begin(waitSeconds);
			call.onSent(false);
			return { kind: 'retry' };
		}
		const error = errorFor(head, response, call);
		const { apiKey } = request.access;
		batch.fail({ index: item.index, error, apiKey }, failsAllItems(head.statusCode));
		throw await error;
	} catch (error) {
		if (!isAdmitted && batch.ended.aborted) return { kind: 'runEnded' };
		const failure = toCallError(error, upload, timeouts);
		const debit = error instanceof CallError && error.debit === 'none' ? 'none' : failure.debit;
		if (isAdmitted && debit !== 'none') call.onSent(debit !== undefined);
		throw failure;
	} finally {
		timeouts.end();
		void response?.then((opened) => opened.close());
		upload?.reader.close();
	}
}

/**
 * Makes the call, and repeats it if the service refused it before any work.
 *
 * @returns undefined if the run ended before the call could be made, or repeated
 * @throws CallError or UserError that says what happened and what to do
 */
export async function sendWithRetries(call: Call): Promise<Result | undefined> {
	const { batch, backoff } = call;
	for (let retries = 0; ; ) {
		await backoff.over(batch.ended);
		if (batch.ended.aborted) return undefined;
		const attempt = await sendOnce(call, retries);
		if (attempt.kind === 'result') return attempt.result;
		if (attempt.kind === 'runEnded') return undefined;
		if (attempt.kind === 'retry') retries++;
	}
}
