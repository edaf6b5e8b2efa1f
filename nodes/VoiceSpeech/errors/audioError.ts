import { CallError } from './callError';

/** The audio could not be opened, or its first bytes could not be read. Nothing was sent. */
export function audioNotReadableError(reason: string): CallError {
	return new CallError(
		'The audio could not be read',
		`Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}

/** Reading the audio failed during the upload. */
export function audioReadFailedError(reason: string): CallError {
	return new CallError(
		'The audio could not be read to its end',
		`The upload was stopped. Check that the file, or the server it comes from, is still available (${reason}).`,
		{ payment: 'possible' },
	);
}
