import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Problem } from '../n8n/problem.mjs';
import { startProcess, stopProcess } from '../n8n/processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Installs the packages of this repository if they are missing. npm's `predemo` would not run, because
 * .npmrc sets `ignore-scripts`.
 * @param {AbortSignal} signal ends the installation
 * @throws {Problem} if they cannot be installed; or the signal's reason
 */
export async function installPackages(signal) {
	const script = ['dev/scripts/install-missing.mjs'];
	const child = startProcess(process.execPath, script, { cwd: root, stdio: 'inherit' });
	signal.addEventListener('abort', () => void stopProcess(child, 2_000));
	const [code] = await once(child, 'close');
	signal.throwIfAborted();
	if (code !== 0) throw new Problem('The demo needs the packages of this repository.');
}
