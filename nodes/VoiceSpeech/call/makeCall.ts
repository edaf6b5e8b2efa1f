import { UserError, type IDataObject, type IN8nHttpFullResponse } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { audioReadFailedError } from '../errors/audioError';
import { CallError, refusesKey, type Payment } from '../errors/callError';
import { httpError } from '../errors/httpError';
import { responseBrokenError } from '../errors/networkError';
import { formatReason } from '../errors/reason';
import { isPage, findServiceSentence } from '../errors/serviceSentence';
import { maxErrorBodyBytes } from '../limits';
import { readResponse, type CallOutput } from '../response/readResponse';
import { ServiceResponse } from '../response/serviceResponse';
import { decodeText } from '../text/decode';
import type { Admission, StartBlock } from './admission';
import { chooseRepeatDelay, readRetryAfter } from './backoff';
import type { Item, PreparedRequest } from './item';
import { openBody, type RequestBody } from './openBody';
import { abortReason, rejectOnAbort } from './pause';
import { CallTimeouts } from './timeouts';

/** How a call ended. */
export type CallEnd =
	| { kind: 'completed'; output: CallOutput }
	| { kind: 'failed'; error: unknown; payment: Payment }
	/** The service asked to send the call again later. A back-off is in effect. */
	| { kind: 'refusedBeforeWork' }
	/** The call was not sent. */
	| { kind: 'blocked'; block: StartBlock };

/** A call in progress. */
interface Call {
	item: Item;
	request: PreparedRequest;
	admission: Admission;
	timeouts: CallTimeouts;
	/** How often the call was repeated already. */
	repeats: number;
}

/** What opening the audio of a call led to. */
type Opening = { kind: 'opened'; body: RequestBody } | CallEnd;

/** Result of sending a request, which is a response whose body is not read yet, or the end of the call. */
type Sending = { kind: 'responded'; head: IN8nHttpFullResponse } | CallEnd;

/** Opens the audio. Stops when the call may not start any more. Does not reject. */
async function openAudio({ item, request, admission, timeouts }: Call): Promise<Opening> {
	const { apiKey } = request.access;
	// A block stops only the opening. Once the upload has begun, which also reads the source, the call may be debited, so
	// only its own limits and a cancellation stop it.
	const opening = new AbortController();
	const stopOpening = () => opening.abort(abortReason);
	const stopSignal = admission.createStopSignal(apiKey);
	stopSignal.addEventListener('abort', stopOpening);
	const signal = AbortSignal.any([timeouts.signal, opening.signal]);
	try {
		const body = await openBody(request, item.operation.endpoint, timeouts, signal);
		return { kind: 'opened', body };
	} catch (error) {
		const block = admission.findBlock(apiKey);
		if (signal.aborted && block !== undefined) return { kind: 'blocked', block };
		return { kind: 'failed', error: timeouts.reason ?? error, payment: 'notSent' };
	} finally {
		stopSignal.removeEventListener('abort', stopOpening);
	}
}

/**
 * The end of a call whose request was handed to n8n's client, and that did not get a complete response.
 *
 * @param error of the client, of the response's stream, or of n8n's storage
 */
function toFailedEnd({ timeouts }: Call, { reader }: RequestBody, error: unknown): CallEnd {
	// What n8n's client reports as never sent was not sent, even if the call was stopped meanwhile. If the audio failed, the
	// report may be of its source, which was read during the upload: its server refused a connection, for example.
	const isOfClient = reader?.fault === undefined;
	const isUnsent = isOfClient && error instanceof CallError && error.payment === 'notSent';
	const payment = isUnsent ? 'notSent' : 'possible';
	if (timeouts.reason !== undefined) return { kind: 'failed', error: timeouts.reason, payment };
	if (reader?.fault !== undefined) {
		return { kind: 'failed', error: audioReadFailedError(formatReason(reader.fault)), payment };
	}
	if (error instanceof UserError) return { kind: 'failed', error, payment };
	return { kind: 'failed', error: responseBrokenError(error), payment };
}

/** The error for a response that is not a success, with the service's own words. */
async function readError(
	{ item, request, timeouts }: Call,
	head: IN8nHttpFullResponse,
): Promise<CallError> {
	const { statusCode: status, headers } = head;
	const response = await ServiceResponse.open(head, timeouts);
	const start = decodeText(await response.readStart(maxErrorBodyBytes), response.contentType);
	// The key is masked before a sentence is cut, because a part of it would not be recognized.
	const text = maskApiKey(start, request.access.apiKey);
	const { environment, baseUrl } = request.access;
	return httpError(
		{
			status,
			sentence: findServiceSentence(text),
			isPage: isPage(text),
			location: headers.location as string | undefined,
			retryAfter: readRetryAfter(headers),
		},
		{
			endpoint: item.operation.endpoint,
			environment,
			baseUrl,
			voiceId: request.output.extraJson.voiceId,
		},
	);
}

