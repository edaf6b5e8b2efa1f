import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { readAnswer, type Naming, type Result } from '../answer/read';
import { decodeText } from '../text/decode';
import type { Endpoint } from '../endpoint';
import { brokenOff, recordingBroke } from '../errors/network';
import { refusedBy } from '../errors/refused';
import { serviceSentence } from '../errors/serviceSentence';
import type { Attempt } from './attempt';
import { multipartBody } from './body';
import { makeCall, type CallAnswer, type Outgoing, type RequestData } from './call';
import type { JsonPayload, Plan } from './plan';
import { retryAfterSeconds, retryWait } from './retry';
import { openUpload, type Upload } from './upload';
import { CallWatch } from './watch';

/** How much of an answer that is no success is read, in bytes: enough for its sentence. */
const refusalLimit = 64 * 1024;

/** One item's exchange with the service: the call, and its repetitions. */
export interface Exchange {
	context: IExecutePaginationFunctions;
	endpoint: Endpoint;
	requestData: RequestData;
	plan: Plan;
	naming: Naming;
}

function outgoingFor(plan: Plan, upload: Upload | undefined, watch: CallWatch): Outgoing {
	const { access, options, payload } = plan;
	const common = { baseUrl: access.baseUrl, keepTimeout: plan.ownTimeout };
	if (upload === undefined) {
		// As bytes, so that no part of n8n's client parses, trims or escapes the text once more.
		const body = Buffer.from((payload as JsonPayload).text);
		return { ...common, body, headers: { 'Content-Type': 'application/json' } };
	}
	const { reader, format, fields } = upload;
	const body = multipartBody(reader, format, options.fileFieldName, fields, watch);
	return { ...common, body, headers: {} };
}

function isSuccess({ status }: CallAnswer): boolean {
	return Math.floor(status / 100) === 2;
}

async function refusal(answer: CallAnswer, { endpoint, plan }: Exchange): Promise<Error> {
	const text = decodeText(await answer.body.readBeginning(refusalLimit), answer.contentType);
	return refusedBy(
		{
			status: answer.status,
			sentence: serviceSentence(text),
			location: answer.headers.location as string | undefined,
			retryAfter: retryAfterSeconds(answer.headers),
		},
		{ endpoint, environment: plan.access.environment },
	);
}

/** What a fault on the way means: ended by the watch, the recording's own, or the network's. */
function meaningOf(error: unknown, upload: Upload | undefined, watch: CallWatch): unknown {
	if (watch.reason !== undefined) return watch.reason;
	if (error instanceof UserError) return error;
	if (upload?.reader.fault !== undefined) return recordingBroke(upload.reader.fault);
	return brokenOff(error);
}

/** What a voice sample lacks is told beside the answer. */
function withWarnings(result: Result, sampleWarnings: string[]): Result {
	if (sampleWarnings.length === 0) return result;
	return { ...result, json: { ...result.json, sampleWarnings } };
}

/** @returns the result, or how many seconds to wait before the same call is made again */
async function callOnce(exchange: Exchange, tries: number): Promise<Result | number> {
	const { context, endpoint, requestData, plan, naming } = exchange;
	const cancel = context.getExecutionCancelSignal?.();
	const answerSeconds = plan.ownTimeout ? 0 : plan.options.answerTimeoutSeconds;
	const watch = new CallWatch({ answer: answerSeconds }, cancel);
	let upload: Upload | undefined;
	let answer: CallAnswer | undefined;
	try {
		upload = await openUpload(plan, endpoint, watch);
		answer = await makeCall(context, requestData, outgoingFor(plan, upload, watch), watch);
		if (isSuccess(answer)) {
			const result = await readAnswer(context, endpoint, answer, naming, plan.access.apiKey);
			return withWarnings(result, upload?.warnings ?? []);
		}
		const wait = retryWait(answer.status, answer.headers, tries, plan.options);
		if (wait !== undefined) return wait;
		return await Promise.reject(await refusal(answer, exchange));
	} catch (error) {
		return await Promise.reject(meaningOf(error, upload, watch));
	} finally {
		watch.end();
		answer?.body.close();
		upload?.reader.close();
	}
}

/**
 * Makes the call, and again where the service refused it before any work (contract, money 4).
 *
 * @returns the result; undefined where the run was stopped before the call could be made or made again
 * @throws CallError that says what happened and what to do
 */
export async function exchangeWith(
	attempt: Attempt,
	exchange: Exchange,
): Promise<Result | undefined> {
	for (let tries = 0; ; tries++) {
		await attempt.hold.over();
		if (attempt.ended) return undefined;
		const outcome = await callOnce(exchange, tries);
		if (typeof outcome !== 'number') return outcome;
		attempt.hold.begin(outcome);
	}
}
