import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Result } from '../answer/read';
import { fieldsOf, filesOf } from '../audio/file';
import type { CallOptions } from './options';

function withFiles(files: NonNullable<Result['files']>) {
	return Object.keys(files).length > 0 ? { binary: files } : {};
}

/** The item that comes out of a call that succeeded (contract, Output). */
export function resultItem(
	context: IExecuteSingleFunctions,
	result: Result,
	{ includeInputFields, keepInputFiles }: CallOptions,
): INodeExecutionData {
	const input = context.getInputData();
	return {
		json: { ...(includeInputFields ? fieldsOf(input.json) : {}), ...result.json },
		...withFiles({ ...(keepInputFiles ? filesOf(input) : {}), ...result.files }),
		pairedItem: { item: context.getItemIndex() },
	};
}

/**
 * The item that comes out of a call that failed, where the node is set to continue (contract, Output).
 *
 * To its error output n8n itself brings the input's fields. With fields of ours beside the error the item would take
 * the other output, and with the setting `binaryMode: combined` n8n makes a field of its files.
 */
export function failedItem(
	context: IExecuteSingleFunctions,
	error: { message: string; description: string },
): INodeExecutionData {
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	// Older n8n has neither the function nor the setting.
	const filesAreFields = context.getWorkflowSettings?.().binaryMode === 'combined';
	const keepFiles =
		context.getNodeParameter('options.keepInputFiles', true) && !(toErrorOutput && filesAreFields);
	const input = context.getInputData();
	return {
		json: {
			...(toErrorOutput ? {} : fieldsOf(input.json)),
			error: { message: error.message, description: error.description },
		},
		...withFiles(keepFiles ? filesOf(input) : {}),
		pairedItem: { item: context.getItemIndex() },
	};
}
