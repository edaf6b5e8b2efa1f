import type { UserError } from 'n8n-workflow';

import { joinTexts } from '../text/strings';
import { createUserError } from './userError';

/**
 * The item has no file at all.
 *
 * @param isTool whether an agent calls the node as a tool
 * @param earlierStep name of a step before the previous one; undefined if there is none
 */
export function createNoFileError({
	isTool,
	earlierStep = 'Form',
}: {
	isTool: boolean;
	earlierStep: string | undefined;
}): UserError {
	const advice = isTool
		? "An agent passes no files to its tools: set 'Audio Source' to 'URL'."
		: `The previous step outputs no file: add the step that downloads it. A trigger often outputs only an ID or a link. If the previous step is 'Voice and Speech', turn on its option 'Keep Input Files'. To use the file of an earlier step, set 'Input Data Field Name' to an expression such as {{ $('${earlierStep}').item.binary.data }}, with the names of that step and of its file field.`;
	return createUserError('The item has no file', advice);
}

/** An item whose files are in other fields than the requested one. */
interface MissingField {
	/** The field that was looked for. */
	fieldName: string;
	/** The value of 'Input Data Field Name'; an expression may yield any. */
	parameter: unknown;
	/** The fields that have a file, at least one. */
	fileFields: string[];
	/** The field that n8n's Split Out node must split to make an item of each file. */
	splitField: '$binary' | '_files';
}

/** What is wrong with a value of 'Input Data Field Name' that is not the name of a field; empty if it is one. */
function explainValue({ parameter, fieldName }: MissingField): string {
	if (typeof parameter === 'object' && parameter !== null) {
		return "The expression in 'Input Data Field Name' returns an object that is not a file: files are below 'binary', not below 'json'.";
	}
	return fieldName === '' ? "The expression in 'Input Data Field Name' returns nothing." : '';
}

/** How to use each file, if there are several. In json, Split Out finds no file by `$binary`, and outputs nothing. */
function explainSplitting({ fieldName, fileFields, splitField }: MissingField): string {
	if (fileFields.length < 2) return '';
	const settings =
		splitField === '$binary'
			? "to '$binary'"
			: `to '${splitField}' and its 'Destination Field Name' to 'data'`;
	const choose =
		fieldName === 'data'
			? "leave 'Input Data Field Name' at 'data'"
			: "set 'Input Data Field Name' to 'data'";
	return `To use each file, add a Split Out node before this one, set its 'Fields To Split Out' ${settings}, and ${choose}.`;
}

/** The item has files, but not in the requested field. */
export function createNoSuchFieldError(missing: MissingField): UserError {
	const names = missing.fileFields.map((name) => `'${name}'`).join(', ');
	return createUserError(
		`The item has no file in the field '${missing.fieldName}'`,
		joinTexts([
			explainValue(missing),
			`Set 'Input Data Field Name' to one of the fields it has: ${names}.`,
			explainSplitting(missing),
		]),
	);
}
