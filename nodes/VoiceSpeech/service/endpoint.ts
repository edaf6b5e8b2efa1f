/** One endpoint of the service, as far as docs/openapi.yaml documents it. All are called with POST. */
export interface Endpoint {
	/** The path below the base URL. */
	path: `/ai/${string}`;
	/** The scope that a key needs; undefined where it is not documented (voice cloning). */
	scope?: string;
	/**
	 * What the endpoint takes, in the words of 'Input Type'.
	 * - `audio` is a multipart form with audio, in one of the documented formats.
	 * - `text` is a JSON object with a text.
	 * - `chosen` means that it is not documented, and that the user chooses the 'Input Type'.
	 */
	input: 'audio' | 'text' | 'chosen';
	/** What the response contains. `any` means that it is not documented, and that every response is passed on. */
	returns: 'json' | 'audio' | 'any';
	/** The response has a transcript as its `text`. */
	returnsTranscript?: boolean;
	/** The field of the request that names a voice. A 404 is then probably about it. */
	voiceField?: string;
	/** The audio is a voice sample, for which docs/openapi.yaml recommends length, speakers and sampling rate. */
	takesVoiceSample?: boolean;
}

/** Whether docs/openapi.yaml documents the request and the response of an endpoint. */
export function isDocumented({ input }: Endpoint): boolean {
	return input !== 'chosen';
}

/** Whether docs/openapi.yaml lists the formats of the audio that an endpoint takes. */
export function documentsFormats({ input }: Pick<Endpoint, 'input'>): boolean {
	return input === 'audio';
}

/** The names of the formats that the service documents (`AudioFile` in docs/openapi.yaml), as in audio/format.ts. */
export const acceptedFormats = ['WAV', 'MP3', 'M4A', 'FLAC'] as const;

export const acceptedFormatsText = `${acceptedFormats.slice(0, -1).join(', ')} or ${acceptedFormats.at(-1)}`;

/** Length of a voice sample in seconds that the service recommends (docs/openapi.yaml). */
export const recommendedVoiceSampleSeconds = 10;

export const voiceSampleLengthText = `about ${recommendedVoiceSampleSeconds} seconds`;

/** Lowest sampling rate of a voice sample in Hz (docs/openapi.yaml). */
export const minVoiceSampleRate = 16_000;

export const samplingRateText = `${minVoiceSampleRate / 1000} kHz or higher`;
