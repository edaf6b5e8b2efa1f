import { randomBytes } from 'node:crypto';

/** Multiples of this never meet modulo 1, so no two voices have the same pitch. */
const goldenRatio = 0.618_033_988_75;

export interface Voice {
	/** `vc_<id>` */
	voiceId: string;
	name: string;
	/** From 0 (deep) to 1 (high). */
	pitch: number;
	/** ISO 8601 */
	createdAt: string;
}

/**
 * Adds a voice. Nothing of a sample is kept: each voice has a pitch of its own.
 * @param voices changed in place
 */
export function createVoice(voices: Voice[], name: string): Voice {
	const voice = {
		voiceId: `vc_${randomBytes(6).toString('hex')}`,
		name,
		pitch: ((voices.length + 1) * goldenRatio) % 1,
		createdAt: new Date().toISOString(),
	};
	voices.push(voice);
	return voice;
}
