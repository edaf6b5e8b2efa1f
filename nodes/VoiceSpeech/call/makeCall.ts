import type { IDataObject } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/checkedCredential';
import { createUploadReadError } from '../errors/audioError';
import { CallError, toError } from '../errors/bases';
import { createHttpError } from '../errors/httpError';
import { createBrokenResponseError, createNotReachedInTimeError } from '../errors/networkError';
import { formatReason, isPage, readServiceSentence } from '../errors/quote';
import { addPossibleProxyResponse } from '../errors/responseError';
import { maxErrorBodyBytes } from '../limits';
import { readResponse, type ResponseContent } from '../response/readResponse';
import { ServiceResponse } from '../response/serviceResponse';
import { type DebitStatus, isKeyRefusal, isSuccess } from '../service/statusMeaning';
import type { HttpResponse } from '../streams/forwardReader';
import { abortReason, rejectOnAbort } from '../streams/waiting';
import { decodeText } from '../text/decode';
import type { Admission, StartBlock } from './admission';
import { chooseRetryDelay, readRetryAfter } from './backoff';
import { createFailure, type Item, type ItemFailure } from './item';
import { openBody, type SendableBody } from './openBody';
import { getFileName, type PreparedRequest } from './request';
import { CallTimeouts } from './timeouts';

/** What a call that succeeded adds to its output item. */
export interface CallOutput extends ResponseContent {
	/** What the check of the voice sample found. */
	sampleWarnings: string[];
	/** Name of the audio that was sent; empty if none was. */
	audioName: string;
	/** Whether the audio that was sent is shorter than its header specifies. */
	isCutOff?: boolean | undefined;
	/** Status and headers of the response, without the key; undefined if they are not asked for. */
	responseInfo: { status: number; headers: IDataObject } | undefined;
}

/** Outcome of a call without a result. */
type UnsuccessfulOutcome =
	/** The failure has been reported to the {@link Admission}. */
	| { kind: 'failed'; failure: ItemFailure; debit: DebitStatus }
	/** The service refused the call before any work. It must be retried after the back-off that this began. */
	| { kind: 'retryLater'; debit: 'refused' }
	/** The call was not sent. */
	| { kind: 'blocked'; block: StartBlock };

type CallOutcome =
	| { kind: 'succeeded'; output: CallOutput; debit: 'debited' }
	| UnsuccessfulOutcome;

interface Call {
	item: Item;
	request: PreparedRequest;
	admission: Admission;
	timeouts: CallTimeouts;
	/** How often the call has been retried already. */
	retries: number;
}

type OpeningOutcome = { kind: 'opened'; sendable: SendableBody } | UnsuccessfulOutcome;

/** Outcome of sending a request. The body of a response is not read yet. */
type SendingOutcome = { kind: 'responded'; response: HttpResponse } | UnsuccessfulOutcome;

/** Whether the request goes through a proxy of the request options. */
function hasProxy({ connection }: PreparedRequest): boolean {
	return connection.proxy !== undefined;
}

/** Ends a call with a failure. The failure is reported, because calls of other items may have to stop. */
function failCall(
	{ item, request, admission }: Call,
	error: Error,
	debit: DebitStatus,
): UnsuccessfulOutcome {
	const failure = createFailure(item.index, error, request);
	admission.reportFailure(failure);
	return { kind: 'failed', failure, debit };
}

/** Opens the audio. Stops when the call must not start any more. Does not reject. */
async function open(call: Call): Promise<OpeningOutcome> {
	const { request, admission, timeouts } = call;
	const { apiKey } = request.credential;
	// A block stops the opening, but not the upload, which reads the same source: a call whose upload has begun may be
	// debited already. Only its own limits and a cancellation stop it.
	const openingStop = new AbortController();
	const stopOpening = () => openingStop.abort(abortReason);
	const stopSignal = admission.createStopSignal(apiKey);
	stopSignal.addEventListener('abort', stopOpening);
	const signal = AbortSignal.any([timeouts.signal, openingStop.signal]);
	try {
		const sendable = await openBody(request, timeouts, signal);
		return { kind: 'opened', sendable };
	} catch (error) {
		// A block is reported only if it has stopped the opening. A back-off may be in effect too, but it stops no opening, and
		// would hide that the audio stalled.
		const block = openingStop.signal.aborted ? admission.findBlock(apiKey) : undefined;
		if (block !== undefined) return { kind: 'blocked', block };
		return failCall(call, timeouts.reason ?? toError(error), 'notSent');
	} finally {
		stopSignal.removeEventListener('abort', stopOpening);
	}
}

