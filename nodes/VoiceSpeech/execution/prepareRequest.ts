import { UserError, type IDataObject } from 'n8n-workflow';

import { readAccess, type Access } from '../../../credentials/access';
import { audioUrlSource, checkAudioUrl } from '../audio/urlSource';
import type { ExtraField } from '../descriptions/fields';
import { readChoice, readOptions } from '../descriptions/readOptions';
import { emptyParameter, fieldNameCollides, wrongEnvironment } from '../errors/inputError';
import { notPrepared } from '../errors/notSent';
import type { OutputFile } from '../response/readResponse';
import { JsonText, objectText } from '../text/json';
import {
	isEmpty,
	jsonBodyText,
	mergeFields,
	readExtraFields,
	standardFields,
	type Field,
} from './fields';
import type { Item, PreparedRequest } from './item';

function inputKind({ endpoint, read }: Item): 'audio' | 'text' | 'json' {
	if (endpoint.body === 'audio') return 'audio';
	if (endpoint.body === 'json') return 'text';
	return readChoice('Input Type', read('inputType'), ['audio', 'text', 'json']);
}

function sentValue(fields: Field[], name: string): IDataObject[string] {
	const value = new Map(fields).get(name);
	return value instanceof JsonText ? (JSON.parse(value.text) as IDataObject[string]) : value;
}

/** The part of a request that does not depend on the credential. */
function prepareContent(item: Item): Omit<PreparedRequest, 'credential' | 'access'> {
	const { endpoint, read, routedFields } = item;
	const options = readOptions(read('options', {}), endpoint);
	const output: OutputFile = {
		fileName: options.outputFileName || (endpoint.returns === 'audio' ? 'speech' : 'audio'),
		// Read before the call is made, because an expression in it may fail.
		fieldName: String(read('outputPropertyName', '') || 'data'),
		about: {},
	};
	const extra = readExtraFields(read('extraFields.field', []) as ExtraField[]);
	const kind = inputKind(item);
	if (kind === 'json') {
		const text = jsonBodyText(read('jsonBody'), extra);
		return { options, output, payload: { kind: 'json', text } };
	}
	const empty = endpoint.required?.find(({ routing }) =>
		isEmpty(routedFields[routing?.send?.property ?? '']),
	);
	if (empty) throw emptyParameter(empty.displayName);
	const { fileFieldName, textFieldName } = options;
	const [option, contentField] =
		kind === 'audio' ? ['File Field Name', fileFieldName] : ['Text Field Name', textFieldName];
	if (Object.hasOwn(routedFields, contentField)) throw fieldNameCollides(option, contentField);
	if (kind === 'audio') {
		const fields = mergeFields(standardFields(routedFields), extra);
		const isFromUrl = readChoice('Audio Source', read('audioSource'), ['file', 'url']) === 'url';
		const payload = { kind: 'multipart' as const, audio: undefined, isFromUrl, fields };
		if (extra.some(([name]) => name === fileFieldName)) return { options, output, payload };
		const audio = isFromUrl
			? audioUrlSource(checkAudioUrl(read('audioUrl')), item.fetchAudio)
			: item.findFile();
		return { options, output, payload: { kind: 'multipart', audio, isFromUrl, fields } };
	}
	const text = read('text') as IDataObject[string];
	if (isEmpty(text)) throw emptyParameter('Text');
	const fields = mergeFields(standardFields({ [textFieldName]: text, ...routedFields }), extra);
	if (endpoint.returns === 'audio') {
		// As sent: an extra field may replace both. The length in Unicode code points.
		const characters = [...String(sentValue(fields, textFieldName))].length;
		output.about = { voiceId: sentValue(fields, 'voice_id'), characters };
	}
	return { options, output, payload: { kind: 'json', text: objectText(fields) } };
}

/** Throws UserError if the node does not allow keys of this environment for the item. */
export function checkEnvironment({ read }: Item, { environment }: Access): void {
	const allowed = String(read('allowedEnvironment'));
	if (allowed !== 'any' && allowed !== environment) throw wrongEnvironment(allowed, environment);
}

/** Checks everything about one item that can be checked without opening its audio. Throws UserError. */
export async function prepareRequest(item: Item): Promise<PreparedRequest> {
	try {
		const content = prepareContent(item);
		const credential = await item.readCredential();
		const access = readAccess(credential);
		checkEnvironment(item, access);
		return { ...content, credential, access };
	} catch (error) {
		throw error instanceof UserError ? error : notPrepared(error);
	}
}

/** Identifies a request: equal lists send the same to the same address with the same key (docs/credits.md, rule 5). */
export function fingerprintOf({ access, payload, options }: PreparedRequest, path: string) {
	const common: unknown[] = [access.baseUrl, access.apiKey, path];
	if (payload.kind === 'json') return [...common, payload.text];
	const fields = payload.fields.flatMap(([name, value]) => [name, JSON.stringify(value)]);
	return [...common, options.fileFieldName, ...(payload.audio?.identity ?? []), ...fields];
}
