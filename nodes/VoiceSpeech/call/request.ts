import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { CheckedCredential } from '../../../credentials/checkedCredential';
import type { AudioSource } from '../audio/reader';
import type { CallOptions } from '../descriptions/options';
import type { OutputFile } from '../response/readResponse';
import type { Endpoint } from '../service/endpoint';
import type { Field } from './fields';
import { type ConnectionOptions, listValuesThatChangeRequest } from './readOptions';

/** A body without audio. */
type BodyWithoutAudio =
	/** A multipart form whose file is replaced by one of 'Extra Fields'. */
	| { kind: 'form'; fields: Field[] }
	/** JSON that is sent as it is. */
	| { kind: 'json'; text: string };

/** The content of a request, before its audio is opened. */
export type Payload =
	| BodyWithoutAudio
	/** A multipart form with audio. */
	| { kind: 'audioForm'; fields: Field[]; audio: AudioSource }
	/** Audio as the body, without fields. */
	| { kind: 'audioBody'; audio: AudioSource };

/** What is sent for one item. It is checked, and nothing is opened yet. */
export interface PreparedRequest {
	endpoint: Endpoint;
	options: CallOptions;
	connection: ConnectionOptions;
	payload: Payload;
	/** The requested voice, as it is sent; undefined for an operation without one. */
	voiceId: IDataObject[string];
	/** Where a file of the response goes. */
	outputFile: OutputFile;
	/** The credential as n8n resolved it for this item. n8n's client gets this same object. */
	credentialData: ICredentialDataDecryptedObject;
	/** The checked fields of `credentialData` that the node uses. */
	credential: CheckedCredential;
}

/** The name of the file that a request sends; empty if it sends none, or one without a name. */
export function getFileName({ payload }: PreparedRequest): string {
	return 'audio' in payload ? (payload.audio.fileName ?? '') : '';
}

/** Open audio. Only its start has been read. The rest is read during the upload, so that memory does not grow with it. */
export interface Upload {
	fileName: string;
	/** Empty if it is unknown. */
	mimeType: string;
	/** In bytes; undefined if the source does not report it. */
	size: number | undefined;
	/** Reads all bytes. Can be called once. */
	read(): AsyncIterable<Uint8Array>;
}

/** The body of a request, whose audio is open. */
export type RequestBody =
	| BodyWithoutAudio
	/** A multipart form with audio in front of its other fields. */
	| { kind: 'audioForm'; fields: Field[]; fileFieldName: string; upload: Upload }
	/** Audio without fields. */
	| { kind: 'audioBody'; upload: Upload & { size: number } };

/**
 * Identifies a request in its run. Requests with equal fingerprints count as the same (docs/credits.md, rule 5). It
 * contains the key, and the file itself where n8n keeps files in memory, so it stays in the memory of its run.
 */
export type Fingerprint = readonly string[];

export function computeFingerprint({ credential, payload, options }: PreparedRequest): Fingerprint {
	const common: Fingerprint = [
		credential.baseUrl,
		credential.apiKey,
		payload.kind,
		JSON.stringify(listValuesThatChangeRequest(options)),
	];
	switch (payload.kind) {
		case 'json':
			return [...common, payload.text];
		case 'audioBody':
			return [...common, ...payload.audio.identity];
		case 'form':
			return [...common, JSON.stringify(payload.fields)];
		case 'audioForm':
			return [...common, JSON.stringify(payload.fields), ...payload.audio.identity];
	}
}

/** Compares two requests by their elements, because an element may be an entire file. */
export function isSameRequest(first: Fingerprint, second: Fingerprint): boolean {
	return (
		first.length === second.length && first.every((element, index) => element === second[index])
	);
}
