/** The operations of docs/openapi.yaml, in its order. */
export const OPERATIONS = [
	...['speech-to-text', 'text-to-speech', 'voice-clone', 'transcriptions', 'language-detection'],
	...['sentiment', 'intent', 'post-call-analytics', 'amd'],
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** The documented scopes: one per operation, with the same name. The scope of cloning is unknown. */
const DOCUMENTED_SCOPES: readonly string[] = OPERATIONS.filter(
	(operation) => operation !== 'voice-clone',
);

/**
 * @param voiceCloneScope the setting of that name; empty for none
 * @returns the scopes that a key can have
 */
export function availableScopes(voiceCloneScope: string): string[] {
	return [...new Set([...DOCUMENTED_SCOPES, voiceCloneScope])].filter(Boolean);
}

/**
 * @param path path of the request, without the query
 * @returns undefined if there is no endpoint with this path
 */
export function operationAt(path: string): Operation | undefined {
	return OPERATIONS.find((operation) => path === `/ai/${operation}`);
}
