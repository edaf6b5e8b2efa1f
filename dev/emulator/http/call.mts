import type { FastifyRequest } from 'fastify';

import type { Settings } from '../settings.mts';
import type { Voice } from '../storage.mts';

/** One request to the service. */
export interface Call {
	request: FastifyRequest;
	settings: Settings;
	voices: readonly Voice[];
	addVoice: (voice: Voice) => void;
	/** Path of the folder for uploaded files. */
	uploads: string;
	/** Paths of temporary files, deleted after the call. */
	files: string[];
	/** Bytes of the body read so far. */
	bytesIn: number;
}

export interface ServiceResponse {
	contentType: string;
	body: string | Buffer;
	/** The voice that the call used or cloned, for the usage dashboard. */
	voiceId?: string;
}

/**
 * How the emulator responds to one operation. `read` reads and checks the body, before the debit; `perform` runs after it.
 */
export interface OperationHandler<Input> {
	/** What a call costs, unless the setting `creditCosts` changes it. */
	credits: number;
	/** How the emulator makes the response, for README.md. `npm run docs` copies it. */
	rule: string;
	/** @throws {Refusal} */
	read: (call: Call) => Promise<Input>;
	perform: (call: Call, input: Input) => Promise<ServiceResponse>;
}

/** @param extraFields included only with the setting `extraResponseFields` */
export function createJsonResponse(
	{ settings }: Call,
	fields: object,
	extraFields: object,
): ServiceResponse {
	const body = settings.extraResponseFields
		? { ...fields, ...extraFields, emulated: true }
		: fields;
	return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
