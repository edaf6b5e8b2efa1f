import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../lib/root.cjs';
import { explainFailure } from './explain.mts';
import { cachedDefinition, defaultFolder } from './install.mts';
import { withLock } from '../lib/lock.mts';
import { runNpm } from '../lib/npm.mts';
import { installPnpm } from './pnpm.mts';
import { Problem } from '../lib/problem.mts';
import { closestTo, versions } from './versions.mts';
import type { Options } from './install.mts';

type DefinitionOptions = Options & { into?: string };

const definitions = join(root, 'dev/n8n');

/**
 * Lets `installHost` install any n8n that the npm registry has: writes package.json and lock of a version that has no
 * folder in `dev/n8n/` into the git-ignored `.hosts/definitions/`, once.
 * @param wanted a version or one of npm's tags, such as `latest`
 * @returns the version
 * @throws {Problem} if there is no such n8n, or the registry lacks a package that it needs
 */
export async function defineHost(wanted: string, options: DefinitionOptions = {}): Promise<string> {
	if (versions.includes(wanted)) return wanted;
	const { into = defaultFolder, onStep = () => {}, signal } = options;
	await mkdir(into, { recursive: true });
	if (existsSync(join(cachedDefinition(into, wanted), 'pnpm-lock.yaml'))) return wanted;
	const logFile = join(into, 'define.log');
	const version = await findRelease(wanted, logFile, signal);
	const folder = cachedDefinition(into, version);
	if (versions.includes(version) || existsSync(join(folder, 'pnpm-lock.yaml'))) return version;
	onStep(`Looking up the packages of n8n ${version}`, 'half a minute');
	await withLock(join(into, 'definitions.lock'), { onWait() {}, signal }, async () => {
		await writeDefinition(version, { into, logFile, signal });
	});
	return version;
}

/** @returns the version that the registry has under this name */
async function findRelease(wanted: string, logFile: string, signal?: AbortSignal): Promise<string> {
	// npm would take anything else for a range or an address.
	if (!/^(\d+\.\d+\.\d+(-[\w.]+)?|[a-z]+)$/.test(wanted)) {
		throw new Problem(
			`"${wanted}" is not a version of n8n. Enter a complete one, such as ${versions[0]}, or "latest".`,
		);
	}
	const view = async (name: string) => {
		const args = ['view', `n8n@${name}`, 'version', '--loglevel=error'];
		return await runNpm(args, { cwd: definitions, logFile, signal });
	};
	const { code, output } = await view(wanted);
	const found = versionIn(output);
	if (code === 0 && found) return found;
	// Depending on its version, npm reports an unknown one as an error or prints nothing.
	if (code !== 0 && !/\bE404\b/.test(output)) throw explainFailure('packages', output, logFile);
	const newest = versionIn((await view('latest')).output);
	throw new Problem(
		`The npm registry has no n8n ${wanted}.${newest ? ` Its newest is ${newest}.` : ''}`,
	);
}

/** @param output of `npm view` */
const versionIn = (output: string) => /^(\d+\.\d+\.\d+\S*)$/m.exec(output)?.[1];

/**
 * Resolves the packages of a version, with the Node, the settings and the pnpm of the closest version in `dev/n8n/`.
 */
async function writeDefinition(
	version: string,
	{ into, logFile, signal }: { into: string; logFile: string; signal?: AbortSignal },
) {
	const model = join(definitions, `n8n-${closestTo(version)}`);
	const folder = cachedDefinition(into, version);
	const read = async (name: string) => await readFile(join(model, name), 'utf8');
	const { dependencies } = JSON.parse(await read('package.json'));
	const manifest = {
		name: `n8n-host-${version}`,
		version: '1.0.0',
		private: true,
		dependencies: { ...dependencies, n8n: version },
	};
	const workspace = await read('pnpm-workspace.yaml');
	const pnpm = await installPnpm(into, { logFile, signal });
	// The workspace names pnpm's hooks by a path that is right in .hosts, one folder higher.
	await cp(join(definitions, 'pnpm'), join(dirname(folder), 'pnpm'), { recursive: true });
	const resolve = async (settings: string) => {
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
		await writeFile(join(folder, 'pnpm-workspace.yaml'), settings);
		const args = ['install', '--lockfile-only', '--ignore-scripts'];
		args.push('--store-dir', join(into, 'store'));
		return await runNpm(args, { cwd: folder, logFile, script: pnpm, signal });
	};
	// As n8n asks for them, if possible. The overrides are of another version, and only answer gaps of a registry.
	let result = await resolve(workspace.replace(/^(#.*\n|overrides:\n(?:[ \t].*\n?)+)/gm, ''));
	if (result.code !== 0) result = await resolve(workspace);
	if (result.code === 0) {
		const environment = join(model, 'environment.json');
		if (existsSync(environment)) await cp(environment, join(folder, 'environment.json'));
		return;
	}
	await rm(folder, { recursive: true, force: true });
	const missing = /No matching version found for (\S+)/.exec(result.output)?.[1];
	if (missing) {
		throw new Problem(
			`n8n ${version} cannot be installed: it needs ${missing}, which the npm registry does not have. Choose another version, or wait until the registry has it.`,
		);
	}
	throw explainFailure('packages', result.output, logFile);
}
