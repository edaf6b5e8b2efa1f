import { UserError, type IN8nHttpFullResponse } from 'n8n-workflow';

import { audioReadFailed } from '../errors/audioError';
import { CallError, failsAllItems } from '../errors/callError';
import { httpError } from '../errors/httpError';
import { responseBroken } from '../errors/networkError';
import { reasonOf } from '../errors/reason';
import { serviceSentence } from '../errors/serviceSentence';
import { maxErrorBodyBytes } from '../limits';
import { readResponse, type Result } from '../response/readResponse';
import { ServiceResponse } from '../response/serviceResponse';
import { decodeText } from '../text/decode';
import type { Item, PreparedRequest } from './item';
import type { NodeRunTry } from './nodeRunTry';
import { checkEnvironment } from './prepareRequest';
import { orAborted } from './pause';
import { openBody, type RequestBody } from './requestBody';
import type { Success } from './resultCache';
import { retryAfterSeconds, retryWait } from './retry';
import { CallTimeouts } from './timeouts';

/**
 * The only place that lets a call start. Called after the audio is open, directly before the request is handed to
 * n8n's client: opening the audio may have taken long, and other calls may have failed meanwhile.
 *
 * Returns `tryEnded` if no call may start any more, `backoff` if none may start yet. Throws UserError if the node does
 * not allow the key that would be sent.
 */
export function admit(
	item: Item,
	{ access }: PreparedRequest,
	{ ended, run }: NodeRunTry,
): 'admitted' | 'tryEnded' | 'backoff' {
	if (ended.aborted) return 'tryEnded';
	if (run.backoff.inEffect) return 'backoff';
	checkEnvironment(item, access);
	return 'admitted';
}

async function errorFor(
	{ statusCode: status, headers }: IN8nHttpFullResponse,
	response: ServiceResponse,
	{ endpoint }: Item,
	{ access, output }: PreparedRequest,
): Promise<Error> {
	const text = decodeText(await response.readStart(maxErrorBodyBytes), response.contentType);
	const location = headers.location as string | undefined;
	const { environment, baseUrl } = access;
	return httpError(
		{ status, sentence: serviceSentence(text), location, retryAfter: retryAfterSeconds(headers) },
		{ endpoint, environment, baseUrl, voiceId: output.about.voiceId },
	);
}

/** What an error means: the call was stopped by its timeouts, its audio failed, or its response broke off. */
function toUserError(error: unknown, reader: RequestBody['reader'], { reason }: CallTimeouts) {
	if (reason !== undefined) return reason;
	if (reader?.fault !== undefined) return audioReadFailed(reasonOf(reader.fault));
	return error instanceof UserError ? error : responseBroken(error);
}

const debitOf = (error: unknown) => (error instanceof CallError ? error.debit : undefined);

/**
 * Makes the call once: opens the audio, asks for admission, sends the request and reads the response. Without a result,
 * the service asked this call (`retry`) or another one (`backoff`) to wait, or no call may start (`tryEnded`).
 */
async function sendOnce(
	item: Item,
	request: PreparedRequest,
	runTry: NodeRunTry,
	retries: number,
): Promise<Result | 'retry' | 'backoff' | 'tryEnded'> {
	const { index, endpoint } = item;
	const { access, options, output } = request;
	// n8n's own Timeout wins.
	const waiting = item.timeout === 0 ? options.answerTimeoutSeconds : 0;
	const timeouts = new CallTimeouts({ waiting }, runTry.cancel);
	let content: RequestBody | undefined;
	let response: Promise<ServiceResponse> | undefined;
	let isAdmitted = false;
	try {
		// Until the call starts. A call in progress may be debited: only cancelling stops it (CallTimeouts).
		runTry.onEnded.add(timeouts.end);
		content = await openBody(request, endpoint, timeouts);
		runTry.onEnded.delete(timeouts.end);
		const admission = admit(item, request, runTry);
		if (admission !== 'admitted') return admission;
		isAdmitted = true;
		if (content.reader) timeouts.uploading();
		else timeouts.uploaded();
		const head = await item.send(request, content.body, timeouts.signal);
		timeouts.received();
		response = ServiceResponse.open(head, timeouts);
		if (Math.floor(head.statusCode / 100) === 2) {
			// Even if it succeeds: in a later try, the item may fail unsent if its request has changed.
			runTry.recordSent(index, true);
			const reading = readResponse(await response, endpoint, output, access.apiKey, item.store);
			const result = await orAborted(reading, timeouts.signal);
			const { sampleWarnings = [] } = content;
			// If the response has a field of this name, it wins.
			if (sampleWarnings.length > 0) result.json = { sampleWarnings, ...result.json };
			return result;
		}
		// Before the body is read: no other call may start while it arrives.
		const waitSeconds = retryWait(head.statusCode, head.headers, retries, options);
		if (waitSeconds !== undefined) {
			runTry.run.backoff.begin(waitSeconds);
			runTry.recordSent(index, false);
			return 'retry';
		}
		const error = response.then((opened) => errorFor(head, opened, item, request));
		runTry.fail({ item, error }, failsAllItems(head.statusCode));
		throw await error;
	} catch (error) {
		if (!isAdmitted && runTry.ended.aborted) return 'tryEnded';
		// The response has the reason, even if the audio fails too.
		const isResponse = response !== undefined && error instanceof CallError;
		const failure = isResponse ? error : toUserError(error, content?.reader, timeouts);
		const debit = debitOf(error) === 'none' ? 'none' : debitOf(failure);
		if (isAdmitted && debit !== 'none') runTry.recordSent(index, debit !== undefined);
		throw failure;
	} finally {
		runTry.onEnded.delete(timeouts.end);
		timeouts.end();
		void response?.then((opened) => opened.close());
		content?.reader?.close();
	}
}

/**
 * Makes the call, and repeats it if the service refused it before any work. Undefined if the try ended before the call
 * could be made, or repeated. Throws CallError or UserError.
 */
export async function sendWithRetries(
	item: Item,
	request: PreparedRequest,
	runTry: NodeRunTry,
): Promise<Success | undefined> {
	for (let retries = 0; ; ) {
		await runTry.run.backoff.over(runTry.ended);
		if (runTry.ended.aborted) return undefined;
		const result = await sendOnce(item, request, runTry, retries);
		if (typeof result === 'object') return { result, options: request.options };
		if (result === 'tryEnded') return undefined;
		if (result === 'retry') retries++;
	}
}
