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
import type { Item } from './item';
import type { NodeRunTry } from './nodeRunTry';
import { checkEnvironment, type PreparedRequest } from './prepareRequest';
import { openBody, type RequestBody } from './requestBody';
import { retryAfterSeconds, retryWait } from './retry';
import { CallTimeouts } from './timeouts';

/**
 * The only place that lets a call start. Called after the audio is open, directly before the request is handed to
 * n8n's client: opening the audio may have taken long, and other calls may have failed meanwhile.
 *
 * @returns `admitted`, or why the call may not start: no call of the run may, or none may yet
 * @throws UserError if the node does not allow the key that would be sent
 */
export function admit(
	item: Pick<Item, 'read'>,
	{ access }: Pick<PreparedRequest, 'access'>,
	{ ended, run }: NodeRunTry,
): 'admitted' | 'runEnded' | 'backoff' {
	if (ended.aborted) return 'runEnded';
	if (run.backoff.inEffect) return 'backoff';
	checkEnvironment(item, access);
	return 'admitted';
}

/** The result of one attempt to make a call. */
type AttemptResult =
	| { kind: 'succeeded'; result: Result }
	/** `retry`: the service asked to wait. `backoff`: another call waits. `runEnded`: no call may start. */
	| { kind: 'retry' | 'backoff' | 'runEnded' };

async function errorFor(
	{ statusCode, headers }: IN8nHttpFullResponse,
	response: Promise<ServiceResponse>,
	{ endpoint }: Item,
	{ access, output }: PreparedRequest,
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
			endpoint,
			environment: access.environment,
			baseUrl: access.baseUrl,
			voiceId: output.about.voiceId,
		},
	);
}

/** What an error means: the call was stopped by its timeouts, its audio failed, or its response broke off. */
function toCallError(
	error: unknown,
	reader: RequestBody['reader'],
	timeouts: CallTimeouts,
): UserError & Partial<Pick<CallError, 'debit'>> {
	if (error instanceof CallError && error.status !== undefined) return error;
	if (timeouts.reason !== undefined) return timeouts.reason;
	if (reader?.fault !== undefined) return audioReadFailed(reasonOf(reader.fault));
	return error instanceof UserError ? error : responseBroken(error);
}

/** One attempt: opens the audio, asks for admission, sends the request and reads the response. */
async function sendOnce(
	item: Item,
	request: PreparedRequest,
	runTry: NodeRunTry,
	retries: number,
): Promise<AttemptResult> {
	const { index, endpoint } = item;
	const { access, credential, options, output } = request;
	// n8n's own Timeout wins.
	const waiting = item.timeout === undefined ? options.answerTimeoutSeconds : 0;
	const timeouts = new CallTimeouts({ waiting }, runTry.cancel);
	let content: RequestBody | undefined;
	let response: Promise<ServiceResponse> | undefined;
	let isAdmitted = false;
	try {
		// The end of the run stops only the opening: a call in progress goes on.
		runTry.onEnded.add(timeouts.end);
		content = await openBody(request, endpoint, timeouts);
		runTry.onEnded.delete(timeouts.end);
		const admission = admit(item, request, runTry);
		if (admission !== 'admitted') return { kind: admission };
		isAdmitted = true;
		if (content.reader) timeouts.uploading();
		else timeouts.uploaded();
		const head = await item.send({
			credential,
			baseUrl: access.baseUrl,
			body: content.body,
			headers: content.headers,
			timeout: item.timeout ?? 0,
			signal: timeouts.signal,
		});
		timeouts.received();
		response = ServiceResponse.open(head, timeouts.received);
		if (Math.floor(head.statusCode / 100) === 2) {
			const { apiKey } = access;
			const result = await readResponse(await response, endpoint, output, apiKey, item.store);
			const { sampleWarnings = [] } = content;
			// A field of the service's own keeps its value.
			if (sampleWarnings.length > 0) result.json = { sampleWarnings, ...result.json };
			return { kind: 'succeeded', result };
		}
		// Before the body is read: no other call may start while it arrives.
		const waitSeconds = retryWait(head.statusCode, head.headers, retries, options);
		if (waitSeconds !== undefined) {
			runTry.run.backoff.begin(waitSeconds);
			runTry.recordSent(index, false);
			return { kind: 'retry' };
		}
		const error = errorFor(head, response, item, request);
		runTry.fail({ index, error, apiKey: access.apiKey }, failsAllItems(head.statusCode));
		throw await error;
	} catch (error) {
		if (!isAdmitted && runTry.ended.aborted) return { kind: 'runEnded' };
		const failure = toCallError(error, content?.reader, timeouts);
		const debit = error instanceof CallError && error.debit === 'none' ? 'none' : failure.debit;
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
 * Makes the call, and repeats it if the service refused it before any work.
 *
 * @returns undefined if the run ended before the call could be made, or repeated
 * @throws CallError or UserError that says what happened and what to do
 */
export async function sendWithRetries(
	item: Item,
	request: PreparedRequest,
	runTry: NodeRunTry,
): Promise<Result | undefined> {
	for (let retries = 0; ; ) {
		await runTry.run.backoff.over(runTry.ended);
		if (runTry.ended.aborted) return undefined;
		const attempt = await sendOnce(item, request, runTry, retries);
		if (attempt.kind === 'succeeded') return attempt.result;
		if (attempt.kind === 'runEnded') return undefined;
		if (attempt.kind === 'retry') retries++;
	}
}
