import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Endpoint } from '../service/endpoint';

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

/** An operation of the service, as the node shows and calls it. */
export interface Operation {
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
	endpoint: Endpoint;
	/** The parameters of its panel before 'Allowed Keys', 'Options' and 'Extra Fields', which every operation has. */
	parameters: INodeProperties[];
	/**
	 * The fields of its output, by name; undefined if they are not documented. n8n offers them to the next step before the
	 * first call (`npm run docs` writes them to `__schema__/`).
	 */
	outputFields?: Record<string, 'string' | 'integer' | 'number' | 'boolean'>;
	/** Name of the file of its output, without extension, if the user sets none. */
	defaultFileName?: string;
	/** Creates output fields that describe the request, for an operation that returns a file, which has no fields. */
	describeRequest?(sentText: SentText): IDataObject;
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
export function listSentParameters({ parameters }: Operation): SentParameter[] {
	return parameters.flatMap(({ name, displayName, required, routing }) => {
		const field = routing?.send?.property;
		if (field === undefined) return [];
		return [{ parameter: name, label: displayName, field, required: required === true }];
	});
}
