import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { createNotAChoiceError, createObjectAsTextError } from '../errors/inputError';

/** A parameter that has choices. */
export interface ChoiceProperty<Choice extends string> extends INodeProperties {
	options: Array<INodePropertyOptions & { value: Choice }>;
}

/**
 * Reads a parameter or an option that has choices. An expression may yield any value for it.
 *
 * @throws {UserError} if the value is not one of the choices
 */
export function readChoice<Choice extends string>(
	{ displayName, options }: Pick<ChoiceProperty<Choice>, 'displayName' | 'options'>,
	value: unknown,
): Choice {
	const choices = options.map((option) => option.value);
	const choice = choices.find((candidate) => candidate === value);
	if (choice === undefined) throw createNotAChoiceError(displayName, value, choices);
	return choice;
}

/**
 * Whether a value is nothing, or a string of white space only. A field that the user has emptied, and an expression without
 * a result, count as not set.
 */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return value === undefined || value === null;
}

/**
 * Reads a number, or a string that has one.
 *
 * @returns NaN for any other value. Number() would turn some of them into numbers, such as true into 1.
 */
export function readNumber(value: unknown): number {
	return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}

/**
 * Reads a parameter or an option as a string, with its white space.
 *
 * @param label of the parameter or option
 * @returns empty for nothing or only white space
 * @throws {UserError} for an object or an array, because a joined array would be another value
 */
export function readText(label: string, value: unknown): string {
	if (typeof value === 'object' && value !== null) {
		throw createObjectAsTextError(label, Array.isArray(value));
	}
	return isBlank(value) ? '' : String(value);
}
