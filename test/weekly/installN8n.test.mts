import { access, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { installN8n } from '../../dev/n8n/install.mts';
import { newest } from '../../dev/n8n/versions.mts';
import { neverRespond } from '../support/calls.mts';
import { ScriptedServer } from '../support/servers/scriptedServer.mts';
import { createTestFolder } from '../support/testFolder.mts';

/** A registry that refuses every connection. */
const refusingRegistry = 'http://127.0.0.1:9/';

const silentRegistry = ScriptedServer.use(neverRespond);
const folder = createTestFolder();
let into: string;

beforeEach(async () => {
	into = await mkdtemp(path.join(folder, 'versions-'));
	process.env.npm_config_registry = refusingRegistry;
	process.env.npm_config_fetch_retries = '0';
	process.env.npm_config_prefer_offline = 'false';
	process.env.npm_config_cache = path.join(into, 'cache');
});

it('an installation of n8n that is interrupted ends, and is not used; one that fails says what to do', async () => {
	process.env.npm_config_registry = silentRegistry.baseUrl;
	const interruption = new AbortController();
	const installing = installN8n(newest, { into, signal: interruption.signal });
	const isInterrupted = expect(installing).rejects.toThrow('interrupted');
	// pnpm waits for the registry.
	await waitUntil(() => silentRegistry.requestCount > 0, { timeoutMs: 300_000 });
	interruption.abort(new Error('interrupted'));
	await isInterrupted;
	await waitUntil(() => silentRegistry.inProgress === 0);
	await expect(access(path.join(into, `n8n-${newest}.lock`))).rejects.toThrow('ENOENT');
	process.env.npm_config_registry = refusingRegistry;
	await expect(installN8n(newest, { into })).rejects.toThrow(
		/^n8n could not be installed\. Check the connection to your npm registry[^]+ECONNREFUSED/,
	);
});

it('the packages of another lock file are not used', async () => {
	const installed = path.join(into, `n8n-${newest}`);
	await mkdir(installed);
	await writeFile(path.join(installed, 'fingerprint.txt'), 'another');
	await expect(installN8n(newest, { into })).rejects.toThrow('could not be installed');
});
