import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../lib/problem.mts';
import { runProcess } from '../lib/processes.mts';
import { explainFailure } from './explain.mts';
import { defaultFolder } from './install.mts';
import { newest, versions } from './versions.mts';

/**
 * Finds a release of n8n in the npm registry.
 * @param wanted a version or one of npm's tags, such as `latest`
 * @param into folder for the log file; `.hosts` by default
 * @returns the version
 * @throws {Problem} if there is no such n8n
 */
export async function findRelease(wanted: string, into: string = defaultFolder): Promise<string> {
	if (versions.includes(wanted)) return wanted;
	// npm would take anything else for a range or an address.
	if (!/^(\d+\.\d+\.\d+(-[\w.]+)?|[a-z]+)$/.test(wanted)) {
		throw new Problem(
			`"${wanted}" is not a version of n8n. Enter a complete one, such as ${newest}, or "latest".`,
		);
	}
	await mkdir(into, { recursive: true });
	const logFile = join(into, 'release.log');
	const view = async (name: string) => {
		const args = ['view', `n8n@${name}`, 'version', '--loglevel=error'];
		const { code, output } = await runProcess('npm', args, { cwd: into, logFile });
		const version = /^(\d+\.\d+\.\d+\S*)$/m.exec(output)?.[1];
		return { code, output, version };
	};
	const { code, output, version } = await view(wanted);
	if (code === 0 && version) return version;
	// Depending on its version, npm reports an unknown one as an error or prints nothing.
	if (code !== 0 && !/\bE404\b/.test(output)) throw explainFailure('packages', output, logFile);
	const latest = await view('latest');
	throw new Problem(`The npm registry has no n8n ${wanted}. Its newest is ${latest.version}.`);
}
