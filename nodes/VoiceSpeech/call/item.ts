import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Access } from '../../../credentials/access';
import type { AudioSource } from '../audio/reader';
import type { FetchAudio } from '../audio/urlSource';
import type { Operation } from '../descriptions/operation';
import type { CallOptions } from '../descriptions/options';
import type { OutputFile, StoreFile } from '../response/readResponse';
import type { ConnectionOptions } from './connectionOptions';
import type { Field } from './fields';

/** The audio that an item chooses. */
export interface ChosenAudio {
	audio: AudioSource;
	/** The audio comes from the web and not from the item. */
	isFromUrl: boolean;
}

/** The content of a request, before its body is built. */
export type Payload =
	/** A multipart form with audio, which is opened when the request is sent. */
	| ({ kind: 'audioForm'; fields: Field[] } & ChosenAudio)
	/** A multipart form whose file is replaced by one of 'Extra Fields'. */
	| { kind: 'form'; fields: Field[] }
	/** Audio as the body, without fields. */
	| ({ kind: 'audioBody' } & ChosenAudio)
	/** JSON that is sent as it is. */
	| { kind: 'json'; text: string };

/** What is sent for one item. It is checked, and nothing is opened yet. */
export interface PreparedRequest {
	options: CallOptions;
	connection: ConnectionOptions;
	payload: Payload;
	/** The requested voice, as it is sent; undefined for an operation without one. */
	voiceId: IDataObject[string];
	/** Where a file of the response goes. */
	output: OutputFile;
	/** As n8n resolved it for this item; the same object is sent. */
	credential: ICredentialDataDecryptedObject;
	access: Access;
}

/** The body of a request as n8n's client takes it. */
export interface RequestBody {
	content: FormData | File | Buffer;
	/** Undefined for a form, whose type n8n's client adds with its own boundary. */
	contentType: string | undefined;
}

/** One input item, and what a call needs of n8n for it. `createItem` in n8n/itemContext.ts implements it. */
export interface Item {
	readonly index: number;
	readonly operation: Operation;
	/** Reads a parameter. Throws what its expression throws. */
	read(name: string, fallback?: unknown): unknown;
	/** Name of the credential in n8n, for error texts; may be empty. */
	readonly credentialName: string;
	/** The credential as n8n resolves it for this item. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/**
	 * The file that 'Input Data Field Name' refers to.
	 *
	 * @throws {UserError} if the item has no such file
	 */
	findFile(): AudioSource;
	/** Fetches audio with n8n's client, without the credential. */
	fetchAudio(connection: ConnectionOptions): FetchAudio;
	/** Hands a request to n8n's client; the signal aborts it. Rejects with CallError. */
	send(
		request: PreparedRequest,
		body: RequestBody,
		signal: AbortSignal,
	): Promise<IN8nHttpFullResponse>;
	readonly store: StoreFile;
}
