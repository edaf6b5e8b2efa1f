import type { UserError } from 'n8n-workflow';

import { joinTexts } from '../text/strings';
import { quoteText } from './quote';
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
		: `The previous step outputs no file: add the step that downloads it. A trigger often outputs only an ID or a link. If it outputs audio as text (base64), add 'Convert to File' with the operation 'Move Base64 String to File'. If the previous step is 'Voice and Speech', turn on its option 'Keep Input Files'. To use the file of an earlier step, set 'Input Data Field Name' to an expression such as {{ $('${earlierStep}').item.binary.data }}, with the names of that step and of its file field.`;
	return createUserError('The item has no file', advice);
}

/** An item whose files are in other fields than the requested one. */
interface MissingField {
	/** The field that was looked for. */
	fieldName: string;
	/** The fields that have a file, at least one. */
	fileFields: string[];
	/** The field that n8n's Split Out node must split to make an item of each file. */
	splitField: '$binary' | '_files';
}

/** Says which fields of the item have a file. */
function listFileFields(fileFields: string[]): string {
	const names = fileFields.map(quoteText).join(', ');
	return `Set 'Input Data Field Name' to one of the item's fields with a file: ${names}.`;
}

/** An expression returns an object that is not a file, and the item has files. */
export function createNotFileError(fileFields: string[]): UserError {
	return createUserError(
		"'Input Data Field Name' is an object that is not a file",
		`An expression finds files below 'binary', not below 'json'. ${listFileFields(fileFields)}`,
	);
}

/** How to use each file, if there are several. In json, Split Out finds no file by `$binary`, and outputs nothing. */
function describeSplitting({ fieldName, fileFields, splitField }: MissingField): string {
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
	return createUserError(
		`The item has no file in the field ${quoteText(missing.fieldName)}`,
		joinTexts([
			missing.fieldName === '' ? "The expression in 'Input Data Field Name' returns nothing." : '',
			listFileFields(missing.fileFields),
			describeSplitting(missing),
		]),
	);
}
