import { UserError } from 'n8n-workflow';

/** The two environments of the service; the key's prefix alone decides (docs/openapi.yaml). */
export type Environment = 'sandbox' | 'live';

/** How a key of each environment begins (docs/openapi.yaml). */
export const keyPrefixes: Record<Environment, string> = {
	sandbox: 'eak_test_',
	live: 'eak_live_',
};

/** How the environments are called in the dialogs. */
export const environmentNames: Record<Environment, string> = { sandbox: 'Sandbox', live: 'Live' };

/**
 * @param apiKey a key without surrounding white space
 * @returns the environment that the key's prefix selects, or undefined for what is no key of this service
 */
export function environmentOfKey(apiKey: string): Environment | undefined {
	if (apiKey.startsWith(keyPrefixes.sandbox)) return 'sandbox';
	if (apiKey.startsWith(keyPrefixes.live)) return 'live';
	return undefined;
}

/**
 * Checks a key against itself and against the environment the user chose for it.
 *
 * @param apiKey as stored; white space around it is ignored
 * @param environment the credential's 'Environment'
 * @returns the key as it goes into the header, and its environment
 * @throws UserError for what is no key, a key with white space inside, and a key of the other environment
 */
export function checkApiKey(
	apiKey: string,
	environment: string,
): { apiKey: string; environment: Environment } {
	const key = apiKey.trim();
	const ofKey = environmentOfKey(key);
	if (ofKey === undefined) {
		throw new UserError("The 'API Key' of the credential is not a key of this service", {
			description: `Keys start with ${keyPrefixes.sandbox} (sandbox) or ${keyPrefixes.live} (live). Copy the key again from the service's console.`,
		});
	}
	// Only visible ASCII can stand in a header; a line break inside would even split it.
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new UserError(
			"The 'API Key' of the credential has a space or another invalid character inside",
			{
				description:
					"A part may be missing or doubled. Copy the key again from the service's console.",
			},
		);
	}
	if (ofKey !== environment) {
		throw new UserError(
			`The credential's 'Environment' is '${environmentNames[environment as Environment] ?? environment}' but its key is a ${ofKey} key (${keyPrefixes[ofKey]}...)`,
			{
				description: `Set 'Environment' to '${environmentNames[ofKey]}' if you mean to use the ${ofKey} wallet, or put in a key of the other environment.`,
			},
		);
	}
	return { apiKey: key, environment: ofKey };
}
