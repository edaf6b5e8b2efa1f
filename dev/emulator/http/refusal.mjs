/** Machine-readable codes of the refusals. */
const CODES = {
	unauthorized: 'invalid_api_key',
	paymentRequired: 'insufficient_credits',
	forbidden: 'not_allowed',
	notFound: 'no_such_endpoint',
	unknownVoice: 'unknown_voice',
	methodNotAllowed: 'method_not_allowed',
	tooLarge: 'too_large',
	unsupportedFormat: 'unsupported_format',
	badField: 'invalid_field',
	rateLimited: 'rate_limited',
	unavailable: 'not_available_here',
	broken: 'internal_error',
	gone: 'client_left',
};

/** Statuses of refusals that are about the emulator itself. */
const FIXED_STATUSES = { unavailable: 501, broken: 500, gone: 499 };

/** A call that gets an error as its response and costs nothing. */
export class Refusal extends Error {
	/**
	 * @param {keyof typeof CODES} reason
	 * @param {string} message sentence for the caller
	 * @param {string} [field] the field, part or header that is wrong
	 */
	constructor(reason, message, field) {
		super(message);
		this.reason = reason;
		this.field = field;
	}

	get code() {
		return CODES[this.reason];
	}

	/**
	 * @param {import('../settings.mjs').Settings} settings
	 * @returns {number} HTTP status
	 */
	status({ statusCodes }) {
		return { ...FIXED_STATUSES, ...statusCodes }[this.reason];
	}
}

/**
 * @param {unknown} error
 * @returns {Refusal} the error itself, or that the emulator failed
 */
export function asRefusal(error) {
	return error instanceof Refusal ? error : new Refusal('broken', 'The emulator failed.');
}
