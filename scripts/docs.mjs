// Writes the parts of docs/operations that say what the node's description and docs/openapi.yaml say, and the
// diagram of docs/architecture.md from the imports: `npm run docs`. With --check it changes nothing, and ends with 1 where a page is not as it would be.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { parse } from 'yaml';
import { modulesDiagram, readModules } from './docs/modules.mjs';
import { factsTable, operationsTable, parametersTable } from './docs/tables.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'docs', 'operations');

/** The built node: its source is TypeScript. */
const { VoiceSpeech } = createRequire(import.meta.url)(
	'../dist/nodes/VoiceSpeech/VoiceSpeech.node.js',
);
const { description } = new VoiceSpeech();
const { paths } = parse(readFileSync(path.join(ROOT, 'docs', 'openapi.yaml'), 'utf8'));

/** @param {string} name for example `speechToText` */
const pageOf = (name) => `${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}.md`;

/**
 * @param {string} page
 * @param {string} part which of the page's parts
 * @param {string} text what it is to say
 */
function withPart(page, part, text) {
	const begin = `<!-- npm run docs writes this: ${part} -->`;
	const end = '<!-- The end of it. -->';
	const start = page.indexOf(begin);
	const stop = page.indexOf(end, start);
	if (start < 0 || stop < 0) throw new Error(`The page has no part between ${begin} and ${end}`);
	return `${page.slice(0, start + begin.length)}\n\n${text}\n\n${page.slice(stop)}`;
}

const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ options, displayOptions }) =>
		options.map((option) => ({ option, resource: displayOptions.show.resource[0] })),
	);

/** A page for an operation that has none yet: what is left to say, a person says. @param {string} name */
const newPage = (name) => `# ${name}

<!-- npm run docs writes this: operation -->

<!-- The end of it. -->

## Parameters

<!-- npm run docs writes this: parameters -->

<!-- The end of it. -->

## What is sent

## What comes back

## Example
`;

/** Pages that are not as they would be. */
const stale = [];

/** @param {string} file @param {Record<string, string>} parts by name @param {string} [begun] where it is new */
async function write(file, parts, begun) {
	const before = begun !== undefined && !existsSync(file) ? '' : readFileSync(file, 'utf8');
	const text = Object.entries(parts).reduce(
		(page, part) => withPart(page, ...part),
		before || begun,
	);
	const config = await prettier.resolveConfig(file);
	const after = await prettier.format(text, { ...config, filepath: file });
	if (after === before) return;
	stale.push(path.relative(ROOT, file));
	if (!process.argv.includes('--check')) writeFileSync(file, after);
}

for (const { option, resource } of operations) {
	const parts = {
		operation: factsTable(description, resource, option, paths[option.routing.request.url]?.post),
		parameters: parametersTable(description, resource, option.value),
	};
	await write(path.join(FOLDER, pageOf(option.value)), parts, newPage(option.name));
}
await write(path.join(FOLDER, 'README.md'), {
	operations: operationsTable(description, operations, pageOf),
});
await write(path.join(ROOT, 'docs', 'architecture.md'), {
	modules: modulesDiagram(await readModules(ROOT)),
});
if (stale.length > 0) process.stdout.write(`${stale.join('\n')}\n`);
if (stale.length > 0 && process.argv.includes('--check')) process.exitCode = 1;
