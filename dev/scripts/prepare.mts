// Builds the package for the tests. Does nothing if it is up to date.
import { runMain } from '../lib/errors.mts';
import { printStep } from '../lib/progress.mts';
import { packPackage } from '../n8n/package.mts';

await runMain(async () => {
	await packPackage({ onStep: printStep });
});
