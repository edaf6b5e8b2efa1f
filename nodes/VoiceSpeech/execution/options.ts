import type { Endpoint } from '../endpoint';
import { notAChoice } from '../errors/inputError';
import type { ReadParameter } from './item';

/** The node's 'Options' as they apply to one item. */
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

/** What an option is when it is not set, or empty. */
export const optionDefaults: CallOptions = {
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

/** Simultaneous calls of a node run when 'Concurrency' is not set. */
export const defaultConcurrency = 5;

function given(value: unknown, otherwise: unknown): unknown {
	return value === undefined || value === null || value === '' ? otherwise : value;
}

/** A value as the type of its default: a number of at least 0, a boolean or a text. */
function asTypeOf(fallback: unknown, value: unknown): unknown {
	if (typeof fallback === 'boolean') return Boolean(value) && value !== 'false';
	if (typeof fallback !== 'number') return String(value);
	return Number.isFinite(Number(value)) && Number(value) >= 0 ? Number(value) : fallback;
}

/**
 * The value of a parameter with choices: an expression may yield anything.
 *
 * @throws UserError if it is none of the choices
 */
export function choice<T extends string>(label: string, value: unknown, choices: T[]): T {
	const found = choices.find((one) => one === value);
	if (found === undefined) throw notAChoice(label, value, choices);
	return found;
}

/** Reads the options of one item; an option that is missing, or not a number where one belongs, has its default. */
export function readOptions(read: ReadParameter): CallOptions {
	const set = read('options', {}) as Record<string, unknown>;
	const options = Object.entries(optionDefaults).map(([name, fallback]: [string, unknown]) => [
		name,
		asTypeOf(fallback, given(set[name], fallback)),
	]);
	const values = Object.fromEntries(options) as CallOptions;
	choice('Format Check', values.formatCheck, ['reject', 'off']);
	choice('Sample Check', values.sampleCheck, ['reject', 'warn', 'off']);
	return values;
}

/** @param value of the option 'Concurrency' */
export function concurrencyFrom(value: unknown): number {
	const number = Number(given(value, defaultConcurrency));
	return Number.isFinite(number) && number >= 1 ? Math.floor(number) : defaultConcurrency;
}

/** What the request carries: audio, a text, or a JSON body from the user. */
export function inputKind(read: ReadParameter, endpoint: Endpoint): 'audio' | 'text' | 'json' {
	if (endpoint.body === 'audio') return 'audio';
	if (endpoint.body === 'json') return 'text';
	return choice('Input Type', read('inputType'), ['audio', 'text', 'json']);
}
