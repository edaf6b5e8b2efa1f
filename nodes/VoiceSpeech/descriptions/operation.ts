import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';

import type { AudioSource } from '../audio/reader';
import { type Endpoint, isDocumented } from '../service/endpoint';
import { type CallOptions, optionDefinitions } from './options';
import { localResource } from './parameters';

/** The resources of the node, in the order in which people need them. */
export const resources = [
	{
		name: 'Speech',
		value: 'speech',
		description: 'Convert speech to text, and text to speech',
		defaultOperation: 'speechToText',
	},
	{
		name: 'Voice',
		value: 'voice',
		description: 'Clone voices for Text to Speech',
		defaultOperation: 'clone',
	},
	{
		name: 'Language',
		value: 'language',
		description: 'Detect language, analyze sentiment, recognize intent',
		defaultOperation: 'analyzeSentiment',
	},
	{
		name: 'Phone Call',
		value: 'phoneCall',
		description: 'Post-call analytics, answering machine detection',
		defaultOperation: 'analyzeCall',
	},
	{
		name: 'Recording',
		value: localResource,
		description: 'Split recordings, and get their details, without credits',
		defaultOperation: 'split',
	},
] as const;

/**
 * An entry of the menu 'Resource'. Its default operation never changes, because n8n does not save defaults in workflows.
 */
export type Resource = (typeof resources)[number];

/** The text that a request sends, and the voice that reads it. */
export interface SentText {
	/** Undefined if none is sent, or if an extra field sends another JSON value in its place. */
	text: string | undefined;
	/** As it is sent; any JSON value, because extra fields may replace it. */
	voiceId: IDataObject[string];
}

/** An operation as the node shows it. */
interface ShownOperation {
	resource: Resource['value'];
	/**
	 * Internal name, called as in n8n's INodePropertyOptions. It never changes after a release, because workflows store it.
	 * It is unique across resources, because n8n's conditions for parameters test Resource and Operation separately.
	 */
	value: string;
	/** Entry of the 'Operation' menu, in Title Case. */
	name: string;
	/** What n8n's list of actions shows for it, in sentence case. It contains the words of `name`. */
	action: string;
	description: string;
	/**
	 * The parameters of its panel before 'Allowed Keys', 'Options' and 'Extra Fields', which every operation of the service
	 * has.
	 */
	parameters: INodeProperties[];
	/**
	 * The fields of its output, by name; undefined if they are not documented. n8n offers them to the next step before the
	 * first call (`npm run docs` writes them to `__schema__/`).
	 */
	outputFields?: Record<string, 'string' | 'integer' | 'number' | 'boolean'>;
}

/** An operation of the service. */
export interface ServiceOperation extends ShownOperation {
	endpoint: Endpoint;
	/** Name of the file of its output, without extension, if the user sets none. */
	defaultFileName?: string;
	/** Creates output fields that describe the request, for an operation that returns a file, which has no fields. */
	describeRequest?(sentText: SentText): IDataObject;
}

/** What an operation of the node itself gets of one item. */
export interface LocalInput {
	/**
	 * Reads a parameter.
	 *
	 * @throws what its expression throws
	 */
	read(name: string, fallback?: unknown): unknown;
	options: CallOptions;
	/** The recording that the item chooses, not opened. */
	audio: AudioSource;
	/** Aborts if the execution is canceled, or if reading stalls. */
	signal: AbortSignal;
	/** Must be called before the recording is read further. */
	onAudioRead(): void;
	/**
	 * Stores a file in n8n.
	 *
	 * @throws if its bytes cannot be read, or n8n's storage fails
	 */
	store(
		content: NodeJS.ReadableStream | Buffer,
		fileName: string,
		mimeType: string,
	): Promise<IBinaryData>;
}

/** One output item of an operation of the node itself. */
export interface LocalOutput {
	json: IDataObject;
	/** By field name. */
	files?: Record<string, IBinaryData>;
	/** Whether the recording ends before the length in its header. */
	isCutOff?: boolean;
}

/** An operation that the node carries out itself: it makes no call, costs no credits, and needs no credential. */
export interface LocalOperation extends ShownOperation {
	/** The options that apply to it. */
	options: Array<keyof CallOptions>;
	/**
	 * @returns at least one output
	 * @throws {UserError} that says what to do
	 */
	run(input: LocalInput): Promise<[LocalOutput, ...LocalOutput[]]>;
}

export type Operation = ServiceOperation | LocalOperation;

/** Whether an operation calls the service. */
export function isService(operation: Operation): operation is ServiceOperation {
	return 'endpoint' in operation;
}

/** Whether the service documents an operation, or the node carries it out itself. */
export function isDocumentedOperation(operation: Operation): boolean {
	return !isService(operation) || isDocumented(operation.endpoint);
}

/** Whether n8n offers one of the options for an operation. */
export function hasOption(operation: Operation, name: keyof CallOptions): boolean {
	if (!isService(operation)) return operation.options.includes(name);
	return optionDefinitions[name].appliesTo(operation.endpoint);
}

/** A parameter that is sent as a field of the request. */
interface SentParameter {
	parameter: string;
	label: string;
	/** Name of the field in the request. */
	field: string;
	/** Whether an empty value is rejected. */
	required: boolean;
}

/** The parameters of an operation that its description sends as fields of the body (n8n's `routing.send`). */
export function listSentParameters({ parameters }: ServiceOperation): SentParameter[] {
	return parameters.flatMap(({ name, displayName, required, routing }) => {
		const field = routing?.send?.property;
		if (field === undefined) return [];
		return [{ parameter: name, label: displayName, field, required: required === true }];
	});
}
