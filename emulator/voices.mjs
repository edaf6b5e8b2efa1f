import { createHash, randomBytes } from 'node:crypto';

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
 * Cloned voices. Nothing of a sample is kept: each voice has a pitch of its own.
 * @param {Voice[]} saved the voices to begin with, changed in place
 */
export function createVoices(saved) {
	return {
		saved,
		/** @param {string} name @returns {Voice} */
		create(name) {
			const voice = {
				voiceId: `vc_${randomBytes(6).toString('hex')}`,
				name,
				pitch: ((saved.length + 1) * GOLDEN_RATIO) % 1,
				createdAt: new Date().toISOString(),
			};
			saved.push(voice);
			return voice;
		},
		/** @param {string} id @returns {Voice | undefined} */
		find(id) {
			return saved.find(({ voiceId }) => voiceId === id);
		},
	};
}

/**
 * @param {string} id of a voice that the emulator did not clone
 * @returns {number} its pitch from 0 to 1, always the same for the same id
 */
export function pitchOfUnknownVoice(id) {
	return createHash('sha256').update(id).digest().readUInt16BE(0) / 0xffff;
}
