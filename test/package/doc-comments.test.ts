/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import path from 'node:path';
import ts from 'typescript';

import { read, trackedFiles } from './repository';

const sources = trackedFiles.filter((file) => /^(nodes|credentials)\/.+\.ts$/.test(file));

const isDocumented = (node: ts.Node) => ts.getJSDocCommentsAndTags(node).length > 0;

const hasModifier = (node: ts.HasModifiers, kind: ts.SyntaxKind) =>
	node.modifiers?.some((modifier) => modifier.kind === kind) === true;

/** What others can use: what a file exports, and the public methods of its classes. */
function publicIn(file: string): ts.Node[] {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	return source.statements.flatMap((statement): ts.Node[] => {
		const canExport = ts.canHaveModifiers(statement);
		if (!canExport || !hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return [];
		const members = ts.isClassDeclaration(statement) ? [...statement.members] : [];
		const methods = members
			.filter(ts.isMethodDeclaration)
			.filter((method) => !hasModifier(method, ts.SyntaxKind.PrivateKeyword));
		return [statement, ...methods];
	});
}

it('there is much to document', () => {
	expect(sources.flatMap(publicIn).length).toBeGreaterThan(150);
});

it.each(sources)('%s says what each thing is that others can use', (file) => {
	const silent = publicIn(file).filter((node) => !isDocumented(node));
	expect(silent.map((node) => `${path.basename(file)}: ${node.getText().split('\n')[0]}`)).toEqual(
		[],
	);
});
