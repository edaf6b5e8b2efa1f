import { type IDataObject, UserError } from 'n8n-workflow';

import { validateCredential, type CheckedCredential } from '../../../credentials/checkedCredential';
import { listSentParameters, type SentText } from '../descriptions/operation';
import { type CallOptions, optionDefinitions } from '../descriptions/options';
import {
	allowedEnvironmentParameter,
	defaultFileField,
	type ExtraField,
	extraFieldsParameter,
	type InputType,
	inputTypeParameter,
	jsonBodyParameter,
	outputPropertyNameParameter,
	textParameter,
} from '../descriptions/parameters';
import { readChoice, readText } from '../descriptions/readValue';
import {
	createEmptyParameterError,
	createFieldNameCollisionError,
	createNotPreparedError,
	createWrongEnvironmentError,
} from '../errors/inputError';
import type { OutputFile } from '../response/readResponse';
import type { Endpoint } from '../service/endpoint';
import { JsonText, stringifyObject } from '../text/json';
import {
	buildJsonBody,
	type Field,
	type Payload,
	type PreparedRequest,
	readExtraFields,
	replaceFields,
	replaceNulls,
	validateNamesForJson,
} from './request';
import { chooseAudio, type Item } from './item';
import {
	validateHeaders,
	type ConnectionOptions,
	listSentOptions,
	readConnectionOptions,
	readOptions,
	type SentOption,
} from './readOptions';

/** What has been read of an item before its payload is built. */
interface Preparation {
	item: Item;
	options: CallOptions;
	sentOptions: SentOption[];
	connection: ConnectionOptions;
	/** The rows of 'Extra Fields'. */
	extra: Field[];
}

/**
 * What the item sends. The user chooses it where the endpoint is not documented.
 *
 * @throws {UserError} if the value is not one of the choices
 */
function readInputType({ operation, read }: Item): InputType {
	const { input } = operation.endpoint;
	if (input !== 'chosen') return input;
	return readChoice(inputTypeParameter, read(inputTypeParameter.name));
}

/**
 * The fields of parameters and options, without the empty ones.
 *
 * @throws {UserError} if a required one is empty, or one is not a text
 */
function readSentFields({ item, sentOptions }: Preparation): Field[] {
	const { operation, read } = item;
	const fields: Field[] = [];
	for (const { parameter, label, field, required } of listSentParameters(operation)) {
		const value = readText(label, read(parameter, '')).trim();
		if (value !== '') fields.push([field, value]);
		else if (required) throw createEmptyParameterError(label);
	}
	for (const { label, field, value } of sentOptions) {
		// JSON has types; a form sends them as text.
		if (typeof value === 'number' || typeof value === 'boolean') {
			fields.push([field, new JsonText(String(value))]);
			continue;
		}
		const text = readText(label, value).trim();
		if (text !== '') fields.push([field, text]);
	}
	return fields;
}

/** @throws {UserError} if the field for the content has the name of another field of the operation, sent or empty */
function validateFieldName(
	{ item, options, sentOptions }: Preparation,
	option: 'fileFieldName' | 'textFieldName',
): void {
	const parameters = listSentParameters(item.operation);
	const name = options[option];
	const isTaken = [...parameters, ...sentOptions].some(({ field }) => field === name);
	if (!isTaken) return;
	throw createFieldNameCollisionError(optionDefinitions[option].property.displayName, name);
}

/**
 * The form of an operation that takes audio.
 *
 * @throws {UserError} for fields or audio that cannot be sent
 */
function prepareForm(preparation: Preparation): Payload {
	validateFieldName(preparation, 'fileFieldName');
	const { item, connection, options, extra } = preparation;
	const fields = replaceNulls(replaceFields(readSentFields(preparation), extra));
	const isFileReplaced = extra.some(([name]) => name === options.fileFieldName);
	if (isFileReplaced) return { kind: 'form', fields };
	return { kind: 'audioForm', fields, audio: chooseAudio(item, connection) };
}

/**
 * The fields of the JSON object of an operation that takes a text.
 *
 * @throws {UserError} if the text is empty, or for fields that cannot be sent
 */
function prepareTextFields(preparation: Preparation): Field[] {
	validateFieldName(preparation, 'textFieldName');
	const { item, options, extra } = preparation;
	const sent = readSentFields(preparation);
	const value = readText(textParameter.displayName, item.read(textParameter.name));
	if (value === '') throw createEmptyParameterError(textParameter.displayName);
	validateNamesForJson(extra);
	return replaceFields([[options.textFieldName, value], ...sent], extra);
}

