import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';

import { validateBaseUrl } from './baseUrl';

/** The two environments of the service. The key's prefix alone decides between them (docs/openapi.yaml). */
const environments = ['sandbox', 'live'] as const;
export type Environment = (typeof environments)[number];

/** How a key of each environment starts (docs/openapi.yaml). */
export const keyPrefixes: Record<Environment, string> = {
	sandbox: 'eak_test_',
	live: 'eak_live_',
};

const environmentNames: Record<Environment, string> = { sandbox: 'Sandbox', live: 'Live' };

/**
 * @param apiKey a key without surrounding white space
 * @returns the environment that the key's prefix selects; undefined for anything but a key of this service
 */
function findEnvironment(apiKey: string): Environment | undefined {
	return environments.find((environment) => apiKey.startsWith(keyPrefixes[environment]));
}

/**
 * Checks a key, and that it belongs to the environment that the user selected.
 *
 * @param apiKey as stored; surrounding white space is ignored
 * @param selected the credential's 'Environment'
 * @param credentialLabel how errors refer to the credential
 * @param consoleLabel how errors name the service's console
 * @returns the key as it is sent, and its environment
 * @throws {UserError} for anything but a complete key, and for a key of the other environment
 */
function validateApiKey(
	apiKey: string,
	selected: string,
	credentialLabel: string,
	consoleLabel: string,
): { apiKey: string; environment: Environment } {
	const key = apiKey.trim();
	const environment = findEnvironment(key);
	if (environment === undefined) {
		throw new UserError(`The 'API Key' of ${credentialLabel} is not a key of this service`, {
			description: `Keys start with ${keyPrefixes.sandbox} (sandbox) or ${keyPrefixes.live} (live). Copy the key again from ${consoleLabel}.`,
		});
	}
	const prefix = keyPrefixes[environment];
	// Only visible ASCII is valid in a header, and a line break would even split it.
	if (!/^[\x21-\x7e]+$/.test(key.slice(prefix.length))) {
		throw new UserError(
			`The 'API Key' of ${credentialLabel} is incomplete or contains an invalid character`,
			{ description: `Copy the key again from ${consoleLabel}, without spaces in it.` },
		);
	}
	if (environment !== selected) {
		// Another value of an expression is not quoted, because n8n shows a failed test of the credential as HTML.
		const name = environments.includes(selected as Environment)
			? `'${environmentNames[selected as Environment]}'`
			: "neither 'Sandbox' nor 'Live'";
		throw new UserError(
			`The 'Environment' of ${credentialLabel} is ${name}, but its key is a ${environment} key (${prefix}...)`,
			{
				description: `Set 'Environment' to '${environmentNames[environment]}' to use the ${environment} wallet, or enter another key.`,
			},
		);
	}
	return { apiKey: key, environment };
}

/** Shortest secret, in characters, that is masked without its prefix. A shorter one may be a word of the text. */
const minSecretLength = 8;

/**
 * Masks a key in anything that may quote it, for example a response of the service. A text is masked before it is cut,
 * because a part of the key is not recognized.
 */
export type KeyMasker = (text: string) => string;

/**
 * Creates the function that masks a key in any case, also percent-encoded (as by encodeURIComponent) or escaped in JSON.
 * The part after the prefix is masked alone too, if it has at least {@link minSecretLength} characters.
 *
 * @param apiKey visible ASCII that starts with the prefix of the environment
 */
export function createKeyMasker(apiKey: string, environment: Environment): KeyMasker {
	const prefix = keyPrefixes[environment];
	const secret = apiKey.slice(prefix.length);
	const inJson = JSON.stringify(secret).slice(1, -1);
	// The secret itself is the last, because another form may begin with it. PHP escapes slashes in JSON too.
	const forms = [encodeURIComponent(secret), inJson, inJson.replaceAll('/', '\\/'), secret].map(
		(form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
	);
	const quantifier = secret.length < minSecretLength ? '' : '?';
	const pattern = new RegExp(`(?:${prefix})${quantifier}(?:${forms.join('|')})`, 'gi');
	return (text) => text.replace(pattern, `${prefix}***`);
}

/** A key ends where a sentence or JSON continues. */
const anyKey = new RegExp(
	`(${Object.values(keyPrefixes).join('|')})\\w([^\\s"'<>(),;]*[^\\s"'<>(),;.:!?])?`,
	'gi',
);

/** Masks everything that looks like a key of this service, such as the key of another credential. */
export function maskAnyApiKey(text: string): string {
	return text.replace(anyKey, '$1***');
}

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
