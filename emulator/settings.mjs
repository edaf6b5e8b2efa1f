/**
 * Everything the interface document calls "not shown" and the emulator had to decide: its own
 * choices, each switchable while it runs. The table in README.md describes them one by one.
 */
import { SCOPES } from './operations.mjs';

/** Body shapes of a refusal; refusal-body.mjs writes each of them. */
export const ERROR_SHAPES = /** @type {const} */ ([
	'nested',
	'message',
	'detail',
	'detailList',
	'errors',
	'problem',
	'text',
	'html',
	'empty',
]);

/** Encodings of the audio that text-to-speech answers; audio/encode.mjs writes each of them. */
export const TTS_ENCODINGS = /** @type {const} */ ([
	'wav',
	'pcm',
	'mp3',
	'flac',
	'ogg',
	'mislabelled',
	'base64json',
]);

/**
 * The settings a new emulator starts with. Units are in the names; 0 switches a limit off.
 */
export const DEFAULT_SETTINGS = {
	/** @type {typeof ERROR_SHAPES[number]} */
	errorShape: 'nested',
	/** Status codes from 400 to 599 by the reason of a refusal. */
	statusCodes: {
		unauthorized: 401,
		paymentRequired: 402,
		forbidden: 403,
		notFound: 404,
		unknownVoice: 404,
		methodNotAllowed: 405,
		tooLarge: 413,
		unsupportedFormat: 415,
		badField: 400,
		rateLimited: 429,
	},
	/** @type {'seconds' | 'date' | 'none'} */
	retryAfter: 'seconds',
	retryAfterSeconds: 1,
	/** @type {'key' | 'method'} */
	checkFirst: 'key',
	/** Scope that cloning needs; empty: any key of the product will do. */
	voiceCloneScope: '',
	/** @type {200 | 201} */
	cloneStatus: 200,
	/** @type {typeof TTS_ENCODINGS[number]} */
	ttsEncoding: 'wav',
	/** @type {'auto' | 'espeak' | 'tones'} */
	ttsEngine: 'auto',
	voiceIdRequired: true,
	/** @type {'refuse' | 'accept'} */
	unknownVoice: 'refuse',
	languageRequired: false,
	/**
	 * Whether a refused upload is answered after all of it was read, or at once.
	 * @type {'after' | 'early'}
	 */
	refuseUploads: 'after',
	/** @type {'either' | 'audio' | 'text'} */
	undocumentedPayload: 'either',
	/** Whole credits by operation. */
	creditCosts: {
		'speech-to-text': 2,
		'text-to-speech': 1,
		'voice-clone': 10,
		transcriptions: 3,
		'language-detection': 1,
		sentiment: 1,
		intent: 1,
		'post-call-analytics': 4,
		amd: 1,
	},
	latencyMs: 0,
	revocationDelayMs: 1500,
	rateLimitPerSecond: 0,
	maxFileBytes: 0,
	maxTextCharacters: 0,
};

/** @typedef {typeof DEFAULT_SETTINGS} Settings */

/** Choices of the settings that have a closed list of values. */
export const SETTING_OPTIONS = {
	errorShape: ERROR_SHAPES,
	retryAfter: ['seconds', 'date', 'none'],
	checkFirst: ['key', 'method'],
	cloneStatus: [200, 201],
	ttsEncoding: TTS_ENCODINGS,
	ttsEngine: ['auto', 'espeak', 'tones'],
	voiceCloneScope: ['', ...SCOPES],
	unknownVoice: ['refuse', 'accept'],
	refuseUploads: ['after', 'early'],
	undocumentedPayload: ['either', 'audio', 'text'],
};
