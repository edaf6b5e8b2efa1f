import type { DebitStatus } from './debit';

// The service documents no status codes, so these are HTTP's meanings.

export function isSuccess(status: number): boolean {
	return Math.floor(status / 100) === 2;
}

/** Whether a success has only a part of the content (RFC 9110, 15.3.7). The node never asks for a part. */
export function isPartialContent(status: number): boolean {
	return status === 206;
}

/**
 * Whether a status refuses the key (401) or its wallet (402). The node assumes that the service then refuses every call
 * with this key. RFC 9110 defines 401 (15.5.2), and reserves 402 (15.5.3).
 */
export function isKeyRefusal(status: number): boolean {
	return status === 401 || status === 402;
}

/**
 * Whether a status means that the request was refused before any work: 429 (RFC 6585, 4), or 503 with Retry-After
 * (RFC 9110, 15.6.4).
 *
 * @param retryAfter how long the service asks to wait, in seconds
 */
export function isRefusedBeforeWork(status: number, retryAfter: number | undefined): boolean {
	return status === 429 || (status === 503 && retryAfter !== undefined);
}

/**
 * Whether a status means that a proxy in front of the service got no response from it in time: 504 (RFC 9110, 15.6.5), or
 * 522 and 524, which content delivery networks use for it.
 */
export function isGatewayTimeout(status: number): boolean {
	return [504, 522, 524].includes(status);
}

/**
 * Whether a status means that a proxy in front of the service got no usable response from it, for example because it could
 * not connect: others from 520 to 527, which content delivery networks use for it.
 */
export function isGatewayFailure(status: number): boolean {
	return status >= 520 && status <= 527 && !isGatewayTimeout(status);
}

/**
 * What a status that is not a success proves about the debit. The service may have done its work before a redirect too
 * (RFC 9110, 15.4.4).
 *
 * @param retryAfter how long the service asks to wait, in seconds
 */
export function getDebit(status: number, retryAfter: number | undefined): DebitStatus {
	if (isRefusedBeforeWork(status, retryAfter)) return 'refused';
	const isRefused = status >= 400 && status < 500 && status !== 408;
	return isRefused ? 'refused' : 'possible';
}
