// The emulator's choices where docs/openapi.yaml leaves the behavior open, each switchable at run time. README.md explains
// them one by one.
import { endpoints } from '../lib/openapi.mts';

/** The allowed values of the settings that are a choice from a list. */
export const settingOptions = {
	ttsEncoding: ['wav', 'pcm'],
	ttsEngine: ['auto', 'espeak', 'tones'],
	unknownVoice: ['refuse', 'accept'],
	undocumentedPayload: ['either', 'audio', 'text'],
} as const;

type Choices = {
	[Name in keyof typeof settingOptions]: (typeof settingOptions)[Name][number];
};

export interface Settings extends Choices {
	/** Credits of a call of each operation, by the operation's name. */
	creditCosts: Record<string, number>;
	/** Scope that cloning needs; empty for none. A new name is an additional scope. */
	voiceCloneScope: string;
	extraResponseFields: boolean;
	retryAfterSeconds: number;
	latencyMs: number;
	revocationDelayMs: number;
	/** 0 switches the limit off, as in the next setting. */
	rateLimitPerSecond: number;
	maxTextCharacters: number;
}

/** All defaults except the costs, which each operation declares. */
export const defaultSettings: Omit<Settings, 'creditCosts'> = {
	ttsEncoding: 'wav',
	ttsEngine: 'auto',
	unknownVoice: 'refuse',
	undocumentedPayload: 'either',
	voiceCloneScope: '',
	extraResponseFields: false,
	retryAfterSeconds: 1,
	latencyMs: 0,
	revocationDelayMs: 1500,
	rateLimitPerSecond: 0,
	maxTextCharacters: 0,
};

/** What a scope may consist of, as a pattern and in words. */
export const scopeRule = {
	pattern: '^[a-z0-9-]{0,50}$',
	words: 'may have up to 50 characters: a to z, 0 to 9 and hyphens',
};

const integer = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const delay = { ...integer, maximum: 600_000 };
const credits = { ...integer, maximum: 1_000_000 };

/** JSON schema of a change of the settings. */
export const settingsSchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		...Object.fromEntries(
			Object.entries(settingOptions).map(([name, options]) => [name, { enum: options }]),
		),
		creditCosts: {
			type: 'object',
			additionalProperties: false,
			properties: Object.fromEntries(endpoints.map(({ name }) => [name, credits])),
		},
		voiceCloneScope: { type: 'string', pattern: scopeRule.pattern },
		extraResponseFields: { type: 'boolean' },
		retryAfterSeconds: integer,
		latencyMs: delay,
		revocationDelayMs: delay,
		rateLimitPerSecond: integer,
		maxTextCharacters: integer,
	},
};
