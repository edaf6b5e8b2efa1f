// Writes tables of pages, lists of operations, the codex and output schemas, from the operations, the options and
// docs/openapi.yaml: `npm run docs`. With --check, it only prints the files that are out of date, and exits with 1.
import { parseArgs } from 'node:util';

import { runMain } from '../lib/errors.mts';
import { createLists } from './docs/lists.mts';
import { updateFiles } from './docs/generatedFiles.mts';

await runMain(async () => {
	const options = { check: { type: 'boolean', default: false } } as const;
	const { check } = parseArgs({ options }).values;
	const lists = await updateFiles(createLists(), check);
	// The tables need the node, which imports one of the lists.
	const { createTables } = await import('./docs/tables.mts');
	const tables = await updateFiles(createTables(), check);
	const changed = [...lists, ...tables];
	for (const file of changed) console.log(file);
	if (check && changed.length > 0) process.exitCode = 1;
});
