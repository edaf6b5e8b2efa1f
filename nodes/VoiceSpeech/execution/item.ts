import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { AudioSource } from '../audio/reader';
import type { FetchAudio } from '../audio/urlSource';
import type { Endpoint } from '../endpoint';
import type { StoreFile } from '../response/readResponse';

/** A request to the service, ready to be sent. */
export interface OutgoingRequest {
	/** The credential whose key is sent, as it was checked. */
	credential: ICredentialDataDecryptedObject;
	baseUrl: string;
	body: FormData | Buffer;
	headers: IDataObject;
	/** In ms; 0 means no limit. */
	timeout: number;
	/** Aborts the request. */
	signal: AbortSignal;
}

/** One input item, and what the execution needs of n8n for it. `n8n/contextItem.ts` implements it. */
export interface Item {
	readonly index: number;
	readonly endpoint: Endpoint;
	/** The fields that the parameters' routing put into the body. */
	readonly routedFields: IDataObject;
	/** n8n's Timeout from the request options, in ms; undefined where the user set none. */
	readonly timeout: number | undefined;
	/** The key of the item's credential, to hide it in errors; undefined until the credential is read. */
	readonly apiKey: string | undefined;
	/** Reads a parameter; throws where it is missing and there is no fallback. */
	readonly read: (name: string, fallback?: unknown) => unknown;
	/** The credential as n8n resolves it for this item. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/** The file that 'Input Data Field Name' means; throws UserError if the item has no such file. */
	findFile(): AudioSource;
	/** Fetches an audio URL with n8n's client, without the credential. */
	readonly fetchAudio: FetchAudio;
	/** Hands a request to n8n's client. Rejects with CallError. */
	send(request: OutgoingRequest): Promise<IN8nHttpFullResponse>;
	readonly store: StoreFile;
}
