import type { BinaryHelperFunctions, IBinaryData } from 'n8n-workflow';

import { optionDefinitions } from '../descriptions/options';
import { createNoLinkError } from '../errors/inputError';
import { formatReason } from '../errors/quote';
import type { CallResult } from '../run/runState';

/*
 * Links to stored files, which n8n signs (`createBinarySignedUrl`). It cannot sign a file that it keeps in memory, which
 * has no ID. test/versions opens links, and test/engine/outputItems checks the files in memory.
 */

/** Fields of an output item: a link to its file, or why it has none. */
export type FileLink = { url: string; urlExpiresAt: string } | { linkWarning: string };

/**
 * Creates a function that checks whether n8n can create links. n8n does not report where it keeps files, so the first call
 * stores a small one, which n8n deletes with the execution. The function throws {UserError} if n8n cannot create links, or
 * what its storage throws.
 */
export function createLinkCheck({ prepareBinaryData }: BinaryHelperFunctions): () => Promise<void> {
	let storing: Promise<IBinaryData> | undefined;
	return async () => {
		storing ??= prepareBinaryData(Buffer.from('link check'), 'link-check.txt', 'text/plain');
		const { id } = await storing;
		if (id !== undefined) return;
		throw createNoLinkError(optionDefinitions.linkHours.property.displayName);
	};
}

/**
 * Creates a link to the file of a result. Does not throw, because the file was paid for.
 *
 * @returns undefined if the result has no file, or no link is asked for
 */
export function createLink(
	{ createBinarySignedUrl }: BinaryHelperFunctions,
	{ output, options }: CallResult,
): FileLink | undefined {
	const [file] = Object.values(output.files ?? {});
	if (file === undefined || options.linkHours === 0) return undefined;
	const seconds = Math.floor(options.linkHours * 3600);
	// n8n counts from the current second.
	const expiresAtSecond = Math.floor(Date.now() / 1000) + seconds;
	try {
		const url = createBinarySignedUrl(file, `${seconds} seconds`);
		return { url, urlExpiresAt: new Date(expiresAtSecond * 1000).toISOString() };
	} catch (error) {
		return { linkWarning: `n8n did not create a link: ${formatReason(error)}` };
	}
}
