import type { INodeProperties } from 'n8n-workflow';

import type { ServiceOperation } from '../descriptions/operation';
import {
	audioInputParameters,
	binaryPropertyNameParameter,
	inputTypeParameter,
	jsonBodyParameter,
	languageParameter,
	linkToHowTo,
	textParameter,
} from '../descriptions/parameters';

const askProviderLink = linkToHowTo(
	'ask-the-provider-about-an-undocumented-operation',
	'ask your provider',
);

/** It is one line, so that all fields but the options fit into a window of 1280 x 720. */
const undocumentedNotice: INodeProperties = {
	displayName: `Not documented: ${askProviderLink}, then choose 'Input Type'`,
	name: 'undocumentedNotice',
	type: 'notice',
	default: '',
};

/** Without its hint, which would take the place of a field. Its description says the same. */
const inputFieldParameter: INodeProperties = { ...binaryPropertyNameParameter };
delete inputFieldParameter.hint;

const parametersAfterInputType = [
	...audioInputParameters.map((parameter) =>
		parameter === binaryPropertyNameParameter ? inputFieldParameter : parameter,
	),
	textParameter,
	languageParameter,
	jsonBodyParameter,
];
const audioFirstParameters = [undocumentedNotice, inputTypeParameter, ...parametersAfterInputType];
const textFirstParameters = [
	undocumentedNotice,
	{ ...inputTypeParameter, default: 'text' },
	...parametersAfterInputType,
];

/** An operation for which docs/openapi.yaml documents only path and scope. */
interface UndocumentedOperation extends Pick<ServiceOperation, 'resource' | 'value' | 'name'> {
	/** What the operation does. n8n's list of actions shows it with the mark that it is not documented. */
	action: string;
	/** Also the last part of the path. */
	scope: string;
	/** What 'Input Type' is set to until the user changes it. */
	defaultInput: 'audio' | 'text';
	/** A sentence on what to use it for, which the description begins with. */
	purpose: string;
}

/** Creates an operation that sends what the user chooses, and outputs any response of the service. */
export function createUndocumentedOperation({
	resource,
	value,
	name,
	action,
	scope,
	defaultInput,
	purpose,
}: UndocumentedOperation): ServiceOperation {
	const path = `/ai/${scope}` as const;
	const description = `${purpose} What ${path} expects and returns is not documented.`;
	return {
		resource,
		value,
		name,
		action: `${action} (undocumented)`,
		description,
		endpoint: { path, scope, input: 'chosen', returns: 'any' },
		parameters: defaultInput === 'audio' ? audioFirstParameters : textFirstParameters,
	};
}
