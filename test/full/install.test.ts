/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explainFailure } from '../../dev/n8n/explain.mts';
import { installHost } from '../../dev/n8n/install.mts';
import { findRelease } from '../../dev/n8n/release.mts';
import { closestTo, newest, versions } from '../../dev/n8n/versions.mts';
import type { InstallStep } from '../../dev/n8n/explain.mts';
import { json, ScriptedServer } from '../support/scriptedServer';

/** What can go wrong before there is an n8n, and that nothing half done is taken for done. */
describe('the installation of n8n', () => {
	let into: string;

	beforeEach(async () => {
		into = await mkdtemp(path.join(tmpdir(), 'voice-speech-hosts-'));
		// A registry that refuses every connection.
		process.env.npm_config_registry = 'http://127.0.0.1:9/';
		process.env.npm_config_fetch_retries = '0';
		process.env.npm_config_prefer_offline = 'false';
		process.env.npm_config_cache = path.join(into, 'cache');
	});

	afterEach(async () => await rm(into, { recursive: true, force: true }));

	it('the installation of n8n ends when it is interrupted, takes nothing half done for done, and says what to do if the download fails', async () => {
		const interruption = new AbortController();
		const installing = installHost(newest, {
			into,
			signal: interruption.signal,
			onStep: () => setTimeout(() => interruption.abort(new Error('interrupted')), 200),
		});
		await expect(installing).rejects.toThrow('interrupted');
		await expect(access(path.join(into, `n8n-${newest}.lock`))).rejects.toThrow('ENOENT');
		await expect(installHost(newest, { into })).rejects.toThrow(
			/^n8n could not be downloaded \(ECONNREFUSED\)\. Check the connection to your npm registry/,
		);
	});

	it('the installation of n8n does not take the packages of another lock file for those of this one', async () => {
		const folder = path.join(into, `n8n-${newest}`);
		await mkdir(folder);
		await writeFile(path.join(folder, 'installed.json'), '{"fingerprint":"another"}');
		await expect(installHost(newest, { into })).rejects.toThrow('could not be downloaded');
	});

	it('the installation of n8n names the newest n8n if the registry does not have the wanted one', async () => {
		const releases = Object.fromEntries(
			['2.50.0', '2.51.0'].map((one) => [one, { name: 'n8n', version: one }]),
		);
		const registry = await ScriptedServer.start();
		registry.answer = json({ name: 'n8n', 'dist-tags': { latest: '2.51.0' }, versions: releases });
		process.env.npm_config_registry = registry.baseUrl;
		try {
			await expect(findRelease('9.9.9', into)).rejects.toThrow(
				'The npm registry has no n8n 9.9.9. Its newest is 2.51.0.',
			);
		} finally {
			await registry.stop();
		}
	});

	it('the installation of n8n explains why it could not look up a version', async () => {
		await expect(findRelease('9.9.9', into)).rejects.toThrow(
			/^n8n could not be downloaded \(ECONNREFUSED\)\. Check the connection to your npm registry/,
		);
		await expect(findRelease('2.41', into)).rejects.toThrow(
			/^"2\.41" is not a version of n8n\. Enter a complete one, such as .+, or "latest"\.$/,
		);
	});

	it('the installation of n8n takes the settings of the closest version that has a folder', async () => {
		expect(await findRelease(newest, into)).toBe(newest);
		expect(versions.map((one) => closestTo(one))).toEqual(versions);
		expect(closestTo('0.1.0')).toBe(versions.at(-1));
		expect(closestTo('99.0.0')).toBe(newest);
		expect(closestTo('1.200.0')).toBe('1.123.81');
	});

	it.each<{ step: InstallStep; output: string; sentence: RegExp }>([
		{
			step: 'packages',
			output: 'npm error code ENOSPC',
			sentence: /^The disk is full: n8n needs about/,
		},
		{
			step: 'packages',
			output: 'npm error code EACCES',
			sentence: /^npm is not allowed to write to a folder/,
		},
		{
			step: 'packages',
			output: 'ERR_PNPM_NO_MATCHING_VERSION  No matching version found for n8n-core@9.9.9',
			sentence: /^n8n needs n8n-core@9\.9\.9, which the npm registry does not have/,
		},
		{
			step: 'packages',
			output: 'npm error something else',
			sentence: /^n8n could not be installed\. Run it again/,
		},
		{
			step: 'node',
			output: 'npm error network ENOTFOUND',
			sentence: /^The Node that n8n needs .+ \(ENOTFOUND\)/,
		},
		{
			step: 'sqlite3',
			output: 'gyp ERR! build error',
			sentence: /SQLite .+ (compiling it needs|neither be downloaded)/,
		},
	])(
		'the installation of n8n explains a failed step "$step" that says "$output"',
		({ step, output, sentence }) => {
			expect(explainFailure(step, output, 'install.log').message).toMatch(sentence);
		},
	);
});
