/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../dev/lib/root.cjs';

export interface SourceText {
	/** file and line */
	location: string;
	/** with `…` for inserted values */
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
 * @returns every sentence in their source that users may read: several words, the first of them with a capital or a quote, or n8n
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
