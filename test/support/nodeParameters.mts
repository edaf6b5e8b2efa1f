import type { INodeParameters } from 'n8n-workflow';

// The parameters of the node for each operation that several tests use, with values for the required ones.

export const speechToTextParameters = { resource: 'speech', operation: 'speechToText' };

export const textToSpeechParameters = {
	resource: 'speech',
	operation: 'textToSpeech',
	text: 'Hello',
	voiceId: 'vc_1',
};

export const cloneParameters = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };

/** Analyzes the field 'text' of an item. */
export const sentimentParameters = {
	resource: 'language',
	operation: 'analyzeSentiment',
	inputType: 'text',
	text: '={{ $json.text }}',
};

/** A call whose text is the number of its item, see `createNumberedItems` of calls.ts. */
export const numberedTextParameters = { ...sentimentParameters, text: '={{ $json.number }}' };

/** One of the operations whose request and response are not documented. It sends audio by default. */
export const undocumentedParameters = {
	resource: 'phoneCall',
	operation: 'detectAnsweringMachine',
};

export const undocumentedTextParameters = {
	...undocumentedParameters,
	inputType: 'text',
	text: 'Hello',
};

/** 'Extra Fields' with these rows. */
export function createExtraFields(
	...field: Array<{ name: string; value: unknown; type?: 'text' | 'json' }>
) {
	return { extraFields: { field } } as INodeParameters;
}

export const getDetailsParameters = { resource: 'recording', operation: 'getDetails' };

export const splitParameters = { resource: 'recording', operation: 'split' };
