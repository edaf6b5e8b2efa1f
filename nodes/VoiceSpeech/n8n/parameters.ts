import type { IExecuteSingleFunctions } from 'n8n-workflow';

/** The value of a parameter as the workflow stores it, with its expressions. */
function rawParameter(context: IExecuteSingleFunctions, name: string): unknown {
	// n8n throws for a missing parameter without a fallback.
	return context.getNodeParameter(name, '', { rawExpressions: true });
}

/** Whether the value of a parameter is an expression itself. */
export function isExpression(context: IExecuteSingleFunctions, name: string): boolean {
	const raw = rawParameter(context, name);
	return typeof raw === 'string' && raw.startsWith('=');
}

/**
 * Values of parameters without an expression, which are the same for all items of a run: n8n takes long to return
 * one, so it is asked only once.
 */
export class ConstantParameters {
	private readonly values = new Map<string, unknown>();

	/** The value of a parameter for an item. */
	read(context: IExecuteSingleFunctions, name: string, fallback?: unknown): unknown {
		if (this.values.has(name)) return this.values.get(name);
		const value: unknown = context.getNodeParameter(name, fallback);
		const raw = JSON.stringify(rawParameter(context, name)) ?? '';
		if (!raw.includes('"=')) this.values.set(name, value);
		return value;
	}
}
