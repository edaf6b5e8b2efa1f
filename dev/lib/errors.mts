/**
 * An error whose message is enough for the person who runs the command: what happened and what to do, in one or two
 * sentences. Any other error is a fault of this code, and needs its stack.
 */
export class UserFacingError extends Error {}

/** Whether the message of an error is enough, which is also true for those of `parseArgs` about wrong options. */
export function isUserFacing(error: unknown): error is Error {
	return error instanceof UserFacingError || readErrorCode(error).startsWith('ERR_PARSE_ARGS');
}

/** Runs the main function of a program. If it fails, prints why, with a stack only if it helps, and exits with 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
	try {
		await main();
	} catch (error) {
		console.error(isUserFacing(error) ? error.message : error);
		process.exit(1);
	}
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
