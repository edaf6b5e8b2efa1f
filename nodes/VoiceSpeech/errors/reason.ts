/** The code and the message of an error, for example `ENOENT: no such file or directory`. */
export function reasonOf(error: unknown): string {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const parts = [code, message].filter((part) => typeof part === 'string' && part !== '');
	const [first, second] = parts as string[];
	if (first === undefined) return 'no reason was given';
	// Node's messages often start with the code.
	return second === undefined || second.startsWith(first)
		? (second ?? first)
		: `${first}: ${second}`;
}
