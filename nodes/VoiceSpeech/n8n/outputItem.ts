import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { CallOptions } from '../execution/options';
import type { Result } from '../response/readResponse';
import { fieldsOf, filesAreInJson, filesOf } from './inputFiles';

/*
 * Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with test/engine/output-items.test.ts: n8n pairs items by itself only if
 * their counts match, so `pairedItem` is always set. An `error` property of the item makes n8n replace its json, so
 * the error is a field of the json.
 */

function paired(
	context: IExecuteSingleFunctions,
	json: IDataObject,
	binary: NonNullable<INodeExecutionData['binary']>,
): INodeExecutionData {
	return {
		json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
		pairedItem: { item: context.getItemIndex() },
	};
}

/** The output item of a call that succeeded. */
export function resultItem(
	context: IExecuteSingleFunctions,
	result: Result,
	{ includeInputFields, keepInputFiles }: CallOptions,
): INodeExecutionData {
	const json = { ...(includeInputFields ? fieldsOf(context) : {}), ...result.json };
	// The new file first: n8n shows it first.
	const inputFiles = keepInputFiles ? filesOf(context) : {};
	return paired(context, json, { ...result.files, ...inputFiles, ...result.files });
}

/**
 * The output item of an item that failed, where the node continues on failure. It keeps the files of the input.
 *
 * For its error output, n8n itself adds the fields of the input, and an item with further fields next to the error
 * would leave by the other output. With `binaryMode: combined`, n8n would make such a field of its files.
 */
export function failedItem(
	context: IExecuteSingleFunctions,
	error: { message: string; description: string },
): INodeExecutionData {
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const { message, description } = error;
	const json = { ...(toErrorOutput ? {} : fieldsOf(context)), error: { message, description } };
	return paired(context, json, toErrorOutput && filesAreInJson(context) ? {} : filesOf(context));
}
