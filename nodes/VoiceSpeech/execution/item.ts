import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import type { AudioSource } from '../audio/reader';
import type { FetchAudio } from '../audio/urlSource';
import type { StoreFile } from '../response/readResponse';

/** Reads a parameter for one item; throws where it is missing and there is no fallback. */
export type ReadParameter = (name: string, fallback?: unknown) => unknown;

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

/** One input item, and what the execution needs of n8n for it. The adapter in `n8n/` implements it. */
export interface Item {
	readonly index: number;
	readonly endpoint: Endpoint;
	/** The fields that the parameters' routing put into the body. */
	readonly routedFields: IDataObject;
	/** n8n's Timeout from the request options, in ms; undefined where the user set none. */
	readonly timeout: number | undefined;
	readonly read: ReadParameter;
	/** The credential as n8n resolves it for this item. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/** The file of the item that 'Input Data Field Name' means; throws UserError if there is none. */
	findFile(): AudioSource;
	/** Fetches an audio URL with n8n's client, without the credential. */
	fetchAudio: FetchAudio;
	/** Hands a request to n8n's client. Rejects with CallError. */
	send(request: OutgoingRequest): Promise<IN8nHttpFullResponse>;
	store: StoreFile;
}
