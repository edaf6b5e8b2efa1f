import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { validateApiKey, createKeyMasker, type Environment, type KeyMasker } from './apiKey';
import { validateBaseUrl } from './baseUrl';

/** How messages refer to the service's console where the credential was not read. */
export const plainConsoleLabel = "the service's console";

/** What a call needs of the credential. */
export interface CheckedCredential {
	apiKey: string;
	environment: Environment;
	/** Without a trailing slash. */
	baseUrl: string;
	/** How messages refer to the credential; contains its name if n8n reports one. */
	credentialLabel: string;
	/** How messages refer to the service's console; contains its address if the user has entered it. */
	consoleLabel: string;
	/** Masks this key. */
	maskKey: KeyMasker;
}

/** @param url the console's address; may be empty */
function createConsoleLabel(url: string): string {
	return url === '' ? plainConsoleLabel : `${plainConsoleLabel} (${url})`;
}

/**
 * Checks the credential before anything is sent.
 *
 * @param name of the credential in n8n, because a user may have several; empty if n8n reports none
 * @throws {UserError} that names the field and what to do
 */
export function validateCredential(
	credential: ICredentialDataDecryptedObject,
	name = '',
): CheckedCredential {
	const credentialLabel = name === '' ? 'the credential' : `the credential '${name}'`;
	const baseUrl = validateBaseUrl(String(credential.baseUrl ?? ''), credentialLabel);
	const consoleLabel = createConsoleLabel(String(credential.consoleUrl ?? '').trim());
	const { apiKey, environment } = validateApiKey(
		String(credential.apiKey ?? ''),
		String(credential.environment ?? ''),
		credentialLabel,
		consoleLabel,
	);
	const maskKey = createKeyMasker(apiKey, environment);
	return { apiKey, environment, baseUrl, credentialLabel, consoleLabel, maskKey };
}
