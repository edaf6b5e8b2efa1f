import type { UserError } from 'n8n-workflow';

import { createUserError } from './userError';

/** The audio could not be opened, or not be read before the upload. Nothing was sent. */
export function createAudioNotReadableError(reason: string): UserError {
	return createUserError(
		'The audio could not be read',
		`Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}

/** Some of the audio may have been sent, so the call may have been debited. */
export function createUploadReadError(reason: string): UserError {
	return createUserError(
		'Reading the audio failed during the upload',
		`Check that the file, or the server it comes from, is still available (${reason}).`,
	);
}
