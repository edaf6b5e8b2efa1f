/** A value that should be a text; empty if it is not one. */
export function textOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** The code and the message of an error, for example `ENOENT: no such file or directory`. */
export function formatReason(error: unknown): string {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const codeText = textOrEmpty(code);
	const messageText = textOrEmpty(message);
	// Node's messages often start with the code.
	if (messageText.startsWith(codeText)) return messageText || 'no reason was given';
	return messageText === '' ? codeText : `${codeText}: ${messageText}`;
}
