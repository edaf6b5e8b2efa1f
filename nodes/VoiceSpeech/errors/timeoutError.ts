import { CallError } from './callError';

const payment = 'possible';

/** The phases of a call in their order (call/timeouts.ts relies on it), each with its error; `seconds` is the limit. */
export const timeoutErrors = {
	/** Before anything is sent. */
	opening: (seconds: number) =>
		new CallError(
			`The audio stalled for ${seconds} seconds before the upload began`,
			'Check the server that the audio comes from.',
		),
	upload: (seconds: number) =>
		new CallError(
			`The upload stalled for ${seconds} seconds and was stopped`,
			'Check the network, and the server that the audio comes from.',
			{ payment },
		),
	/** From the end of the upload to the start of the response. */
	responseStart: (seconds: number) =>
		new CallError(
			`The service did not respond within ${seconds} seconds after the upload`,
			"For long recordings, raise the option 'Answer Timeout (Seconds)'.",
			{ payment },
		),
	response: (seconds: number) =>
		new CallError(
			`The response stalled for ${seconds} seconds and was stopped`,
			'Try again later.',
			{ payment },
		),
};