/**
 * The error on this side that ended a request: a limit, a cancellation, or unreadable audio; undefined if there is none.
 */
function findLocalError({ timeouts }: Call, { reader }: SendableBody): Error | undefined {
	if (timeouts.reason !== undefined) return timeouts.reason;
	if (reader?.fault === undefined) return undefined;
	return createUploadReadError(formatReason(reader.fault));
}

/** Hands the request to n8n's client. Does not reject. */
async function send(call: Call, sendable: SendableBody): Promise<SendingOutcome> {
	const { item, request, timeouts } = call;
	if (sendable.reader === undefined) timeouts.onUploadEnd();
	else timeouts.onUploadProgress();
	try {
		const response = await item.send(request, sendable.body, timeouts.signal);
		timeouts.onResponseProgress();
		return { kind: 'responded', response };
	} catch (error) {
		// What n8n's client reports as never sent was not sent, even if the call was stopped meanwhile. But if the audio could
		// not be read, the client may report the error of the audio, so the call may have been debited.
		const isAboutAudio = sendable.reader?.fault !== undefined;
		const isFromClient = !isAboutAudio && error instanceof CallError;
		const debit = isFromClient ? error.debit : 'possible';
		// The limits begin before the connection is established.
		if (timeouts.hasExpired && debit === 'notSent') {
			return failCall(call, createNotReachedInTimeError(hasProxy(request)), debit);
		}
		return failCall(call, findLocalError(call, sendable) ?? toError(error), debit);
	}
}

/** The error for a response that is not a success, with the service's own words. */
async function readErrorResponse(
	{ request, timeouts }: Call,
	{ isUnrecognized }: SendableBody,
	response: HttpResponse,
	retryAfter: number | undefined,
): Promise<CallError> {
	const { statusCode: status, headers } = response;
	const body = await ServiceResponse.open(response, timeouts);
	const start = decodeText(await body.readStart(maxErrorBodyBytes), body.contentType);
	// Masked before it is cut, see KeyMasker.
	const { endpoint, voiceId, credential } = request;
	const text = credential.maskKey(start);
	const location = headers.location as string | undefined;
	return createHttpError(
		{
			status,
			sentence: readServiceSentence(text),
			isPage: isPage(text),
			location: location && credential.maskKey(location),
			retryAfter,
			waitedSeconds: timeouts.responseWaitSeconds,
		},
		{
			...credential,
			endpoint,
			voiceId,
			hasProxy: hasProxy(request),
			isUnrecognized,
		},
	);
}

/** Reads a response that is not a success. Starts a back-off instead if the call will be retried. */
async function receiveErrorResponse(
	call: Call,
	sendable: SendableBody,
	response: HttpResponse,
): Promise<UnsuccessfulOutcome> {
	const { item, request, admission, retries } = call;
	const { statusCode, headers } = response;
	const retryAfter = readRetryAfter(headers);
	const waitSeconds = chooseRetryDelay(statusCode, retryAfter, retries, request.options);
	if (waitSeconds !== undefined) {
		admission.backoff.begin(waitSeconds);
		ServiceResponse.discard(response);
		return { kind: 'retryLater', debit: 'refused' };
	}
	// Reported before the body is read, because no other call may start while it arrives.
	const errorPromise = readErrorResponse(call, sendable, response, retryAfter);
	const failure = createFailure(item.index, errorPromise, request);
	if (isKeyRefusal(statusCode)) admission.reportRefusedKey(request.credential.apiKey, failure);
	else admission.reportFailure(failure);
	// The timeouts of the call watch the body, so the call lasts until it is read.
	const { debit } = await errorPromise;
	return { kind: 'failed', failure, debit };
}

/** Reads status and headers for the output, without the key. */
function readResponseInfo(
	{ statusCode, headers }: HttpResponse,
	maskKey: KeyMasker,
): NonNullable<CallOutput['responseInfo']> {
	const mask = (value: unknown) => maskKey(String(value));
	const masked: IDataObject = {};
	for (const [name, value] of Object.entries(headers)) {
		masked[mask(name)] = Array.isArray(value) ? value.map(mask) : mask(value);
	}
	return { status: statusCode, headers: masked };
}

/** The name of the item's file, by which people know it, or else the name that was sent; empty without audio. */
function chooseAudioName(request: PreparedRequest, { body }: SendableBody): string {
	return getFileName(request) || ('upload' in body ? body.upload.fileName : '');
}

/**
 * Reads a success response to its end, and its status and headers if an option asks for them.
 *
 * @param onUnusable called once the response cannot be used, before the rest of it is read
 */
