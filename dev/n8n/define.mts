import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../lib/lock.mts';
import { Problem } from '../lib/problem.mts';
import { runProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import { explainFailure } from './explain.mts';
import { cachedDefinition, defaultFolder } from './install.mts';
import type { InstallOptions } from './install.mts';
import { runPnpm } from './pnpm.mts';
import { closestTo, versions } from './versions.mts';

/** What `writeDefinition` needs of the options of {@link defineHost}. */
interface DefinitionPlace {
	/** the folder of the installed versions */
	into: string;
	logFile: string;
	signal?: AbortSignal;
}

const definitions = join(root, 'dev/n8n');

/**
 * Lets `installHost` install any n8n that the npm registry has. It writes package.json and lock of a version that has no
 * folder in `dev/n8n/` into the git-ignored `.hosts/definitions/`, once.
 * @param wanted a version or one of npm's tags, such as `latest`
 * @returns the version
 * @throws {Problem} if there is no such n8n, or the registry lacks a package that it needs
 */
export async function defineHost(wanted: string, options: InstallOptions = {}): Promise<string> {
	const { into = defaultFolder, onStep = () => {}, signal } = options;
	const isDefined = (version: string) =>
		versions.includes(version) ||
		existsSync(join(cachedDefinition(into, version), 'pnpm-lock.yaml'));
	if (isDefined(wanted)) return wanted;
	await mkdir(into, { recursive: true });
	const place = { into, logFile: join(into, 'define.log'), signal };
	const version = await findRelease(wanted, place);
	if (isDefined(version)) return version;
	onStep(`Looking up the packages of n8n ${version}`, 'half a minute');
	await withLock(join(into, 'definitions.lock'), { signal }, async () => {
		await writeDefinition(version, place);
	});
	return version;
}

/** @returns the version that the registry has under this name */
async function findRelease(wanted: string, { logFile, signal }: DefinitionPlace): Promise<string> {
	// npm would take anything else for a range or an address.
	if (!/^(\d+\.\d+\.\d+(-[\w.]+)?|[a-z]+)$/.test(wanted)) {
		throw new Problem(
			`"${wanted}" is not a version of n8n. Enter a complete one, such as ${versions[0]}, or "latest".`,
		);
	}
	const view = async (name: string) => {
		const args = ['view', `n8n@${name}`, 'version', '--loglevel=error'];
		return await runProcess('npm', args, { cwd: definitions, logFile, signal });
	};
	const { code, output } = await view(wanted);
	const found = findVersion(output);
	if (code === 0 && found) return found;
	// Depending on its version, npm reports an unknown one as an error or prints nothing.
	if (code !== 0 && !/\bE404\b/.test(output)) throw explainFailure('packages', output, logFile);
	const newest = findVersion((await view('latest')).output);
	throw new Problem(`The npm registry has no n8n ${wanted}. Its newest is ${newest}.`);
}

/** @param output of `npm view` */
const findVersion = (output: string) => /^(\d+\.\d+\.\d+\S*)$/m.exec(output)?.[1];

/** Resolves the packages of a version, with the Node and the settings of the closest version in `dev/n8n/`. */
async function writeDefinition(version: string, { into, logFile, signal }: DefinitionPlace) {
	const model = join(definitions, `n8n-${closestTo(version)}`);
	const folder = cachedDefinition(into, version);
	const { dependencies } = JSON.parse(await readFile(join(model, 'package.json'), 'utf8'));
	const manifest = {
		name: `n8n-host-${version}`,
		version: '1.0.0',
		private: true,
		dependencies: { ...dependencies, n8n: version },
	};
	const resolve = async (settings: string) => {
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
		await writeFile(join(folder, 'pnpm-workspace.yaml'), settings);
		const args = ['install', '--lockfile-only', '--ignore-scripts'];
		return await runPnpm(args, into, { cwd: folder, logFile, signal });
	};
	const settings = await readFile(join(model, 'pnpm-workspace.yaml'), 'utf8');
	// The overrides belong to another version, and are for registries that lack a package. Try without them first.
	const withoutOverrides = settings.replace(/^(#.*\n|overrides:\n(?:[ \t].*\n?)+)/gm, '');
	let result = await resolve(withoutOverrides);
	if (result.code !== 0) result = await resolve(settings);
	if (result.code === 0) {
		const environment = join(model, 'environment.json');
		if (existsSync(environment)) await cp(environment, join(folder, 'environment.json'));
		return;
	}
	await rm(folder, { recursive: true, force: true });
	const missing = /No matching version found for (\S+)/.exec(result.output)?.[1];
	if (!missing) throw explainFailure('packages', result.output, logFile);
	throw new Problem(
		`n8n ${version} cannot be installed: it needs ${missing}, which the npm registry does not have. Choose another version, or wait until the registry has it.`,
	);
}
