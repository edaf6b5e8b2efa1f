import type { PreparedRequest } from './request';
import { listValuesThatChangeRequest } from './readOptions';

/**
 * Identifies a request in its run. Requests with equal fingerprints count as the same (docs/credits.md, rule 5). It
 * contains the key, and the file itself where n8n keeps files in memory, so it stays in the memory of its run.
 */
export type Fingerprint = readonly string[];

export function computeFingerprint({ credential, payload, options }: PreparedRequest): Fingerprint {
	const common: Fingerprint = [
		credential.baseUrl,
		credential.apiKey,
		payload.kind,
		JSON.stringify(listValuesThatChangeRequest(options)),
	];
	switch (payload.kind) {
		case 'json':
			return [...common, payload.text];
		case 'audioBody':
			return [...common, ...payload.audio.identity];
		case 'form':
			return [...common, JSON.stringify(payload.fields)];
		case 'audioForm':
			return [...common, JSON.stringify(payload.fields), ...payload.audio.identity];
	}
}

/** Compares two requests by their elements, because an element may be an entire file. */
export function isSameRequest(first: Fingerprint, second: Fingerprint): boolean {
	return (
		first.length === second.length && first.every((element, index) => element === second[index])
	);
}