async function readSuccessResponse(
	call: Call,
	sendable: SendableBody,
	response: HttpResponse,
	onUnusable: () => void,
): Promise<CallOutcome> {
	const { item, request, timeouts } = call;
	const body = await ServiceResponse.open(response, timeouts);
	try {
		const { endpoint, outputFile, credential, options } = request;
		const contentPromise = readResponse(
			body,
			endpoint,
			outputFile,
			credential.maskKey,
			item.store,
			onUnusable,
		);
		const content = await rejectOnAbort(contentPromise, timeouts.signal);
		const responseInfo = options.includeResponseHeaders
			? readResponseInfo(response, credential.maskKey)
			: undefined;
		const { sampleWarnings, isCutOff } = sendable;
		const audioName = chooseAudioName(request, sendable);
		const output = { ...content, sampleWarnings, audioName, isCutOff, responseInfo };
		return { kind: 'succeeded', output, debit: 'debited' };
	} catch (error) {
		// An error about the response names the reason, even if the audio failed too.
		const isAboutResponse = error instanceof CallError && timeouts.reason === undefined;
		if (isAboutResponse) {
			// n8n's client returns the response of a proxy to CONNECT, unless that is a 200, as if it were the service's.
			const mayBeOfProxy = hasProxy(request) && response.statusCode !== 200;
			const debit = mayBeOfProxy ? 'possible' : error.debit;
			if (hasProxy(request) && debit !== 'debited') addPossibleProxyResponse(error);
			return failCall(call, error, debit);
		}
		const shown =
			findLocalError(call, sendable) ?? createBrokenResponseError(error, hasProxy(request));
		return failCall(call, shown, 'possible');
	} finally {
		body.close();
	}
}

/** Reads a success response. Reports one that cannot be used before the rest of it, because no call may start meanwhile. */
async function receiveSuccessResponse(
	call: Call,
	sendable: SendableBody,
	response: HttpResponse,
): Promise<CallOutcome> {
	const { item, request, admission } = call;
	let resolveError: (error: Promise<Error>) => void = () => {};
	const errorPromise = new Promise<Error>((resolve) => {
		resolveError = resolve;
	});
	const outcome = await readSuccessResponse(call, sendable, response, () => {
		admission.reportFailure(createFailure(item.index, errorPromise, request));
	});
	if (outcome.kind === 'failed') resolveError(outcome.failure.errorPromise);
	return outcome;
}

/**
 * Reads the response. Only the statuses 200 to 299 are a success, except 206, which {@link ServiceResponse} rejects. A
 * redirect is an error, because it is not followed.
 */
async function receive(
	call: Call,
	sendable: SendableBody,
	response: HttpResponse,
): Promise<CallOutcome> {
	if (isSuccess(response.statusCode)) return await receiveSuccessResponse(call, sendable, response);
	return await receiveErrorResponse(call, sendable, response);
}

/**
 * Opens the audio of a call, asks whether it may start, sends the request and reads the response. Does not reject.
 *
 * @param retries how often the call has been retried already
 */
export async function makeCall(
	item: Item,
	request: PreparedRequest,
	admission: Admission,
	retries: number,
): Promise<CallOutcome> {
	const { credential, connection, options } = request;
	const earlyBlock = admission.findBlock(credential.apiKey);
	if (earlyBlock !== undefined) return { kind: 'blocked', block: earlyBlock };
	// n8n's own Timeout wins. n8n's client does not apply it to every call, for example not after a 101, so the node applies
	// it from the end of the upload on.
	const limits = {
		responseStart: options.responseTimeoutSeconds,
		timeout: connection.timeoutMs / 1000,
	};
	const timeouts = new CallTimeouts(limits, admission.cancelSignal);
	const call = { item, request, admission, timeouts, retries };
	let sendable: SendableBody | undefined;
	try {
		const openingOutcome = await open(call);
		if (openingOutcome.kind !== 'opened') return openingOutcome;
		sendable = openingOutcome.sendable;
		// Opening may have taken long, and other calls may have failed meanwhile.
		const block = admission.findBlock(credential.apiKey);
		if (block !== undefined) return { kind: 'blocked', block };
		const sendingOutcome = await send(call, sendable);
		if (sendingOutcome.kind !== 'responded') return sendingOutcome;
		return await receive(call, sendable, sendingOutcome.response);
	} catch (error) {
		// Nothing above should throw. If it does, it is a failure of this call, so that the results of others are not lost.
		return failCall(call, toError(error), sendable === undefined ? 'notSent' : 'possible');
	} finally {
		timeouts.finish();
		sendable?.reader?.close();
	}
}
