// The sentences in the source of the node that users read, for `npm run docs -- --texts` and the tests of these texts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { root } from '../lib/root.cjs';

export interface SourceText {
	/** File and line. */
	location: string;
	/** With `…` for inserted values. */
	text: string;
}

function readText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.templateSpans.reduce((text, span) => `${text}…${span.literal.text}`, node.head.text);
}

function readTexts(file: string): SourceText[] {
	const content = readFileSync(path.join(root, file), 'utf8');
	const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest);
	const texts: SourceText[] = [];
	const visit = (node: ts.Node) => {
		const text = readText(node);
		const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
		if (text !== undefined) texts.push({ location: `${file}:${line + 1}`, text });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

/** Whether a text has several words, the first of them with a capital or a quote, or n8n. */
function isSentence(text: string): boolean {
	return /^([\s(]*['…A-Z]|n8n ).*\w+ \w+/s.test(text) || /[a-z]\. [A-Z]/.test(text);
}

/** @param folders below the repository's root */
function findSentences(...folders: string[]): SourceText[] {
	const files = folders.flatMap((folder) => {
		const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
		return names.map((name) => path.join(folder, name));
	});
	// The conversion has no sentences, but names of codecs, which messages quote.
	return files
		.filter((file) => file.endsWith('.ts') && !file.includes('audio/convert/'))
		.flatMap(readTexts)
		.filter(({ text }) => isSentence(text));
}

/** @returns messages and descriptions of errors */
export function findErrorTexts(): SourceText[] {
	const folders = ['errors', 'audio', 'call', 'n8n'].map((name) => `nodes/VoiceSpeech/${name}`);
	// Labels and notices are not errors.
	return findSentences(...folders, 'credentials').filter(
		({ location, text }) => !/VoiceSpeechApi/.test(location) || /'…'/.test(text),
	);
}

/** Whether the text is a message. n8n shows a description, which ends with a full stop, below it. */
export function isMessage(text: string): boolean {
	return !/[.!?]( |…|$)/.test(text);
}
