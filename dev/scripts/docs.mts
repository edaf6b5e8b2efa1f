// Writes what follows from the operations, the options and docs/openapi.yaml: `npm run docs`. With --check it writes
// nothing, prints the files that are out of date, and exits with 1.
import { createLists } from './docs/lists.mts';
import { updateFiles } from './docs/generatedFiles.mts';

const isCheck = process.argv.includes('--check');
const lists = await updateFiles(createLists(), isCheck);
// The tables need the node, which imports one of the lists.
const { createTables } = await import('./docs/tables.mts');
const tables = await updateFiles(createTables(), isCheck);
const changed = [...lists, ...tables];
for (const file of changed) process.stdout.write(`${file}\n`);
if (isCheck && changed.length > 0) process.exitCode = 1;
