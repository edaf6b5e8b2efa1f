/** One endpoint of the service, as far as docs/openapi.yaml documents it. All are called with POST. */
export interface Endpoint {
	/** Below the base URL. */
	path: `/ai/${string}`;
	/** The scope that a key needs; undefined where it is not documented (voice cloning). */
	scope?: string;
	/**
	 * What the request carries.
	 * - `audio` is a multipart form with audio, in one of the documented formats.
	 * - `json` is a JSON object with a text.
	 * - `chosen` means that it is not documented, and that 'Input Type' decides.
	 */
	body: 'audio' | 'json' | 'chosen';
	/** What the response is. With `any` it is not documented, so every response is passed on. */
	returns: 'json' | 'audio' | 'any';
	/** The response has a transcript as its `text`. */
	transcript?: boolean;
	/** The audio is a voice sample, for which docs/openapi.yaml recommends length, speakers and sampling rate. */
	voiceSample?: boolean;
}

/** Whether docs/openapi.yaml documents the request and the response of an endpoint. */
export function isDocumented({ body }: Endpoint): boolean {
	return body !== 'chosen';
}
