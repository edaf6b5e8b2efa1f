const VOWELS = /[aeiouyаеёиоуыэюяαεηιουω]+/gu;
const SYLLABIC_SCRIPTS =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const LETTERS_PER_SYLLABLE = 3;

/**
 * Splits a text into syllables and pauses, roughly.
 * @param {string} text
 * @returns {{kind: 'syllable' | 'word' | 'comma' | 'stop', text: string}[]} at least one syllable;
 *   the other kinds are pauses after a word, a part of a sentence and a sentence
 */
export function toBeats(text) {
	/** @type {ReturnType<typeof toBeats>} */
	const beats = [];
	for (const [token] of text.matchAll(/[\p{L}\p{M}\p{N}'’]+|[^\p{L}\p{M}\p{N}'’\s]/gu)) {
		const isWord = /^[\p{L}\p{M}\p{N}'’]/u.test(token);
		for (let index = 0; isWord && index < countSyllables(token); index++) {
			beats.push({ kind: 'syllable', text: `${token}${index}` });
		}
		const pause = /[.!?…。！？]/u.test(token) ? 'stop' : 'comma';
		beats.push({ kind: isWord ? 'word' : pause, text: token });
	}
	const isSilent = beats.every(({ kind }) => kind !== 'syllable');
	return isSilent ? [{ kind: 'syllable', text }, ...beats] : beats;
}

/** @param {string} word @returns {number} */
function countSyllables(word) {
	const characters = word.match(SYLLABIC_SCRIPTS)?.length ?? 0;
	if (characters > 0) return characters;
	// Decomposed, so that a vowel with an accent counts as a vowel.
	const vowels = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(VOWELS)?.length;
	return vowels ?? Math.ceil([...word].length / LETTERS_PER_SYLLABLE);
}