/** Reads a response that is not a success. Starts a back-off instead if the call will be repeated. */
async function receiveRefusal(call: Call, head: IN8nHttpFullResponse): Promise<CallEnd> {
	const { item, request, admission, repeats } = call;
	const { statusCode, headers } = head;
	const waitSeconds = chooseRepeatDelay(statusCode, headers, repeats, request.options);
	if (waitSeconds !== undefined) {
		admission.backoff.begin(waitSeconds);
		ServiceResponse.discard(head);
		return { kind: 'refusedBeforeWork' };
	}
	const reading = readError(call, head);
	// No other call may start while the body arrives, so the failure is reported before it is read.
	const { apiKey, consoleUrl } = request.access;
	const failure = { index: item.index, error: reading, apiKey, consoleUrl };
	admission.fail(failure, refusesKey(statusCode));
	const error = await reading;
	return { kind: 'failed', error, payment: error.payment };
}

/**
 * Reads status and headers for the output.
 *
 * @param apiKey hidden wherever a header repeats it
 */
function readHead(
	{ statusCode, headers }: IN8nHttpFullResponse,
	apiKey: string,
): NonNullable<CallOutput['head']> {
	const mask = (value: unknown) => maskApiKey(String(value), apiKey);
	const entries = Object.entries(headers).map(([name, value]) => [
		mask(name),
		Array.isArray(value) ? value.map(mask) : mask(value),
	]);
	return { status: statusCode, headers: Object.fromEntries(entries) as IDataObject };
}

/** Reads a success response to its end, and adds what the options ask for. Does not reject. */
async function receiveSuccess(
	call: Call,
	body: RequestBody,
	head: IN8nHttpFullResponse,
): Promise<CallEnd> {
	const { item, request, timeouts } = call;
	const { endpoint } = item.operation;
	const response = await ServiceResponse.open(head, timeouts);
	try {
		const { output: outputFile, access, options } = request;
		const reading = readResponse(response, endpoint, outputFile, access.apiKey, item.store);
		const output = await rejectOnAbort(reading, timeouts.signal);
		if (options.includeResponseHeaders) output.head = readHead(head, access.apiKey);
		const { sampleWarnings } = body;
		// A field of the response replaces a field of this name.
		if (sampleWarnings.length > 0) output.json = { sampleWarnings, ...output.json };
		return { kind: 'completed', output };
	} catch (error) {
		// An error about the response names the reason, even if the audio failed too.
		const isOfResponse = error instanceof CallError && timeouts.reason === undefined;
		if (isOfResponse) return { kind: 'failed', error, payment: error.payment };
		return toFailedEnd(call, body, error);
	} finally {
		response.close();
	}
}

/** Hands the request to n8n's client. Does not reject. */
async function send(call: Call, body: RequestBody): Promise<Sending> {
	const { item, request, timeouts } = call;
	const hasUpload = body.reader !== undefined;
	if (hasUpload) timeouts.onUploadProgress();
	else timeouts.onUploadEnd();
	try {
		const head = await item.send(request, body.content, timeouts.signal);
		timeouts.onResponseProgress();
		return { kind: 'responded', head };
	} catch (error) {
		return toFailedEnd(call, body, error);
	}
}

/** Reads the response. */
async function receive(
	call: Call,
	body: RequestBody,
	head: IN8nHttpFullResponse,
): Promise<CallEnd> {
	const isSuccess = Math.floor(head.statusCode / 100) === 2;
	return isSuccess ? await receiveSuccess(call, body, head) : await receiveRefusal(call, head);
}

/**
 * Opens the audio of a call, asks whether it may start, sends the request and reads the response. Does not reject.
 *
 * @param repeats how often the call was repeated already
 */
export async function makeCall(
	item: Item,
	request: PreparedRequest,
	admission: Admission,
	repeats: number,
): Promise<CallEnd> {
	const { access, connection, options } = request;
	const earlyBlock = admission.findBlock(access.apiKey);
	if (earlyBlock !== undefined) return { kind: 'blocked', block: earlyBlock };
	// n8n's own Timeout wins.
	const responseStart = connection.timeout === 0 ? options.answerTimeoutSeconds : 0;
	const timeouts = new CallTimeouts({ responseStart }, admission.cancelSignal);
	const call = { item, request, admission, timeouts, repeats };
	let body: RequestBody | undefined;
	try {
		const opening = await openAudio(call);
		if (opening.kind !== 'opened') return opening;
		body = opening.body;
		// Opening may have taken long, and other calls may have failed meanwhile.
		const block = admission.findBlock(access.apiKey);
		if (block !== undefined) return { kind: 'blocked', block };
		const sending = await send(call, body);
		if (sending.kind !== 'responded') return sending;
		return await receive(call, body, sending.head);
	} finally {
		timeouts.finish();
		body?.reader?.close();
	}
}
