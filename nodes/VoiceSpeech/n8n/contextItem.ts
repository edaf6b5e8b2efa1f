import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import type { Item, ReadParameter } from '../execution/item';
import { audioFetcher, sendRequest } from './httpClient';
import { inputFileSource } from './inputFiles';
import type { NodeRunState } from './nodeRun';
import { isExpression } from './parameters';

/** Reads the credential; many reads at the same time would exhaust n8n's pool of database connections. */
async function readCredential(context: IExecuteSingleFunctions, { credentialReads }: NodeRunState) {
	await credentialReads.acquire();
	try {
		return await context.getCredentials('voiceSpeechApi');
	} finally {
		credentialReads.release();
	}
}

/** What the execution needs for one item, from n8n's context of it. */
export function contextItem(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	{ options: request }: DeclarativeRestApiSettings.ResultOptions,
	run: NodeRunState,
): Item {
	const read: ReadParameter = (name, fallback) => run.parameters.read(context, name, fallback);
	// RoutingNode sets the address of the operation's routing.
	const options = request as IHttpRequestOptions;
	const { timeout } = read('requestOptions', {}) as { timeout?: number };
	return {
		index: context.getItemIndex(),
		endpoint,
		routedFields: (options.body ?? {}) as IDataObject,
		timeout: timeout || undefined,
		read,
		readCredential: async () => await readCredential(context, run),
		findFile: () =>
			inputFileSource(
				context,
				read('binaryPropertyName'),
				isExpression(context, 'binaryPropertyName'),
			),
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
