// Installs every n8n of dev/n8n/, the newest first: the other suites of `.ci/run` wait for that one.
import { readdirSync } from 'node:fs';
import { installHost } from '../n8n/install.mjs';

const versions = readdirSync(new URL('../n8n', import.meta.url))
	.flatMap((name) => /^n8n-(.+)$/.exec(name)?.[1] ?? [])
	.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

for (const version of versions) {
	const since = Date.now();
	const seconds = () => `${Math.round((Date.now() - since) / 1_000)} s`;
	await installHost(version, { onStep: (step) => console.log(`${seconds()}: ${step}`) });
	console.log(`n8n ${version}: ${seconds()}`);
}