/** The value of a field by its name, as JSON has it; undefined if the field is not sent. */
function findFieldValue(fields: Field[], name: string): IDataObject[string] {
	const value = new Map(fields).get(name);
	return value instanceof JsonText ? (JSON.parse(value.text) as IDataObject[string]) : value;
}

/** The text of the request, after 'Extra Fields', and the voice. */
function getSentText(
	{ voiceField }: Endpoint,
	{ textFieldName }: CallOptions,
	textFields: Field[],
): SentText {
	const text = findFieldValue(textFields, textFieldName);
	return {
		text: typeof text === 'string' ? text : undefined,
		voiceId: voiceField === undefined ? undefined : findFieldValue(textFields, voiceField),
	};
}

/** @throws {UserError} if the node does not allow keys of this environment for the item */
function validateEnvironment(
	{ read }: Item,
	{ environment, credentialLabel }: CheckedCredential,
): void {
	const allowed = readChoice(
		allowedEnvironmentParameter,
		read(allowedEnvironmentParameter.name, 'any'),
	);
	if (allowed !== 'any' && allowed !== environment) {
		throw createWrongEnvironmentError(allowed, environment, credentialLabel);
	}
}

/** The payload of a request, and the fields in it that a text is sent with. */
interface PreparedPayload {
	payload: Payload;
	/** Empty if no text is sent. Extra fields may have replaced standard ones. */
	textFields: Field[];
}

/** @throws {UserError} for fields, audio or a body that cannot be sent */
function preparePayload(preparation: Preparation): PreparedPayload {
	const { item, extra } = preparation;
	switch (readInputType(item)) {
		case 'audio':
			return { payload: prepareForm(preparation), textFields: [] };
		case 'audioBody':
			return {
				payload: { kind: 'audioBody', audio: chooseAudio(item, preparation.connection) },
				textFields: [],
			};
		case 'json': {
			const text = buildJsonBody(item.read(jsonBodyParameter.name), extra);
			return { payload: { kind: 'json', text }, textFields: [] };
		}
		case 'text': {
			const textFields = prepareTextFields(preparation);
			return { payload: { kind: 'json', text: stringifyObject(textFields) }, textFields };
		}
	}
}

/**
 * Where a file of the response goes. It is read before the call is made, because an expression may throw.
 *
 * @throws {UserError} if 'Output Data Field Name' is not a text
 */
function readOutputFile(
	{ operation, number, read }: Item,
	{ outputFileName }: CallOptions,
): Pick<OutputFile, 'fileName' | 'fieldName'> {
	const { displayName, name } = outputPropertyNameParameter;
	const defaultName = operation.defaultFileName ?? 'audio';
	// Files of one run must not replace each other where a later step saves them.
	const numberedName = number === undefined ? defaultName : `${defaultName}-${number}`;
	return {
		fileName: outputFileName || numberedName,
		fieldName: readText(displayName, read(name, '')).trim() || defaultFileField,
	};
}

/**
 * Reads everything but the credential and 'Allowed Keys'.
 *
 * @throws {UserError} for what cannot be sent
 */
function prepareParameters(
	item: Item,
	baseUrl: string,
): Omit<PreparedRequest, 'credential' | 'credentialData'> {
	const { operation, read } = item;
	const { endpoint } = operation;
	// Read once, because an expression may yield another value each time.
	const saved = read('options', {});
	const options = readOptions(saved, endpoint);
	const connection = readConnectionOptions(read('requestOptions', {}), baseUrl);
	const outputFile = readOutputFile(item, options);
	validateHeaders(options.headers);
	const sentOptions = listSentOptions(saved, options, endpoint);
	const extra = readExtraFields(read(`${extraFieldsParameter.name}.field`, []) as ExtraField[]);
	const { payload, textFields } = preparePayload({ item, options, sentOptions, connection, extra });
	const sentText = getSentText(endpoint, options, textFields);
	const requestDescription = operation.describeRequest?.(sentText) ?? {};
	return {
		endpoint,
		options,
		connection,
		payload,
		voiceId: sentText.voiceId,
		outputFile: { ...outputFile, requestDescription },
	};
}

/**
 * Reads and checks the parameters and the credential of one item, and finds its audio, which is not opened. The credential
 * that it reads is the one that is sent.
 *
 * @throws {UserError} that says what to do
 */
export async function prepareRequest(item: Item): Promise<PreparedRequest> {
	try {
		const credentialData = await item.readCredential();
		const credential = validateCredential(credentialData, item.credentialName);
		validateEnvironment(item, credential);
		const prepared = prepareParameters(item, credential.baseUrl);
		if (prepared.options.linkHours > 0) await item.checkLinks();
		return { ...prepared, credential, credentialData };
	} catch (error) {
		throw error instanceof UserError ? error : createNotPreparedError(error);
	}
}
