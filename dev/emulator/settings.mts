/**
 * The emulator's choices where docs/openapi.yaml leaves the behavior open, each switchable at run
 * time. README.md explains them one by one.
 */

import { operations, type OperationName } from './operations.mts';

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

export type Settings = Choices & typeof otherDefaults;

export type SettingChanges = Partial<Omit<Settings, 'creditCosts'>> & {
	creditCosts?: Partial<Settings['creditCosts']>;
};

function readCredits(): Record<OperationName, number> {
	const credits = operations.map(({ name, service }) => [name, service.credits]);
	return Object.fromEntries(credits) as Record<OperationName, number>;
}

const otherDefaults = {
	/** Credits of each operation. */
	creditCosts: readCredits(),
	/** Scope that cloning needs; empty for none. A new name is an additional scope. */
	voiceCloneScope: '',
	extraResponseFields: false,
	retryAfterSeconds: 1,
	latencyMs: 0,
	revocationDelayMs: 1500,
	// 0 switches these limits off.
	rateLimitPerSecond: 0,
	maxTextCharacters: 0,
};

export const defaultSettings: Settings = {
	ttsEncoding: 'wav',
	ttsEngine: 'auto',
	unknownVoice: 'refuse',
	undocumentedPayload: 'either',
	...otherDefaults,
};

/** What a scope may consist of, as a pattern and in words. */
export const scopeRule = {
	pattern: '^[a-z0-9-]{0,50}$',
	words: 'may have up to 50 characters: a to z, 0 to 9 and hyphens',
};

const integer = (maximum = Number.MAX_SAFE_INTEGER) => ({ type: 'integer', minimum: 0, maximum });

/** JSON schema of a change of the settings. */
export const settingsSchema = objectSchema(defaultSettings, (name, value) => {
	if (name in settingOptions) {
		return { enum: settingOptions[name as keyof Choices] };
	}
	if (typeof value === 'object' && value) return objectSchema(value, () => integer(1_000_000));
	if (typeof value === 'boolean') return { type: 'boolean' };
	if (typeof value === 'string') return { type: 'string', pattern: scopeRule.pattern };
	return integer(name.endsWith('Ms') ? 600_000 : undefined);
});

function objectSchema(values: object, schemaOf: (name: string, value: unknown) => object) {
	const properties = Object.entries(values).map(([name, value]) => [name, schemaOf(name, value)]);
	return {
		type: 'object',
		additionalProperties: false,
		properties: Object.fromEntries(properties),
	};
}

/** @param settings changed in place */
export function changeSettings(settings: Settings, { creditCosts, ...others }: SettingChanges) {
	Object.assign(settings, others);
	Object.assign(settings.creditCosts, creditCosts);
}
