/** The sentences in the source of the node that users read, for `npm run texts` and the tests of these texts. */
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const root = path.resolve(__dirname, '../..');

/** @typedef {{location: string, text: string}} SourceText file and line, and the text with `…` for inserted values */

/** @param {import('typescript').Node} node */
function textOf(node) {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.templateSpans.reduce((text, span) => `${text}…${span.literal.text}`, node.head.text);
}

/** @param {string} file @returns {SourceText[]} */
function textsIn(file) {
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	/** @type {SourceText[]} */
	const texts = [];
	const visit = (/** @type {import('typescript').Node} */ node) => {
		const text = textOf(node);
		const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
		if (text !== undefined) texts.push({ location: `${file}:${line + 1}`, text });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

/**
 * Every sentence in the source of these folders: several words, the first of them with a capital or a quote, or n8n.
 *
 * @param {...string} folders
 */
function sentencesIn(...folders) {
	return folders
		.flatMap((folder) =>
			readdirSync(path.join(root, folder), { recursive: true })
				.map((file) => path.join(folder, String(file)))
				// Names of codecs, and errors that no user sees.
				.filter((file) => file.endsWith('.ts') && !file.includes('audio/convert/')),
		)
		.flatMap(textsIn)
		.filter(
			({ text }) => /^([\s(]*['…A-Z]|n8n ).*\w+ \w+/s.test(text) || /[a-z]\. [A-Z]/.test(text),
		);
}

/** The texts of errors: their messages and descriptions. */
function errorTexts() {
	const folders = ['errors', 'audio', 'n8n'].map((name) => `nodes/VoiceSpeech/${name}`);
	// Labels and notices are not errors.
	return sentencesIn(...folders, 'credentials').filter(
		({ location, text }) => !/VoiceSpeechApi|keyNotices/.test(location) || /'…'/.test(text),
	);
}

/** Messages have no full stop at their end, descriptions have one: n8n shows them one below the other. */
const isMessage = (/** @type {string} */ text) => !/[.!?]( |…|$)/.test(text);

module.exports = { sentencesIn, errorTexts, isMessage };
