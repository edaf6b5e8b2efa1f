/** The error that a function throws. */
export function catchError(act: () => unknown): Error & { description?: string } {
	try {
		act();
	} catch (error) {
		return error as Error;
	}
	throw new Error('Nothing was thrown');
}
