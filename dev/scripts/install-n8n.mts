// Installs every n8n of dev/n8n/. The newest one is the first, because most suites of `.ci/run` wait for it.
import { runMain } from '../lib/errors.mts';
import { printStep } from '../lib/progress.mts';
import { installN8n } from '../n8n/install.mts';
import { versions } from '../n8n/versions.mts';

await runMain(async () => {
	for (const version of versions) await installN8n(version, { onStep: printStep });
});
