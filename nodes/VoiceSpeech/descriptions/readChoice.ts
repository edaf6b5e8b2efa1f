import { createNotAChoiceError } from '../errors/inputError';

/**
 * Reads a parameter or an option that has choices. An expression may yield any value for it.
 *
 * @param label of the parameter, for the error
 * @returns the choice
 * @throws UserError for a value that is not one of the choices
 */
export function readChoice<Choice extends string>(
	label: string,
	value: unknown,
	choices: Choice[],
): Choice {
	const choice = choices.find((one) => one === value);
	if (choice === undefined) throw createNotAChoiceError(label, value, choices);
	return choice;
}
