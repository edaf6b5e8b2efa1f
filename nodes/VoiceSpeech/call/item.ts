import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { AudioSource } from '../audio/reader';
import { type FetchAudio, createUrlSource, checkAudioUrl } from '../audio/urlSource';
import {
	isService,
	type LocalOperation,
	type Operation,
	type ServiceOperation,
} from '../descriptions/operation';
import { audioSourceParameter, audioUrlParameter } from '../descriptions/parameters';
import { readChoice, readText } from '../descriptions/readValue';
import { toError } from '../errors/bases';
import type { StoreFile } from '../response/readResponse';
import type { HttpResponse } from '../streams/forwardReader';
import type { ConnectionOptions } from './readOptions';
import type { PreparedRequest, RequestBody } from './request';

/** One input item, and what a call needs of n8n for it. n8n/nodeItem.ts implements it. */
export interface Item<Kind extends Operation = ServiceOperation> {
	readonly index: number;
	/** Position of the item in the node run, from 1; undefined if it is the only one. Files are numbered by it. */
	readonly number: number | undefined;
	readonly operation: Kind;
	/**
	 * Reads a parameter.
	 *
	 * @throws what its expression throws
	 */
	readonly read: (name: string, fallback?: unknown) => unknown;
	/** Name of the credential in n8n, for error texts; may be empty. */
	readonly credentialName: string;
	/**
	 * The credential as n8n resolves it for this item.
	 *
	 * @throws what n8n throws, e.g. if an expression of the credential fails
	 */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/**
	 * The file that 'Input Data Field Name' refers to.
	 *
	 * @throws {UserError} if the item has no such file
	 */
	chooseFile(): AudioSource;
	/** Creates a function that fetches audio with n8n's client, without the credential. */
	createAudioFetcher(connection: ConnectionOptions): FetchAudio;
	/**
	 * Hands a request to n8n's client.
	 *
	 * @param signal aborts the request
	 * @throws {CallError} without a response
	 */
	send(request: PreparedRequest, body: RequestBody, signal: AbortSignal): Promise<HttpResponse>;
	/** @throws {UserError} if n8n cannot create links to files; what n8n's storage throws */
	checkLinks(): Promise<void>;
	readonly store: StoreFile;
}

/** An item whose operation the node carries out itself. */
export type LocalItem = Item<LocalOperation>;

export type AnyItem = Item | LocalItem;

export function isLocalItem(item: AnyItem): item is LocalItem {
	return !isService(item.operation);
}

/** The failure of an item. Others may stop because of it. */
export interface ItemFailure {
	/** Index of the item that failed. */
	index: number;
	/** A promise, because the text of a refusal may still be arriving from the service. Does not reject. */
	errorPromise: Promise<Error>;
	/** The prepared request; undefined if preparing it failed. */
	request: PreparedRequest | undefined;
}

export function createFailure(
	index: number,
	error: Error | Promise<Error>,
	request?: PreparedRequest,
): ItemFailure {
	// If the promise rejects, its reason becomes the error. Node would report a rejection as unhandled, because it may come
	// before anything awaits the promise.
	const errorPromise = Promise.resolve(error).catch(toError);
	return { index, errorPromise, request };
}

/**
 * The audio that the item chooses.
 *
 * @throws {UserError} if there is none
 */
export function chooseAudio(item: AnyItem, connection: ConnectionOptions): AudioSource {
	const { read } = item;
	const source = readChoice(audioSourceParameter, read(audioSourceParameter.name));
	if (source === 'file') return item.chooseFile();
	const { displayName, name } = audioUrlParameter;
	const url = checkAudioUrl(readText(displayName, read(name)));
	return createUrlSource(url, item.createAudioFetcher(connection));
}
