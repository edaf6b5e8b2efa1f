import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { CheckedCredential } from '../../../credentials/checkedCredential';
import type { AudioSource } from '../audio/reader';
import type { CallOptions } from '../descriptions/options';
import type { OutputFile } from '../response/readResponse';
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
	outputFile: OutputFile;
	/** As n8n resolved it for this item; the same object is sent. */
	credentialData: ICredentialDataDecryptedObject;
	/** What the node uses of it. */
	credential: CheckedCredential;
}

/** The body of a request as n8n's client takes it. */
export interface RequestBody {
	content: FormData | File | Buffer;
	/** Undefined for a form, whose type n8n's client adds with its own boundary. */
	contentType: string | undefined;
}
