// Installs every n8n of dev/n8n/, the newest first: the other suites of `.ci/run` wait for that one.
import { installHost } from '../n8n/install.mts';
import { versions } from '../n8n/versions.mts';

for (const version of versions) {
	const since = Date.now();
	const seconds = () => `${Math.round((Date.now() - since) / 1_000)} s`;
	await installHost(version, { onStep: (step) => console.log(`${seconds()}: ${step}`) });
	console.log(`n8n ${version}: ${seconds()}`);
}
