import { UserError } from 'n8n-workflow';

import { isPrivateHost } from './privateHost';

function refuse(what: string, whatNext: string): UserError {
	return new UserError(`The 'Base URL' of the credential ${what}`, {
		description: `${whatNext} Nothing was sent.`,
	});
}

/**
 * Checks the address that calls go to, before a key is sent there.
 *
 * @param value as stored; a trailing slash and a path are welcome
 * @returns the address without a trailing slash
 * @throws UserError for what is no http(s) address, and for plain http to a public host
 */
export function checkBaseUrl(value: string): string {
	const text = value.trim();
	if (text === '') throw refuse('is empty', 'Enter the address that your provider gave you.');
	if (!/^https?:\/\//i.test(text)) {
		throw refuse(
			"does not start with 'https://'",
			"Enter it with its scheme, e.g. 'https://api.example.com'.",
		);
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw refuse('is not a valid address', "Enter it like 'https://api.example.com'.");
	}
	if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
		throw refuse(
			'has more than a host and a path',
			"Leave out user name, password, and everything from '?' or '#' on.",
		);
	}
	if (url.protocol === 'http:' && !isPrivateHost(url.hostname)) {
		throw refuse(
			`would send the key unencrypted to the public host '${url.hostname}'`,
			"Use 'https://'. Plain 'http://' is for hosts of your own network only.",
		);
	}
	return url.href.replace(/\/+$/, '');
}
