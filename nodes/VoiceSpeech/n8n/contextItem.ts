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

/** One item, from n8n's context of it and the request that n8n's RoutingNode built (routing and request options). */
export function contextItem(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	{ constantParameters, credentialReads }: NodeRunState,
): Item {
	const options = requestData.options as IHttpRequestOptions;
	const read: Item['read'] = (name, fallback) => {
		// Without an expression it is the same for all items. Reading one is slow, so it is read once.
		if (constantParameters.has(name)) return constantParameters.get(name);
		const value: unknown = context.getNodeParameter(name, fallback);
		// n8n throws for a missing parameter without a fallback.
		const raw: unknown = context.getNodeParameter(name, '', { rawExpressions: true });
		if (!JSON.stringify(raw)?.includes('"=')) constantParameters.set(name, value);
		return value;
	};
	// 0: the node has its own limits. n8n's default would end a long call.
	const timeout = (read('requestOptions', {}) as { timeout?: number }).timeout || 0;
	const item: Item = {
		index: context.getItemIndex(),
		endpoint,
		routedFields: (options.body ?? {}) as IDataObject,
		timeout,
		apiKey: undefined,
		read,
		async readCredential() {
			// Many reads at the same time would exhaust n8n's pool of database connections.
			await credentialReads.acquire();
			try {
				const credential = await context.getCredentials('voiceSpeechApi');
				item.apiKey = String(credential.apiKey ?? '').trim();
				return credential;
			} finally {
				credentialReads.release();
			}
		},
		findFile: () => inputFileSource(context, read('binaryPropertyName')),
		fetchAudio: audioFetcher(context, options),
		send: async (...request) => await sendRequest(context, { ...options, timeout }, ...request),
		store: context.helpers.prepareBinaryData as Item['store'],
	};
	return item;
}
