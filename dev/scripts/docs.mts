// Writes tables of pages, lists of operations, the codex and output schemas, from the operations, the options and
// docs/openapi.yaml: `npm run docs`. With --check, it only says which files are out of date. With --texts, it prints the
// texts that users of the node see instead.
import { parseArgs } from 'node:util';

import { runMain, UserFacingError } from '../lib/errors.mts';
import { createLists } from './docs/lists.mts';
import { updateFiles } from './docs/generatedFiles.mts';

await runMain(async () => {
	const flag = { type: 'boolean', default: false } as const;
	const { check, texts } = parseArgs({ options: { check: flag, texts: flag } }).values;
	if (texts) {
		await import('./texts.mts');
		return;
	}
	const lists = await updateFiles(createLists(), check);
	// The tables need the node, which imports one of the lists.
	const { createTables } = await import('./docs/tables.mts');
	const tables = await updateFiles(createTables(), check);
	const changed = [...new Set([...lists, ...tables])];
	if (check && changed.length > 0) {
		throw new UserFacingError(`Out of date: ${changed.join(', ')}. \`npm run docs\` writes them.`);
	}
	for (const file of changed) console.log(file);
});
