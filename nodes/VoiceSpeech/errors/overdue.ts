import { CallError, maybeDebited, nothingDebited } from './callError';

/** The recording did not come; nothing was sent. Seconds without a byte. */
export function openingStalled(seconds: number): CallError {
	return new CallError(
		`The recording did not begin to arrive within ${seconds} seconds`,
		`Check the server it comes from. ${nothingDebited}`,
	);
}

/** The upload stood still. Seconds without a byte. */
export function uploadStalled(seconds: number): CallError {
	return new CallError(
		`The upload moved no byte for ${seconds} seconds and was ended`,
		`Check the network, and for a recording from the web the server it comes from. ${maybeDebited}`,
	);
}

/** The answer did not begin. Seconds since the end of the upload. */
export function answerOverdue(seconds: number): CallError {
	return new CallError(
		`The service did not begin to answer within ${seconds} seconds after everything was sent`,
		`For long recordings raise the option 'Answer Timeout (Seconds)'. ${maybeDebited}`,
	);
}

/** The answer stood still. Seconds without a byte. */
export function answerStalled(seconds: number): CallError {
	return new CallError(
		`The answer moved no byte for ${seconds} seconds and was ended before it was complete`,
		maybeDebited,
	);
}
