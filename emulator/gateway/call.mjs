/**
 * @typedef {object} Call one request that may be answered, with all that an operation needs
 * @property {import('fastify').FastifyRequest} request
 * @property {import('../state.mjs').State} state
 * @property {ReturnType<typeof import('./spool.mjs').createSpool>} spool
 * @property {number} bytesIn bytes of the body read so far
 */

/**
 * @typedef {object} Answer
 * @property {number} [status] 200 unless given
 * @property {string} contentType
 * @property {string | Buffer} body
 * @property {string} [voiceId] for the usage dashboard
 */

/**
 * What service/<operation>.mjs exports. `read` reads and checks the body: it refuses without any
 * cost. `perform` runs after the debit.
 * @template Input
 * @typedef {object} Service
 * @property {(call: Call) => Promise<Input>} read
 * @property {(call: Call, input: Input) => Promise<Answer>} perform
 */

/**
 * A JSON answer that says of itself that it is make-believe.
 * @param {object} fields
 * @param {string} note how the emulator came to it, a sentence
 * @returns {Answer}
 */
export function jsonAnswer(fields, note) {
	return {
		contentType: 'application/json; charset=utf-8',
		body: JSON.stringify({ ...fields, emulated: true, note }),
	};
}

/**
 * Counts the bytes of a call's body while something else reads them: call it right before that
 * begins, in the same tick, or bytes are lost.
 * @param {Call} call
 */
export function countBytes(call) {
	call.request.raw.on('data', (/** @type {Buffer} */ chunk) => {
		call.bytesIn += chunk.length;
	});
}
