import { UserError } from 'n8n-workflow';

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
export function checkApiKey(
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
