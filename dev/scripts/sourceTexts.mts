// The sentences in the source of the node that users read, for `npm run texts` and the tests of these texts.
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
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
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

/**
 * @param folders below the repository's root
 * @returns every sentence in their source: several words, the first of them with a capital or a quote, or n8n
 */
export function sentencesIn(...folders: string[]): SourceText[] {
	const files = folders.flatMap((folder) =>
		readdirSync(path.join(root, folder), { recursive: true }).map((file) =>
			path.join(folder, String(file)),
		),
	);
	return (
		files
			// The conversion has names of codecs, and errors that no user sees.
			.filter((file) => file.endsWith('.ts') && !file.includes('audio/convert/'))
			.flatMap(readTexts)
			.filter(
				({ text }) => /^([\s(]*['…A-Z]|n8n ).*\w+ \w+/s.test(text) || /[a-z]\. [A-Z]/.test(text),
			)
	);
}

/** @returns messages and descriptions of errors */
export function errorTexts(): SourceText[] {
	const folders = ['errors', 'audio', 'n8n'].map((name) => `nodes/VoiceSpeech/${name}`);
	// Labels and notices are not errors.
	return sentencesIn(...folders, 'credentials').filter(
		({ location, text }) => !/VoiceSpeechApi|keyNotices/.test(location) || /'…'/.test(text),
	);
}

/** Whether the text is a message. n8n shows a description, which ends with a full stop, below it. */
export const isMessage = (text: string) => !/[.!?]( |…|$)/.test(text);
