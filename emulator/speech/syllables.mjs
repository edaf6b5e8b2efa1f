const VOWELS = /[aeiouyаеёиоуыэюяαεηιουω]+/gu;
const SYLLABIC_SCRIPTS =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const LETTERS_PER_SYLLABLE = 3;

/**
 * @typedef {object} Beat something to sound or to wait for
 * @property {'syllable' | 'word' | 'comma' | 'stop'} kind a syllable, or the pause after a word,
 *   a part of a sentence or a sentence
 * @property {string} text
 */

/**
 * Splits a text into syllables and pauses, roughly: in alphabets one for each group of vowels, in
 * scripts of syllables one for each sign, in any other one for each three letters.
 * @param {string} text
 * @returns {Beat[]} with at least one syllable, whatever the text
 */
export function toBeats(text) {
	/** @type {Beat[]} */
	const beats = [];
	for (const [token] of text.matchAll(/[\p{L}\p{M}\p{N}'’]+|[^\p{L}\p{M}\p{N}'’\s]/gu)) {
		if (/^[\p{L}\p{M}\p{N}'’]/u.test(token)) {
			const count = countSyllables(token);
			for (let index = 0; index < count; index++) {
				beats.push({ kind: 'syllable', text: `${token}${index}` });
			}
			beats.push({ kind: 'word', text: token });
		} else if (/[.!?…。！？]/u.test(token)) {
			beats.push({ kind: 'stop', text: token });
		} else {
			beats.push({ kind: 'comma', text: token });
		}
	}
	return beats.some(({ kind }) => kind === 'syllable')
		? beats
		: [{ kind: 'syllable', text }, ...beats];
}

/** @param {string} word @returns {number} */
function countSyllables(word) {
	const signs = word.match(SYLLABIC_SCRIPTS)?.length ?? 0;
	if (signs > 0) return signs;
	// Decomposed, a letter with an accent counts as the vowel it is.
	const vowels = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(VOWELS)?.length;
	return vowels ?? Math.ceil([...word].length / LETTERS_PER_SYLLABLE);
}
