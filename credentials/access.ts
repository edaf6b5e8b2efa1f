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
	/** How texts refer to the credential, with its name if n8n tells it. */
	credentialLabel: string;
	/** Masks this key. */
	maskKey: KeyMasker;
}

/**
 * Reads the credential, and refuses it before anything is sent.
 *
 * @param name of the credential in n8n, because a user may have several; empty if n8n does not tell it
 * @throws {UserError} that names the field and what to do
 */
export function readAccess(credential: ICredentialDataDecryptedObject, name = ''): Access {
	const credentialLabel = name === '' ? 'the credential' : `the credential '${name}'`;
	const baseUrl = checkBaseUrl(String(credential.baseUrl ?? ''), credentialLabel);
	const consoleUrl = String(credential.consoleUrl ?? '').trim();
	const place = "the service's console";
	const { apiKey, environment } = checkApiKey(
		String(credential.apiKey ?? ''),
		String(credential.environment ?? ''),
		credentialLabel,
		consoleUrl === '' ? place : `${place} (${consoleUrl})`,
	);
	const maskKey = createKeyMasker(apiKey, environment);
	return { apiKey, environment, baseUrl, consoleUrl, credentialLabel, maskKey };
}
