/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '../..');

/** A text in the source that users read. */
export interface SourceText {
	/** File and line. */
	place: string;
	/** With `…` for values that are inserted at run time. */
	text: string;
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.templateSpans.reduce((text, span) => `${text}…${span.literal.text}`, node.head.text);
}

function textsIn(file: string): SourceText[] {
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	const texts: SourceText[] = [];
	const visit = (node: ts.Node) => {
		const text = textOf(node);
		const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
		if (text !== undefined) texts.push({ place: `${file}:${line + 1}`, text });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

/** Every sentence in the source of these folders: several words, the first of them with a capital or a quote. */
export function sentencesIn(...folders: string[]): SourceText[] {
	return folders
		.flatMap((folder) =>
			readdirSync(path.join(root, folder), { recursive: true })
				.map((file) => path.join(folder, String(file)))
				.filter((file) => file.endsWith('.ts')),
		)
		.flatMap(textsIn)
		.filter(({ text }) => /^[\s(]*['…A-Z].*\w+ \w+/s.test(text) || /[a-z]\. [A-Z]/.test(text));
}
