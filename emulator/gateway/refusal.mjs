/** @typedef {keyof import('../settings.mjs').Settings['statusCodes']} Reason */

/** Machine-readable codes of the refusals: the emulator's own choice. */
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

/** Statuses that are about the emulator itself and so no setting. */
const FIXED_STATUSES = { unavailable: 501, broken: 500, gone: 499 };

/** A call that is answered with an error, and costs nothing. */
export class Refusal extends Error {
	/**
	 * @param {keyof typeof CODES} reason
	 * @param {string} message sentence for the caller
	 * @param {string} [field] the field, part or header that is wrong, where one is
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
	status(settings) {
		const statuses = { ...FIXED_STATUSES, ...settings.statusCodes };
		return statuses[this.reason];
	}
}

/**
 * @param {unknown} error whatever was thrown
 * @returns {Refusal} itself, or that the emulator is at fault
 */
export function asRefusal(error) {
	if (error instanceof Refusal) return error;
	return new Refusal('broken', 'The emulator failed: this is a fault of its own.');
}
