import { CallError } from './callError';

/** @param seconds without a byte of the audio, before anything was sent */
export function openingStalled(seconds: number): CallError {
	return new CallError(
		`The audio stalled for ${seconds} seconds before the upload began`,
		'Check the server that the audio comes from.',
	);
}

/** @param seconds without a byte of the upload */
export function uploadStalled(seconds: number): CallError {
	return new CallError(
		`The upload stalled for ${seconds} seconds and was stopped`,
		'Check the network, and the server that the audio comes from.',
		{ debit: 'possible' },
	);
}

/** @param seconds from the end of the upload without a response */
export function responseOverdue(seconds: number): CallError {
	return new CallError(
		`The service did not respond within ${seconds} seconds after the upload`,
		"For long recordings, raise the option 'Answer Timeout (Seconds)'.",
		{ debit: 'possible' },
	);
}

/** @param seconds without a byte of the response */
export function responseStalled(seconds: number): CallError {
	return new CallError(
		`The response stalled for ${seconds} seconds and was stopped`,
		'Try again later.',
		{ debit: 'possible' },
	);
}
