import { tryToParseBoolean, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import type { Endpoint } from '../service/endpoint';
import {
	createNotANumberError,
	createNotABooleanError,
	createUnnamedRowError,
} from '../errors/inputError';
import { isBlank, readChoice, readNumber, readText } from './readValue';

/** One of the node's options. */
export interface Option<Value> {
	/** What n8n shows. The name is the option's key in options.ts. */
	property: Omit<INodeProperties, 'name'>;
	/** Whether the option has an effect for an endpoint. n8n shows it only where it has one. */
	appliesTo(endpoint: Endpoint): boolean;
	/**
	 * Whether another value makes another request. A later try of Retry On Fail then sends the item again, even if the
	 * earlier request has succeeded (docs/credits.md, rule 5).
	 */
	changesRequest: boolean;
	/**
	 * Reads the value for one item.
	 *
	 * @param saved what the workflow has saved: undefined if the user has not added the option, and any value if it is an
	 * expression
	 * @throws {UserError} for a value that the option cannot have, such as one that is not one of its choices
	 */
	read(saved: unknown): Value;
}

/**
 * The settings of an option of any kind. An option with `routing` sends its value as a field of the request. One without
 * `appliesTo` is for all endpoints.
 */
interface OptionSettings extends Omit<INodeProperties, 'name' | 'type' | 'default'> {
	description: string;
	changesRequest: boolean;
	appliesTo?: Option<unknown>['appliesTo'];
}

/** A row of 'Headers' or 'Query Parameters'. */
export interface NamedValue {
	name: string;
	value: string;
}

/** @param panelDefault the value that the panel shows when the user adds the option */
function createOption<Value>(
	type: INodeProperties['type'],
	panelDefault: INodeProperties['default'],
	{ appliesTo = () => true, changesRequest, ...property }: OptionSettings,
	read: (saved: unknown) => Value,
): Option<Value> {
	return {
		property: { ...property, type, default: panelDefault },
		appliesTo,
		changesRequest,
		read,
	};
}

/**
 * A number. What is not a number, or is outside of its limits, is rejected.
 *
 * @param settings `default` applies if the user has not added the option, and may be outside of the limits;
 * `valueWhenAdded` is what the panel shows once the user adds it, if that is another number
 */
export function createNumberOption(
	settings: OptionSettings & {
		default: number;
		minimum: number;
		maximum?: number;
		valueWhenAdded?: number;
	},
): Option<number> {
	const { default: defaultNumber, minimum, maximum, valueWhenAdded, ...others } = settings;
	const limits = { minValue: minimum, ...(maximum !== undefined && { maxValue: maximum }) };
	const property = { ...others, typeOptions: { ...others.typeOptions, ...limits } };
	return createOption('number', valueWhenAdded ?? defaultNumber, property, (saved) => {
		if (isBlank(saved)) return defaultNumber;
		const number = readNumber(saved);
		const isHighEnough = Number.isFinite(number) && number >= minimum;
		if (isHighEnough && number <= (maximum ?? Infinity)) return number;
		throw createNotANumberError(others.displayName, saved, minimum, maximum);
	});
}

/** A text, without the white space around it. An object is rejected. */
export function createTextOption(settings: OptionSettings & { default: string }): Option<string> {
	const { default: defaultText, ...others } = settings;
	return createOption('string', defaultText, others, (saved) => {
		const text = readText(others.displayName, saved).trim();
		return text === '' ? defaultText : text;
	});
}

/** A boolean that is off by default, which n8n shows as a toggle. When the user adds it to 'Options', it is on. */
export function createBooleanOption(settings: OptionSettings): Option<boolean> {
	return createOption('boolean', true, settings, (saved) => {
		if (isBlank(saved)) return false;
		try {
			if (typeof saved !== 'object') return tryToParseBoolean(saved);
		} catch {
			// It is neither true nor false in one of the forms that n8n accepts.
		}
		throw createNotABooleanError(settings.displayName, saved);
	});
}

/** One of several choices. */
export function createChoiceOption<Choice extends string>(
	settings: OptionSettings & {
		choices: Array<INodePropertyOptions & { value: Choice }>;
		default: Choice;
	},
): Option<Choice> {
	const { choices, default: defaultChoice, ...others } = settings;
	const property = { ...others, options: choices };
	return createOption('options', defaultChoice, property, (saved) =>
		isBlank(saved) ? defaultChoice : readChoice(property, saved),
	);
}

/** Any number of rows with a name and a value, which are added to the request. A row without a name is rejected. */
export function createRowsOption(
	settings: OptionSettings & { row: string; exampleName: string },
): Option<NamedValue[]> {
	const { row, exampleName, ...others } = settings;
	const name: INodeProperties = {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: `e.g. ${exampleName}`,
	};
	const value: INodeProperties = {
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
	};
	const property = {
		...others,
		typeOptions: { multipleValues: true },
		options: [{ displayName: row, name: 'parameter', values: [name, value] }],
	};
	return createOption('fixedCollection', {}, property, (saved) =>
		readRows(others.displayName, saved),
	);
}

/** @throws {UserError} for a row without a name, or with an object as its name or value */
function readRows(label: string, saved: unknown): NamedValue[] {
	const { parameter } = (saved ?? {}) as { parameter?: unknown };
	if (!Array.isArray(parameter)) return [];
	return (parameter as Array<Partial<Record<keyof NamedValue, unknown>>>).map((row) => {
		const name = readText(label, row.name).trim();
		if (name === '') throw createUnnamedRowError(label);
		return { name, value: readText(`${label}: ${name}`, row.value).trim() };
	});
}
