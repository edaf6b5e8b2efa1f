import { endpoints } from '../lib/openapi.mts';
import { operationHandlers } from './service/index.mts';
import type { OperationHandler } from './http/call.mts';

/** The operations of docs/openapi.yaml, in its order. */
export const operations = endpoints.map(({ name, scope }) => ({
	/** The last part of the path. */
	name,
	/** Undefined where it is not documented. */
	scope,
	/** The type of what `read` returns and `perform` takes differs between operations. */
	handler: operationHandlers[name as keyof typeof operationHandlers] as OperationHandler<unknown>,
}));

export type Operation = (typeof operations)[number];

/**
 * @param undocumentedScope the setting `voiceCloneScope`; empty for none
 * @returns the scopes that a key can have
 */
export function listAvailableScopes(undocumentedScope: string): string[] {
	const documented = operations.flatMap(({ scope }) => (scope === undefined ? [] : [scope]));
	return [...new Set([...documented, undocumentedScope])].filter(Boolean);
}

/** The credits that a call of each operation costs by default, by the operation's name. */
export const defaultCreditCosts = Object.fromEntries(
	operations.map(({ name, handler }) => [name, handler.credits]),
);

/** @param path of the request, without the query */
export function findOperation(path: string): Operation | undefined {
	return operations.find(({ name }) => path === `/ai/${name}`);
}
