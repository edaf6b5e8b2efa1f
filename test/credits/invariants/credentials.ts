import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { sha256 } from '../../support/recorder';
import type { History } from './history';
import type { CredentialKind } from './scene';

/** A key of its own for each version of each item's credential: two keys have no part in common. */
export function keyFor(kind: CredentialKind, item: number, version: number): string {
	const secret = sha256(Buffer.from(`${item} ${version}`)).slice(0, 24);
	return `${kind === 'sandbox' ? 'eak_test_' : 'eak_live_'}${secret}`;
}

/** The item's credential as n8n reads it now. */
export function credentialFor(
	history: History,
	item: number,
	baseUrl: string,
): ICredentialDataDecryptedObject {
	const { kind, key } = history.credentials[item]?.at(-1) ?? { kind: 'mismatch', key: '' };
	return { apiKey: key, environment: kind === 'live' ? 'live' : 'sandbox', baseUrl };
}
