import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { AnswerBody, type AnswerStream } from '../answer/body';
import { headLength } from '../audio/format';
import type { CallWatch } from './watch';

/** A request as n8n hands it to the hook, and takes it back. */
export type RequestData = DeclarativeRestApiSettings.ResultOptions;

/** The service's answer, its body about to be read. */
export interface CallAnswer {
	status: number;
	headers: IDataObject;
	contentType: string;
	body: AnswerBody;
}

/** What goes out. */
export interface Outgoing {
	baseUrl: string;
	body: FormData | Buffer;
	headers: IDataObject;
	/** Leave n8n's own time limit as it is. */
	keepTimeout: boolean;
}

/**
 * Hands the whole response through n8n's routing to the hook that asked for it: n8n passes on items only, so the
 * response travels as the json of one.
 */
export async function handOver(
	this: IExecuteSingleFunctions,
	_items: INodeExecutionData[],
	response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
	return [{ json: response as unknown as IDataObject }];
}

function requestFor(requestData: RequestData, outgoing: Outgoing, watch: CallWatch): RequestData {
	const { options } = requestData;
	return {
		...requestData,
		options: {
			...options,
			baseURL: outgoing.baseUrl,
			headers: {
				...options.headers,
				Accept: '*/*',
				'Accept-Encoding': 'identity',
				// A service may refuse an upload before it has read it all. With n8n's 'close' it would break the connection
				// off behind its answer, and the answer would be lost.
				Connection: 'keep-alive',
				...outgoing.headers,
			},
			body: outgoing.body,
			// 0 lifts n8n's five minutes for upload and answer together: the watch has limits that fit better.
			timeout: outgoing.keepTimeout ? options.timeout : 0,
			// An accessor: n8n sets its own signal here, which the watch's signal includes.
			get abortSignal() {
				return watch.signal;
			},
			set abortSignal(_own: AbortSignal | undefined) {},
		},
	};
}

/**
 * Makes one call.
 *
 * @throws whatever n8n's client throws for a fault on the way
 */
export async function makeCall(
	context: IExecutePaginationFunctions,
	requestData: RequestData,
	outgoing: Outgoing,
	watch: CallWatch,
): Promise<CallAnswer> {
	const [item] = await context.makeRoutingRequest(requestFor(requestData, outgoing, watch));
	const response = item?.json as unknown as IN8nHttpFullResponse;
	watch.answered();
	const body = await AnswerBody.open(response.body as unknown as AnswerStream, headLength, () =>
		watch.answered(),
	);
	const contentType = response.headers['content-type'];
	return {
		status: response.statusCode,
		headers: response.headers as IDataObject,
		contentType: typeof contentType === 'string' ? contentType : '',
		body,
	};
}
