import { endpoints } from '../lib/openapi.mts';
import { operationHandlers } from './service/index.mts';
import type { OperationHandler } from './http/call.mts';

/** The last part of an operation's path. */
export type OperationName = keyof typeof operationHandlers;

/** The operations of docs/openapi.yaml, in its order. */
export const operations = endpoints.map(({ name, scope }) => ({
	name: name as OperationName,
	/** Undefined where it is not documented. */
	scope,
	/** The type of what `read` returns and `perform` takes differs between operations. */
	handler: operationHandlers[name as OperationName] as OperationHandler<unknown>,
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

/** @param path of the request, without the query */
export function findOperation(path: string): Operation | undefined {
	return operations.find(({ name }) => path === `/ai/${name}`);
}
