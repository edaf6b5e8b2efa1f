import { UserError } from 'n8n-workflow';

import { isPrivateHost } from './privateHost';

function refuse(what: string, whatNext: string): UserError {
	return new UserError(`The 'Base URL' of the credential ${what}`, {
		description: whatNext,
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
	// The text, because a `?` or `#` at its end leaves `search` and `hash` empty (WHATWG URL), but the path of an
	// operation that is appended to it would become part of the query or the fragment.
	if (/[?#]/.test(text) || url.username !== '' || url.password !== '') {
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

/** The operations' paths (`docs/openapi.yaml`), which the node appends to the base URL, and their common parent. */
const appendedPath =
	/\/ai(\/(speech-to-text|text-to-speech|voice-clone|transcriptions|language-detection|sentiment|intent|post-call-analytics|amd))?$/i;

/**
 * Refuses a base URL that already ends in the path of an operation. Only for the credential's test: a service may
 * really be at such an address, so calls are not refused.
 *
 * @param baseUrl as {@link checkBaseUrl} returns it
 * @throws UserError that says what to enter
 */
export function checkNoOperationPath(baseUrl: string): void {
	const [appended] = appendedPath.exec(baseUrl) ?? [];
	if (appended === undefined) return;
	throw refuse(
		`ends in '${appended}'`,
		`The node adds this path itself: enter '${baseUrl.slice(0, -appended.length)}'.`,
	);
}
