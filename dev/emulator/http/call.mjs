/**
 * @typedef {object} Call one request to the service
 * @property {import('fastify').FastifyRequest} request
 * @property {import('../state.mjs').State} state
 * @property {string[]} files paths of temporary files, deleted after the call
 * @property {number} bytesIn bytes of the body read so far
 *
 * @typedef {object} ServiceResponse
 * @property {string} contentType
 * @property {string | Buffer} body
 * @property {string} [voiceId] for the usage dashboard
 */

/**
 * One operation. `read` reads and checks the body, before the debit; `perform` runs after it.
 * @template Input
 * @typedef {object} Service
 * @property {(call: Call) => Promise<Input>} read throws a Refusal
 * @property {(call: Call, input: Input) => Promise<ServiceResponse>} perform
 */

/**
 * @param {import('../state.mjs').State} state
 * @param {object} fields
 * @param {object} extraFields included only with the setting `extraResponseFields`
 * @returns {ServiceResponse}
 */
export function jsonResponse({ settings }, fields, extraFields) {
	return {
		contentType: 'application/json; charset=utf-8',
		body: JSON.stringify(
			settings.extraResponseFields ? { ...fields, ...extraFields, emulated: true } : fields,
		),
	};
}

/**
 * Counts the bytes of the body while another function reads them. Call it in the same tick in which
 * that function starts to read, because the listener starts the flow of data.
 * @param {Call} call
 */
export function countBytes(call) {
	call.request.raw.on('data', (/** @type {Buffer} */ chunk) => {
		call.bytesIn += chunk.length;
	});
}
