import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import type { Item } from '../execution/item';
import { audioFetcher, sendRequest } from './httpClient';
import { inputFileSource } from './inputFiles';
import type { NodeRunState } from './nodeRun';

/** The value of a parameter as the workflow stores it, with its expressions. */
function rawParameter(context: IExecuteSingleFunctions, name: string): unknown {
	// n8n throws for a missing parameter without a fallback.
	return context.getNodeParameter(name, '', { rawExpressions: true });
}

/**
 * Reads a parameter. Without an expression it is the same for all items of a run: n8n takes long to return one, so it
 * is asked only once.
 */
function readParameter(
	context: IExecuteSingleFunctions,
	{ constantParameters }: NodeRunState,
	name: string,
	fallback?: unknown,
): unknown {
	if (constantParameters.has(name)) return constantParameters.get(name);
	const value: unknown = context.getNodeParameter(name, fallback);
	const raw = JSON.stringify(rawParameter(context, name)) ?? '';
	if (!raw.includes('"=')) constantParameters.set(name, value);
	return value;
}

/** Reads the credential; many reads at the same time would exhaust n8n's pool of database connections. */
async function readCredential(context: IExecuteSingleFunctions, { credentialReads }: NodeRunState) {
	await credentialReads.acquire();
	try {
		return await context.getCredentials('voiceSpeechApi');
	} finally {
		credentialReads.release();
	}
}

/**
 * What the execution needs for one item, from n8n's context of it.
 *
 * @param requestData the request that n8n's RoutingNode built from the operation's routing and the request options
 */
export function contextItem(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	run: NodeRunState,
): Item {
	const options = requestData.options as IHttpRequestOptions;
	const read: Item['read'] = (name, fallback) => readParameter(context, run, name, fallback);
	const { timeout } = read('requestOptions', {}) as { timeout?: number };
	let apiKey: string | undefined;
	return {
		index: context.getItemIndex(),
		endpoint,
		routedFields: (options.body ?? {}) as IDataObject,
		timeout: timeout || undefined,
		get apiKey() {
			return apiKey;
		},
		read,
		async readCredential() {
			const credential = await readCredential(context, run);
			apiKey = String(credential.apiKey ?? '').trim();
			return credential;
		},
		findFile() {
			const raw = rawParameter(context, 'binaryPropertyName');
			const isExpression = typeof raw === 'string' && raw.startsWith('=');
			return inputFileSource(context, read('binaryPropertyName'), isExpression);
		},
		fetchAudio: audioFetcher(context, options),
		send: async (request) => await sendRequest(context, options, request),
		store: async (body, fileName, mimeType) =>
			await context.helpers.prepareBinaryData(
				body as Parameters<typeof context.helpers.prepareBinaryData>[0],
				fileName,
				mimeType,
			),
	};
}
