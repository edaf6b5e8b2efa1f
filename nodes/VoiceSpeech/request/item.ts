import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Result } from '../answer/read';
import { fieldsOf, filesOf } from '../audio/file';

function filesFor(context: IExecuteSingleFunctions, made: Result['files'] = {}) {
	const kept = context.getNodeParameter('options.keepInputFiles', true)
		? filesOf(context.getInputData())
		: {};
	const binary = { ...kept, ...made };
	return Object.keys(binary).length > 0 ? { binary } : {};
}

/** The item that comes out of a call that succeeded (contract, Output). */
export function resultItem(context: IExecuteSingleFunctions, result: Result): INodeExecutionData {
	const own = context.getNodeParameter('options.includeInputFields', false)
		? fieldsOf(context.getInputData().json)
		: {};
	return {
		json: { ...own, ...result.json },
		...filesFor(context, result.files),
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
	return {
		json: {
			...(toErrorOutput ? {} : fieldsOf(context.getInputData().json)),
			error: { message: error.message, description: error.description },
		},
		...(toErrorOutput && filesAreFields ? {} : filesFor(context)),
		pairedItem: { item: context.getItemIndex() },
	};
}
