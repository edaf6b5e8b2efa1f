import { createHash } from 'node:crypto';
import { toBeats } from './syllables.mjs';

const SYLLABLE_SECONDS = 0.16;
const EDGE_SECONDS = 0.02;
const PAUSE_SECONDS = { word: 0.05, comma: 0.2, stop: 0.4 };
const DEEPEST_HZ = 100;
const OCTAVES = 1.5;
/** Amplitudes of the fundamental and its overtones: a little like a voice. */
const OVERTONES = [1, 0.45, 0.3, 0.12];
const AMPLITUDE = 9_000;

/**
 * Make-believe speech without espeak-ng: a tone for each syllable, with pauses. The same text and
 * pitch give the same samples.
 * @param {string} text
 * @param {number} pitch of the voice, from 0 (deep) to 1 (high)
 * @param {number} rate samples per second
 * @returns {Int16Array} mono
 */
export function speakInTones(text, pitch, rate) {
	const voiceHz = DEEPEST_HZ * 2 ** (pitch * OCTAVES);
	const parts = toBeats(text).map(({ kind, text: syllable }) =>
		kind === 'syllable'
			? tone(voiceHz * melody(syllable), rate)
			: new Int16Array(Math.round(PAUSE_SECONDS[kind] * rate)),
	);
	const samples = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
	let offset = 0;
	for (const part of parts) {
		samples.set(part, offset);
		offset += part.length;
	}
	return samples;
}

/**
 * @param {string} syllable
 * @returns {number} factor within three semitones, always the same for the same syllable
 */
function melody(syllable) {
	const byte = createHash('sha256').update(syllable).digest()[0] ?? 0;
	return 2 ** (((byte % 7) - 3) / 12);
}

/**
 * @param {number} hertz
 * @param {number} rate
 */
function tone(hertz, rate) {
	const length = Math.round(SYLLABLE_SECONDS * rate);
	const edge = EDGE_SECONDS * rate;
	return Int16Array.from({ length }, (_, index) => {
		const angle = (2 * Math.PI * hertz * index) / rate;
		const wave = OVERTONES.reduce(
			(sum, amplitude, order) => sum + amplitude * Math.sin(angle * (order + 1)),
			0,
		);
		// Soft edges: a tone that starts abruptly clicks.
		const envelope = Math.min(1, index / edge, (length - index) / edge);
		return Math.round(wave * envelope * AMPLITUDE);
	});
}
