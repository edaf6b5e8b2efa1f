import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../descriptions/operation';
import {
	audioInputParameters,
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

const undocumentedNotice: INodeProperties = {
	displayName: `The service does not document this operation's request and response: ${askProviderLink}, then choose in 'Input Type' what to send`,
	name: 'undocumentedNotice',
	type: 'notice',
	default: '',
};

const parametersAfterInputType = [
	...audioInputParameters,
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
interface UndocumentedOperation extends Pick<Operation, 'resource' | 'value' | 'name' | 'action'> {
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
}: UndocumentedOperation): Operation {
	const path = `/ai/${scope}` as const;
	const description = `${purpose} What ${path} expects and returns is not documented.`;
	return {
		resource,
		value,
		name,
		action,
		description,
		endpoint: { path, scope, input: 'chosen', returns: 'any' },
		parameters: defaultInput === 'audio' ? audioFirstParameters : textFirstParameters,
	};
}
