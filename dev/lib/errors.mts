/**
 * An error whose message is enough for the person who runs the command: what happened and what to do, in one or two
 * sentences. Any other error is a fault of this code, and needs its stack.
 */
export class UserFacingError extends Error {}

/**
 * Prints the message of a user-facing error, without its stack, and ends this program.
 *
 * @throws any other error as it is
 */
export function exitOnUserFacingError(error: unknown): never {
	if (!(error instanceof UserFacingError)) throw error;
	console.error(error.message);
	process.exit(1);
}

/** @returns the code of a system error, such as EEXIST; empty if it has none */
export function readErrorCode(error: unknown): string {
	// `instanceof Error` is false for errors of Node in jest's tests, which have an Error class of their own.
	return typeof error === 'object' && error && 'code' in error ? String(error.code) : '';
}

/** @returns the last lines that a program printed, indented, for the message of an error */
export function takeLastLines(output: string): string {
	return output.trim().split('\n').slice(-8).join('\n').replace(/^/gm, '  ');
}
