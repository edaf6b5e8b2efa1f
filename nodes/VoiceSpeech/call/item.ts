import type { ICredentialDataDecryptedObject, IN8nHttpFullResponse } from 'n8n-workflow';

import type { Access } from '../../../credentials/access';
import type { AudioSource } from '../audio/reader';
import type { FetchAudio } from '../audio/urlSource';
import type { Operation } from '../descriptions/operation';
import type { CallOptions } from '../descriptions/options';
import type { OutputFile, StoreFile } from '../response/readResponse';
import type { ConnectionOptions } from './connectionOptions';
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

/** Audio as the body, without fields. */
export interface AudioPayload {
	kind: 'audio';
	audio: AudioSource;
	isFromUrl: boolean;
}

/** A body that is sent as it is. */
export interface JsonPayload {
	kind: 'json';
	text: string;
}

/** What is sent for one item. It is checked, and nothing is opened yet. */
export interface PreparedRequest {
	options: CallOptions;
	connection: ConnectionOptions;
	payload: MultipartPayload | AudioPayload | JsonPayload;
	/** Where a file of the response goes. */
	output: OutputFile;
	/** As n8n resolved it for this item; the same object is sent. */
	credential: ICredentialDataDecryptedObject;
	access: Access;
}

/** One input item, and what a call needs of n8n for it. `n8n/entryPoints.ts` implements it. */
export interface Item {
	readonly index: number;
	readonly operation: Operation;
	/** Reads a parameter. Throws what its expression throws. */
	read(name: string, fallback?: unknown): unknown;
	/** The credential as n8n resolves it for this item. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/** The file that 'Input Data Field Name' refers to. Throws UserError if the item has no such file. */
	findFile(): AudioSource;
	/** Fetches audio with n8n's client, without the credential. */
	fetchAudio(connection: ConnectionOptions): FetchAudio;
	/** Hands a request to n8n's client; the signal aborts it. Rejects with CallError. */
	send(
		request: PreparedRequest,
		body: FormData | File | Buffer,
		signal: AbortSignal,
	): Promise<IN8nHttpFullResponse>;
	readonly store: StoreFile;
}
