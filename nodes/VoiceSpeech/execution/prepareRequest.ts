import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { readAccess, type Access } from '../../../credentials/access';
import type { AudioSource } from '../audio/reader';
import { audioUrlSource, checkAudioUrl } from '../audio/urlSource';
import { wrongEnvironment } from '../errors/inputError';
import type { OutputFile } from '../response/readResponse';
import { JsonText, objectText } from '../text/json';
import {
	checkFieldName,
	jsonBodyText,
	mergeFields,
	readExtraFields,
	requiredText,
	requireParameters,
	standardFields,
	type Field,
} from './fields';
import type { Item } from './item';
import { choice, inputKind, readOptions, type CallOptions } from './options';

/** A body that is complete. */
export interface JsonPayload {
	kind: 'json';
	text: string;
}

/** A body that is built when the request is sent. */
export interface MultipartPayload {
	kind: 'multipart';
	audio: AudioSource;
	/** The audio comes from the web and not from the item. */
	isFromUrl: boolean;
	fields: Field[];
}

/** The checked part of a request that does not depend on the credential. */
interface Content {
	options: CallOptions;
	payload: JsonPayload | MultipartPayload;
	output: OutputFile;
}

/** What is sent for one item: checked, nothing opened yet. */
export interface PreparedRequest extends Content {
	/** As n8n resolved it for this item; this very object is sent. */
	credential: ICredentialDataDecryptedObject;
	access: Access;
}

function audioFor(item: Item): Pick<MultipartPayload, 'audio' | 'isFromUrl'> {
	const source = choice('Audio Source', item.read('audioSource'), ['file', 'url']);
	if (source === 'file') return { audio: item.findFile(), isFromUrl: false };
	const url = checkAudioUrl(item.read('audioUrl'));
	return { audio: audioUrlSource(url, item.fetchAudio), isFromUrl: true };
}

/** Read before the call is made, because an expression in them may fail. */
function outputFile({ read, endpoint }: Item, { outputFileName }: CallOptions): OutputFile {
	return {
		fileName: outputFileName || (endpoint.answer === 'audio' ? 'speech' : 'audio'),
		fieldName: String(read('outputPropertyName', '') || 'data'),
		about: {},
	};
}

function sentValue(fields: Field[], name: string): IDataObject[string] {
	const value = new Map(fields).get(name);
	return value instanceof JsonText ? (JSON.parse(value.text) as IDataObject[string]) : value;
}

/** @throws UserError that names the parameter and what to do */
function prepareContent(item: Item): Content {
	const { endpoint, read, routedFields } = item;
	const options = readOptions(read);
	const output = outputFile(item, options);
	const extra = readExtraFields(read);
	const kind = inputKind(read, endpoint);
	if (kind === 'json') {
		const text = jsonBodyText(read('jsonBody'), extra);
		return { options, output, payload: { kind: 'json', text } };
	}
	requireParameters(endpoint.required ?? [], routedFields);
	const standard = standardFields(routedFields);
	if (kind === 'text') {
		checkFieldName('Text Field Name', options.textFieldName, routedFields);
		const text = requiredText(read, options.textFieldName);
		const fields = mergeFields([text, ...standard], extra);
		if (endpoint.answer === 'audio') {
			// As sent: an extra field may replace both. The length in Unicode code points.
			const characters = [...String(sentValue(fields, text[0]))].length;
			output.about = { voiceId: sentValue(fields, 'voice_id'), characters };
		}
		return { options, output, payload: { kind: 'json', text: objectText(fields) } };
	}
	checkFieldName('File Field Name', options.fileFieldName, routedFields);
	const fields = mergeFields(standard, extra);
	return { options, output, payload: { kind: 'multipart', ...audioFor(item), fields } };
}

/**
 * @param read for the item that the key is for
 * @throws UserError if the node does not allow keys of this environment
 */
export function checkEnvironment(read: Item['read'], { environment }: Access): void {
	const allowed = String(read('allowedEnvironment'));
	if (allowed !== 'any' && allowed !== environment) throw wrongEnvironment(allowed, environment);
}

/**
 * Checks everything about one item that can be checked without opening its audio.
 *
 * @param onCredential called with the credential before it is checked, so that errors can hide its key
 * @throws UserError that names the parameter and what to do
 */
export async function prepareRequest(
	item: Item,
	onCredential: (credential: ICredentialDataDecryptedObject) => void,
): Promise<PreparedRequest> {
	const content = prepareContent(item);
	const credential = await item.readCredential();
	onCredential(credential);
	const access = readAccess(credential);
	checkEnvironment(item.read, access);
	return { ...content, credential, access };
}

/** Identifies a request: equal lists send the same to the same address with the same key, and store the same file. */
export function fingerprintOf(
	{ access, payload, options }: PreparedRequest,
	path: string,
): unknown[] {
	const common = [access.baseUrl, access.apiKey, path, options.outputFileName];
	if (payload.kind === 'json') return [...common, payload.text];
	const fields = payload.fields.flatMap(([name, value]) => [name, JSON.stringify(value)]);
	return [...common, options.fileFieldName, ...payload.audio.identity, ...fields];
}
