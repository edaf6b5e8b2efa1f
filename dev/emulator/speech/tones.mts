import { createHash } from 'node:crypto';

/** Groups of vowels, single characters of syllabic scripts, or up to three other letters. */
const syllablePattern =
	/[aeiouyаеёиоуыэюяαεηιουω]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const letters = /[\p{L}\p{N}]{1,3}/gu;
/** In Hz. */
export const toneSamplingRate = 16_000;
const syllableSeconds = 0.16;
const edgeSeconds = 0.02;
const pauseSeconds = { word: 0.05, comma: 0.2, stop: 0.4 };
const deepestHz = 100;
const octaves = 1.5;
/** Amplitudes of the fundamental and its overtones, which sound a little like a voice. */
const overtones = [1, 0.45, 0.3, 0.12];
const peakAmplitude = 9_000;

/**
 * Makes a tone for each syllable, with pauses, for a machine without espeak-ng. The same text and pitch give the same
 * samples.
 *
 * @param pitch of the voice, from 0 (deep) to 1 (high)
 * @returns mono
 */
export function speakInTones(text: string, pitch: number): Int16Array {
	const voiceHz = deepestHz * 2 ** (pitch * octaves);
	const createPause = (seconds: number) => new Int16Array(Math.round(seconds * toneSamplingRate));
	const parts = (text.match(/[\p{L}\p{M}\p{N}'’]+|[^\p{L}\p{M}\p{N}'’\s]/gu) ?? []).flatMap(
		(token) => {
			if (/[.!?…。！？]/u.test(token)) return [createPause(pauseSeconds.stop)];
			// The text is decomposed and loses its accents, so that a vowel with an accent counts as a vowel.
			const word = token.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
			const syllables = word.match(syllablePattern) ?? word.match(letters) ?? [];
			if (syllables.length === 0) return [createPause(pauseSeconds.comma)];
			const tones = syllables.map((_, index) =>
				createTone(voiceHz * computePitchFactor(`${token}${index}`)),
			);
			return [...tones, createPause(pauseSeconds.word)];
		},
	);
	if (!parts.some((part) => part.some(Boolean))) parts.unshift(createTone(voiceHz));
	const samples = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
	let offset = 0;
	for (const part of parts) {
		samples.set(part, offset);
		offset += part.length;
	}
	return samples;
}

/** @returns factor within three semitones, always the same for the same syllable */
function computePitchFactor(syllable: string): number {
	const byte = createHash('sha256').update(syllable).digest()[0] ?? 0;
	return 2 ** (((byte % 7) - 3) / 12);
}

function createTone(hertz: number) {
	const length = Math.round(syllableSeconds * toneSamplingRate);
	const edge = edgeSeconds * toneSamplingRate;
	return Int16Array.from({ length }, (_, index) => {
		const angle = (2 * Math.PI * hertz * index) / toneSamplingRate;
		const wave = overtones.reduce(
			(sum, amplitude, order) => sum + amplitude * Math.sin(angle * (order + 1)),
			0,
		);
		// A tone that starts abruptly clicks, so its edges are soft.
		const envelope = Math.min(1, index / edge, (length - index) / edge);
		return Math.round(wave * envelope * peakAmplitude);
	});
}
