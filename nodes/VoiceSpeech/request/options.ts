import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';

/** Reads a parameter for one item; throws where it is missing and there is no fallback. */
export type ReadParameter = (name: string, fallback?: unknown) => unknown;

/** The node's 'Options' as they hold for one item. */
export interface CallOptions {
	answerTimeoutSeconds: number;
	fileFieldName: string;
	formatCheck: 'reject' | 'off';
	includeInputFields: boolean;
	keepInputFiles: boolean;
	maxRetryWaitSeconds: number;
	outputFileName: string;
	rateLimitRetries: number;
	sampleCheck: 'reject' | 'warn' | 'off';
	textFieldName: string;
}

const defaults: CallOptions = {
	answerTimeoutSeconds: 1800,
	fileFieldName: 'file',
	formatCheck: 'reject',
	includeInputFields: false,
	keepInputFiles: true,
	maxRetryWaitSeconds: 300,
	outputFileName: '',
	rateLimitRetries: 3,
	sampleCheck: 'warn',
	textFieldName: 'text',
};

/** What an option is when it is not set, or emptied. */
function given<T>(value: unknown, otherwise: T): T {
	return value === undefined || value === null || value === '' ? otherwise : (value as T);
}

function atLeastZero(value: unknown, otherwise: number): number {
	const number = Number(given(value, otherwise));
	return Number.isFinite(number) && number >= 0 ? number : otherwise;
}

/** Reads the options of one item; what is missing, or no number where one is due, takes its default. */
export function callOptions(read: ReadParameter): CallOptions {
	const set = read('options', {}) as Partial<CallOptions>;
	return {
		answerTimeoutSeconds: atLeastZero(set.answerTimeoutSeconds, defaults.answerTimeoutSeconds),
		fileFieldName: String(given(set.fileFieldName, defaults.fileFieldName)),
		formatCheck: given(set.formatCheck, defaults.formatCheck),
		includeInputFields: Boolean(given(set.includeInputFields, defaults.includeInputFields)),
		keepInputFiles: Boolean(given(set.keepInputFiles, defaults.keepInputFiles)),
		maxRetryWaitSeconds: atLeastZero(set.maxRetryWaitSeconds, defaults.maxRetryWaitSeconds),
		outputFileName: String(given(set.outputFileName, defaults.outputFileName)),
		rateLimitRetries: atLeastZero(set.rateLimitRetries, defaults.rateLimitRetries),
		sampleCheck: given(set.sampleCheck, defaults.sampleCheck),
		textFieldName: String(given(set.textFieldName, defaults.textFieldName)),
	};
}

const defaultConcurrency = 5;

/** How many calls of the run may be under way at once, as the first item says. */
export function concurrencyOf(context: IExecuteSingleFunctions): number {
	const value = Number(context.getNodeParameter('options.concurrency', defaultConcurrency));
	return Number.isFinite(value) && value >= 1 ? Math.floor(value) : defaultConcurrency;
}

/** What goes out for this item: a recording, a text, or a body written by hand. */
export function inputKind(read: ReadParameter, endpoint: Endpoint): 'audio' | 'text' | 'json' {
	if (endpoint.body === 'audio') return 'audio';
	if (endpoint.body === 'json') return 'text';
	return read('inputType') as 'audio' | 'text' | 'json';
}
