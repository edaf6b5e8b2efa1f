import { randomBytes } from 'node:crypto';

/** Multiples of this never meet modulo 1, so no two voices have the same pitch. */
const GOLDEN_RATIO = 0.618_033_988_75;

/**
 * @typedef {object} Voice
 * @property {string} voiceId `vc_<id>`
 * @property {string} name
 * @property {number} pitch from 0 (deep) to 1 (high)
 * @property {string} createdAt ISO 8601
 */

/**
 * Adds a voice. Nothing of a sample is kept: each voice has a pitch of its own.
 * @param {Voice[]} voices changed in place
 * @param {string} name
 * @returns {Voice}
 */
export function createVoice(voices, name) {
	const voice = {
		voiceId: `vc_${randomBytes(6).toString('hex')}`,
		name,
		pitch: ((voices.length + 1) * GOLDEN_RATIO) % 1,
		createdAt: new Date().toISOString(),
	};
	voices.push(voice);
	return voice;
}
