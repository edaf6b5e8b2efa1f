// Writes what follows from the operations, the options and docs/openapi.yaml: `npm run docs`. With --check it writes
// nothing, prints the files that are out of date, and exits with 1.
import { printStep } from '../lib/progress.mts';
import { packPackage } from '../n8n/package.mts';
import { createLists } from './docs/lists.mts';
import { updateFiles } from './docs/generatedFiles.mts';

const isCheck = process.argv.includes('--check');

/** Returns the names of the files that it writes, or would write. */
async function update(): Promise<string[]> {
	// The build needs the lists, and everything else needs the build.
	const lists = await updateFiles(createLists(), isCheck);
	if (!isCheck) await packPackage({ onStep: printStep });
	const { createTables } = await import('./docs/tables.mts');
	const tables = await updateFiles(createTables(), isCheck);
	return [...lists, ...tables];
}

const changed = await update();
for (const file of changed) process.stdout.write(`${file}\n`);
if (isCheck && changed.length > 0) process.exitCode = 1;
