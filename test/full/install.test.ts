import { existsSync } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { installN8n } from '../../dev/n8n/install.mts';
import { findClosestVersion, newest, versions } from '../../dev/n8n/versions.mts';
import { settle } from '../support/waiting';

/** Tests faults during the installation of n8n, and that an incomplete installation is not used. */
describe('the installation of n8n', () => {
	let into: string;

	beforeEach(async () => {
		into = await mkdtemp(path.join(tmpdir(), 'voice-speech-versions-'));
		// A registry that refuses every connection.
		process.env.npm_config_registry = 'http://127.0.0.1:9/';
		process.env.npm_config_fetch_retries = '0';
		process.env.npm_config_prefer_offline = 'false';
		process.env.npm_config_cache = path.join(into, 'cache');
	});

	afterEach(async () => await rm(into, { recursive: true, force: true }));

	it('ends when it is interrupted, is not used if it is incomplete, and says what to do if it fails', async () => {
		const interruption = new AbortController();
		const logFile = path.join(into, `n8n-${newest}`, 'install.log');
		const installing = installN8n(newest, { into, signal: interruption.signal });
		const isInterrupted = expect(installing).rejects.toThrow('interrupted');
		await waitUntil(() => existsSync(logFile));
		// The log is opened immediately before pnpm is started.
		await settle();
		interruption.abort(new Error('interrupted'));
		await isInterrupted;
		// pnpm did not fail by itself before.
		expect(await readFile(logFile, 'utf8')).not.toContain('ECONNREFUSED');
		await expect(access(path.join(into, `n8n-${newest}.lock`))).rejects.toThrow('ENOENT');
		await expect(installN8n(newest, { into })).rejects.toThrow(
			/^n8n could not be installed\. Check the connection to your npm registry[^]+ECONNREFUSED/,
		);
	});

	it('does not use the packages of another lock file', async () => {
		const folder = path.join(into, `n8n-${newest}`);
		await mkdir(folder);
		await writeFile(path.join(folder, 'fingerprint.txt'), 'another');
		await expect(installN8n(newest, { into })).rejects.toThrow('could not be installed');
	});

	it('uses the settings of the closest version that has a folder', () => {
		expect(versions.map((one) => findClosestVersion(one))).toEqual(versions);
		expect(findClosestVersion('0.1.0')).toBe(versions.at(-1));
		expect(findClosestVersion('99.0.0')).toBe(newest);
		expect(findClosestVersion('1.200.0')).toBe('1.123.81');
	});
});
