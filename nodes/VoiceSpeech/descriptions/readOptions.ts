import type { INodePropertyOptions } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import { notAChoice } from '../errors/inputError';
import { applies, options, type CallOptions, type NamedValue } from './options';

/**
 * The value of a parameter with choices. An expression may yield any value. Throws UserError for one that is not a
 * choice.
 */
export function readChoice<T extends string>(label: string, value: unknown, choices: T[]): T {
	const found = choices.find((choice) => choice === value);
	if (found === undefined) throw notAChoice(label, value, choices);
	return found;
}

/** The rows of a collection; an expression may yield any value for one of them. */
function readRows(collection: unknown): NamedValue[] {
	const { parameter } = (collection ?? {}) as { parameter?: unknown };
	if (!Array.isArray(parameter)) return [];
	return (parameter as Array<Partial<Record<keyof NamedValue, unknown>>>).map((row) => ({
		name: String(row.name ?? '').trim(),
		value: String(row.value ?? '').trim(),
	}));
}

/**
 * An option's value; its default (a switch: the opposite) if missing, not a number, or below `minValue`. Throws
 * UserError for another choice.
 */
export function readOption<K extends keyof CallOptions>(name: K, value: unknown): CallOptions[K] {
	const { displayName, type, typeOptions, options: choices, default: fallback } = options[name];
	const read = (): unknown => {
		if (type === 'fixedCollection') return readRows(value);
		if (value === undefined || value === null || value === '') {
			return type === 'boolean' ? fallback !== true : fallback;
		}
		if (type === 'string') return String(value).trim() || fallback;
		if (type === 'boolean') return Boolean(value) && value !== 'false';
		if (type === 'options') {
			const values = (choices as INodePropertyOptions[]).map((choice) => String(choice.value));
			return readChoice(displayName, value, values);
		}
		const number = Number(value);
		return Number.isFinite(number) && number >= (typeOptions?.minValue ?? 0) ? number : fallback;
	};
	return read() as CallOptions[K];
}

/** The options that the description sends as fields of the body (n8n's `routing.send`), if they are set. */
export function listSentOptions(
	values: unknown,
	endpoint: Endpoint,
): Array<{ label: string; field: string; value: unknown }> {
	const set = (values ?? {}) as Record<string, unknown>;
	return Object.entries(options).flatMap(([name, option]) => {
		const field = option.routing?.send?.property;
		if (field === undefined || !applies(option, endpoint)) return [];
		return [{ label: option.displayName, field, value: set[name] }];
	});
}

/**
 * The options of one item. n8n keeps values set for another operation, so options that do not apply to this one have
 * their defaults.
 */
export function readOptions(values: unknown, endpoint: Endpoint): CallOptions {
	const set = (values ?? {}) as Record<string, unknown>;
	const names = Object.keys(options) as Array<keyof CallOptions>;
	const entries = names.map((name) => {
		const value = applies(options[name], endpoint) ? set[name] : undefined;
		return [name, readOption(name, value)];
	});
	return Object.fromEntries(entries) as CallOptions;
}
