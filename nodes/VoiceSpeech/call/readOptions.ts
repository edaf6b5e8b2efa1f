import type { Option } from '../descriptions/optionKinds';
import { optionDefinitions, type CallOptions } from '../descriptions/options';
import { isBlank } from '../descriptions/readValue';
import type { Endpoint } from '../service/endpoint';

/**
 * Reads the options of one item.
 *
 * @param saved the value of the parameter 'Options', whose expressions n8n has resolved
 * @param endpoint of the item; an option that does not apply to it has its default, because n8n keeps values that were set
 * for another operation
 * @throws {UserError} for a value that its option cannot have, such as one that is not one of its choices
 */
export function readOptions(saved: unknown, endpoint: Endpoint): CallOptions {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	const values: Record<string, unknown> = {};
	for (const [name, option] of Object.entries<Option<unknown>>(optionDefinitions)) {
		const value = option.appliesTo(endpoint) ? savedValues[name] : undefined;
		values[name] = option.read(value);
	}
	return values as CallOptions;
}

/** The values of the options with `changesRequest`, in the order of their definitions. */
export function listValuesThatChangeRequest(values: CallOptions): unknown[] {
	return (Object.keys(optionDefinitions) as Array<keyof CallOptions>)
		.filter((name) => optionDefinitions[name].changesRequest)
		.map((name) => values[name]);
}

/** An option that is sent as a field of the request. */
export interface SentOption {
	label: string;
	/** Name of the field in the request. */
	field: string;
	/** Undefined if the user has not added the option. An object that an expression yields is unchanged, to be rejected. */
	value: unknown;
}

/**
 * The options that their definition sends as fields of the body (n8n's `routing.send`). A new field of the request is
 * usually such an option (docs/development/adding.md).
 *
 * @param saved the value of the parameter 'Options'
 * @param values what {@link readOptions} read of it
 */
export function listSentOptions(
	saved: unknown,
	values: CallOptions,
	endpoint: Endpoint,
): SentOption[] {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	const sent: SentOption[] = [];
	for (const [name, option] of Object.entries<Option<unknown>>(optionDefinitions)) {
		const { displayName, routing } = option.property;
		const field = routing?.send?.property;
		if (field === undefined || !option.appliesTo(endpoint)) continue;
		const savedValue = savedValues[name];
		const isUnchanged = isBlank(savedValue) || typeof savedValue === 'object';
		const value = isUnchanged ? savedValue : values[name as keyof CallOptions];
		sent.push({ label: displayName, field, value });
	}
	return sent;
}
