/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { packageJson, ROOT } from './repository';

const DIST = path.join(ROOT, 'dist');

/** The JavaScript that n8n would load, by path. */
const scripts = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.js'))
	.map((file) => path.join(DIST, file));

/** What a script loads: every import, re-export, `require(...)` and `import(...)` in it. */
function loadedBy(script: string): string[] {
	const loaded: string[] = [];
	const visit = (node: ts.Node) => {
		if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
			loaded.push((node.moduleSpecifier as ts.StringLiteral).text);
		} else if (ts.isCallExpression(node)) {
			const called = node.expression.kind === ts.SyntaxKind.ImportKeyword || isRequire(node);
			// Something computed can't be judged: it shows as its own source, which is never allowed.
			const [name] = node.arguments;
			if (called) loaded.push(name && ts.isStringLiteralLike(name) ? name.text : node.getText());
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(script, readFileSync(script, 'utf8'), ts.ScriptTarget.Latest, true));
	return loaded;
}

function isRequire({ expression }: ts.CallExpression): boolean {
	const isName = (node: ts.Node) => ts.isIdentifier(node) && node.text === 'require';
	return (
		isName(expression) ||
		(ts.isPropertyAccessExpression(expression) && isName(expression.expression))
	);
}

function isOwnFile(script: string, name: string): boolean {
	const target = path.resolve(path.dirname(script), name);
	return (
		target.startsWith(DIST + path.sep) &&
		[target, `${target}.js`, path.join(target, 'index.js')].some(
			(file) => existsSync(file) && /\.js(on)?$/.test(file),
		)
	);
}

describe('dist', () => {
	it('has the JavaScript that package.json names', () => {
		for (const file of [...packageJson.n8n.nodes, ...packageJson.n8n.credentials]) {
			expect(scripts).toContain(path.join(ROOT, file));
		}
	});

	it.each(scripts.map((script) => path.relative(DIST, script)))(
		'%s loads n8n-workflow and its own files only',
		(file) => {
			const script = path.join(DIST, file);
			const others = loadedBy(script).filter(
				(name) => name !== 'n8n-workflow' && !(name.startsWith('.') && isOwnFile(script, name)),
			);
			expect(others).toEqual([]);
		},
	);

	it('has the codex beside the node', () => {
		const codex = 'nodes/VoiceSpeech/VoiceSpeech.node.json';
		const parsed = (folder: string) =>
			JSON.parse(readFileSync(path.join(folder, codex), 'utf8')) as object;
		expect(parsed(DIST)).toEqual(parsed(ROOT));
	});
});
