/**
 * Something that the person at the keyboard can act on. Its message is one or two sentences that say what happened and
 * what to do. Everything else that is thrown is a fault of this code.
 */
export class Problem extends Error {}

/** Ends this program, for a problem with its message alone. */
export function exitOnProblem(error: unknown): never {
	if (!(error instanceof Problem)) throw error;
	console.error(error.message);
	process.exit(1);
}

/** @returns the code of a system error, such as EEXIST; empty if it has none */
export function readErrorCode(error: unknown): string {
	// `instanceof Error` is false for errors of Node in jest's tests, which have an Error class of their own.
	return typeof error === 'object' && error && 'code' in error ? String(error.code) : '';
}

/** @returns the end of what a program printed, indented, for the message of a problem */
export function takeLastLines(output: string): string {
	return output.trim().split('\n').slice(-8).join('\n').replace(/^/gm, '  ');
}
