/** A parameter without which a call can't succeed. */
export interface RequiredParameter {
	/** Internal name. */
	name: string;
	/** Under which its routing sends it. */
	field: string;
	label: string;
}

/** One endpoint of the service, as far as docs/openapi.yaml documents it. All are called with POST. */
export interface Endpoint {
	/** Below the base URL. */
	path: `/ai/${string}`;
	/** The scope that a key needs. Absent where the document does not show it (voice cloning). */
	scope?: string;
	/** `audio`: multipart with a recording. `json`: a JSON object. `chosen`: the payload is not shown, 'Input Type' decides. */
	body: 'audio' | 'json' | 'chosen';
	/** `any`: the answer is not shown, whatever comes is passed on. */
	answer: 'json' | 'audio' | 'any';
	/** Parameters that must not be empty, beside the text of a body of JSON. */
	required?: RequiredParameter[];
	/** The recording is a voice sample, for which the document recommends length, speakers and sampling rate. */
	voiceSample?: boolean;
}

/** The service documents the formats that speech to text and voice cloning accept, and no others. */
export function formatsAreDocumented(endpoint: Endpoint): boolean {
	return endpoint.body === 'audio';
}
