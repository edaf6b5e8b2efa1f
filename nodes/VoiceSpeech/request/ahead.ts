import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import { planFor } from './plan';
import type { Run } from './run';

/** Finds what n8n's own `assertBinaryData` finds with `binaryMode: combined`: a path into the json. */
function valueAt(json: unknown, path: string): unknown {
	return path
		.split(/[.[\]]/)
		.filter((name) => name !== '')
		.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], json);
}

/** The context of another item of the same run, as n8n derives it for each: by the index alone. */
function contextOf(context: IExecuteSingleFunctions, itemIndex: number): IExecuteSingleFunctions {
	const other = Object.create(context, {
		itemIndex: { value: itemIndex },
	}) as IExecuteSingleFunctions;
	const assertBinaryData = (path: string) => valueAt(other.getInputData().json, path);
	const helpers = Object.create(context.helpers, { assertBinaryData: { value: assertBinaryData } });
	return Object.defineProperty(other, 'helpers', { value: helpers });
}

/**
 * Under n8n's batching the items come one batch after the other. So that nothing is paid for where a later one
 * can't be sent, the first one looks at all of them. With continue on failure only an expression that throws
 * matters: n8n then gives up the run and takes no results, whatever the setting.
 */
export async function lookAhead(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	run: Run,
): Promise<void> {
	const { attempt } = run;
	const { expected = 0 } = attempt.facts;
	const parameters = Object.keys(context.getNode().parameters);
	for (let index = context.getItemIndex() + 1; index < expected; index++) {
		const other = contextOf(context, index);
		try {
			if (other.getItemIndex() !== index) return; // n8n derives its contexts in another way
			parameters.forEach((name) => other.getNodeParameter(name));
			if (!context.continueOnFail()) await planFor(other, run, endpoint, {});
		} catch (error) {
			attempt.stopAt(index, error as Error);
			return;
		}
	}
}
