// Builds the package for the tests, and installs the n8n that TEST_N8N names. Does nothing if that has been done.
import { runMain } from '../lib/errors.mts';
import { printStep } from '../lib/progress.mts';
import { installN8n } from '../n8n/install.mts';
import { packPackage } from '../n8n/package.mts';

await runMain(async () => {
	await packPackage({ onStep: printStep });
	const { TEST_N8N: version } = process.env;
	if (version !== undefined) await installN8n(version, { onStep: printStep });
});
