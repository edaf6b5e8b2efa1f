/** HTTP status and machine-readable code of each refusal. */
const refusals = {
	unauthorized: [401, 'invalid_api_key'],
	paymentRequired: [402, 'insufficient_credits'],
	forbidden: [403, 'not_allowed'],
	notFound: [404, 'no_such_endpoint'],
	unknownVoice: [404, 'unknown_voice'],
	methodNotAllowed: [405, 'method_not_allowed'],
	tooLarge: [413, 'too_large'],
	unsupportedFormat: [415, 'unsupported_format'],
	badField: [400, 'invalid_field'],
	rateLimited: [429, 'rate_limited'],
	// These are about the emulator itself.
	unavailable: [501, 'not_available_here'],
	internalError: [500, 'internal_error'],
	clientClosed: [499, 'client_left'],
} as const;

/** A call that gets an error as its response and costs nothing. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: string;

	/** @param message sentence for the caller */
	constructor(reason: keyof typeof refusals, message: string) {
		super(message);
		const [status, code] = refusals[reason];
		this.status = status;
		this.code = code;
	}
}

/** @returns the error itself, or that the emulator failed. The person who runs the emulator sees why. */
export function toRefusal(error: unknown): Refusal {
	if (error instanceof Refusal) return error;
	console.error('The emulator failed:', error);
	return new Refusal('internalError', 'The emulator failed. It printed the reason.');
}
