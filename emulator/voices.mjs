import { createHash, randomBytes } from 'node:crypto';

/** Steps of this size never meet again, so no two voices get the same pitch. */
const GOLDEN_RATIO = 0.618_033_988_75;

/**
 * @typedef {object} Voice
 * @property {string} voice_id shaped `vc_<id>`
 * @property {string} name
 * @property {number} pitch from 0 (deep) to 1 (high)
 * @property {string} createdAt ISO 8601
 */

/**
 * Cloned voices, in memory. Source: interface document, "Voice"; that a voice has a pitch of its
 * own, and nothing else of its sample, is the emulator's own choice.
 */
export function createVoices() {
	/** @type {Map<string, Voice>} */
	const voices = new Map();
	return {
		/** @param {string} name @returns {Voice} */
		create(name) {
			const voice = {
				voice_id: `vc_${randomBytes(6).toString('hex')}`,
				name,
				pitch: ((voices.size + 1) * GOLDEN_RATIO) % 1,
				createdAt: new Date().toISOString(),
			};
			voices.set(voice.voice_id, voice);
			return voice;
		},
		/** @param {string} id @returns {Voice | undefined} */
		find(id) {
			return voices.get(id);
		},
	};
}

/**
 * Pitch for a voice that the emulator did not clone, the same for the same id each time.
 * @param {string} id
 * @returns {number} from 0 to 1
 */
export function pitchOfStranger(id) {
	return createHash('sha256').update(id).digest().readUInt16BE(0) / 0xffff;
}
