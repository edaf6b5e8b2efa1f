import type { Endpoint } from '../endpoint';
import type { Option } from './optionKinds';
import { options, type CallOptions } from './options';

/**
 * Reads the options of one item.
 *
 * @param saved the value of the parameter 'Options'
 * @param endpoint n8n keeps values that were set for another operation. An option that does not apply to this endpoint
 * has its default.
 * @throws UserError for a value that is not one of the choices of its option
 */
export function readOptions(saved: unknown, endpoint: Endpoint): CallOptions {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	const values: Record<string, unknown> = {};
	for (const [name, option] of Object.entries<Option<unknown>>(options)) {
		const value = option.appliesTo(endpoint) ? savedValues[name] : undefined;
		values[name] = option.read(value);
	}
	return values as CallOptions;
}

/** The value of an option that is sent as a field of the request. */
interface SentOption {
	/** Label of the option. */
	label: string;
	/** Name of the field in the request. */
	field: string;
	/** As the workflow has saved it; undefined if the user has not added the option. */
	value: unknown;
}

/** The options that their definition sends as fields of the body (n8n's `routing.send`). */
export function listSentOptions(saved: unknown, endpoint: Endpoint): SentOption[] {
	const savedValues = (saved ?? {}) as Record<string, unknown>;
	return Object.entries<Option<unknown>>(options).flatMap(([name, option]) => {
		const { displayName, routing } = option.property;
		const field = routing?.send?.property;
		if (field === undefined || !option.appliesTo(endpoint)) return [];
		return [{ label: displayName, field, value: savedValues[name] }];
	});
}
