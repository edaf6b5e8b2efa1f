import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Access } from '../../../credentials/access';
import type { AudioSource } from '../audio/reader';
import type { FetchAudio } from '../audio/urlSource';
import type { CallOptions } from '../descriptions/options';
import type { Endpoint } from '../endpoint';
import type { OutputFile, StoreFile } from '../response/readResponse';
import type { Field } from './fields';

/** A multipart body, which is built when the request is sent. */
export interface MultipartPayload {
	kind: 'multipart';
	/** Undefined if 'Extra Fields' replaces the file. */
	audio: AudioSource | undefined;
	/** The audio comes from the web and not from the item. */
	isFromUrl: boolean;
	fields: Field[];
}

/** What is sent for one item: checked, nothing opened yet. */
export interface PreparedRequest {
	options: CallOptions;
	payload: MultipartPayload | { kind: 'json'; text: string };
	/** Where a file of the response goes. */
	output: OutputFile;
	/** As n8n resolved it for this item; the same object is sent. */
	credential: ICredentialDataDecryptedObject;
	access: Access;
}

/** One input item, and what the execution needs of n8n for it. `n8n/contextItem.ts` implements it. */
export interface Item {
	readonly index: number;
	readonly endpoint: Endpoint;
	/** The fields that the parameters' routing put into the body. */
	readonly routedFields: IDataObject;
	/** n8n's Timeout from the request options, in ms; 0 if the user set none. */
	readonly timeout: number;
	/** The key of the item's credential, to hide it in errors; undefined until the credential is read. */
	apiKey: string | undefined;
	/** Reads a parameter; throws where it is missing and there is no fallback. */
	readonly read: (name: string, fallback?: unknown) => unknown;
	/** The credential as n8n resolves it for this item. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/** The file that 'Input Data Field Name' refers to; throws UserError if the item has no such file. */
	findFile(): AudioSource;
	/** Fetches an audio URL with n8n's client, without the credential. */
	readonly fetchAudio: FetchAudio;
	/** Hands a request to n8n's client; the signal aborts it. Rejects with CallError. */
	send(
		request: PreparedRequest,
		body: FormData | Buffer,
		signal: AbortSignal,
	): Promise<IN8nHttpFullResponse>;
	readonly store: StoreFile;
}
