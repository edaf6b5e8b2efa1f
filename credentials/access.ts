import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { checkApiKey, type Environment } from './apiKey';
import { checkBaseUrl } from './baseUrl';
import { createKeyMasker, type KeyMasker } from './maskApiKey';

/** What a call needs of the credential, checked. */
export interface Access {
	apiKey: string;
	environment: Environment;
	/** Without a trailing slash. */
	baseUrl: string;
	/** Address of the service's console, for error texts; empty if it is not set. */
	consoleUrl: string;
	/** Masks this key. */
	maskKey: KeyMasker;
}

/**
 * Reads the credential, and refuses it before anything is sent.
 *
 * @throws {UserError} that names the field and what to do
 */
export function readAccess(credential: ICredentialDataDecryptedObject): Access {
	const baseUrl = checkBaseUrl(String(credential.baseUrl ?? ''));
	const consoleUrl = String(credential.consoleUrl ?? '').trim();
	const place = "the service's console";
	const { apiKey, environment } = checkApiKey(
		String(credential.apiKey ?? ''),
		String(credential.environment ?? ''),
		consoleUrl === '' ? place : `${place} (${consoleUrl})`,
	);
	const maskKey = createKeyMasker(apiKey, environment);
	return { apiKey, environment, baseUrl, consoleUrl, maskKey };
}
